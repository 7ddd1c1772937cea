"""Probe of an endpoint's capabilities, in place of a list of model names."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dfactscore._asking.errors import AnswerError, ModelError
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.refusals import named_fields
from dfactscore._asking.settings import ChatModel
from dfactscore._asking.structured import (
    Form,
    boolean_schema,
    expect_keys,
    nothing_said,
    parse_object,
    response_format,
)
from dfactscore._asking.transport import Rejected
from dfactscore._text.thoughts import split_thoughts
from dfactscore._util.jsonl import parse_json

Send = Callable[[dict[str, Any]], Awaitable[Answer]]
_FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
_ROOM = 8192
_NO_SYSTEM = re.compile(r"system (?:role|message|prompt)|roles must alternate")
_FORM_WORDS = re.compile(r"json|schema")  # besides the words for the field
_THOUGHT_OFF = (
    "start the server without that parser (vLLM: --reasoning-parser; llama.cpp: "
    "--reasoning-format none) or "
    "switch thinking off, as with parameters: {chat_template_kwargs: {enable_thinking: false}}"
)
_QUESTION = (
    "This checks the form of your answers. Answer with one JSON object and nothing else: "
    'the key "1" with the value true, the key "2" with the value false.'
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Form of requests to an endpoint.

    Attributes:
        form: Format that answers are requested in.
        logprobs: Whether it gives log-probabilities of the tokens it writes.
        limit_field: The field that caps an answer, ``max_tokens`` or ``max_completion_tokens``.
        without: Fields that it does not take.
        system: Whether it takes a system message.
        room: Tokens that an answer may take beyond itself, for a model that thinks first.
        seconds: The duration of the probe; 0 if it was not measured.
    """

    form: Form = "text"
    logprobs: bool = False
    limit_field: str = "max_tokens"
    without: tuple[str, ...] = ()
    system: bool = True
    room: int = 0
    seconds: float = field(default=0.0, compare=False)

    def to_json(self) -> str:
        """A line that `from_json` reads back."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Capabilities:
        """Reads the output of `to_json`."""
        data = parse_json(line)
        return cls(**{**data, "without": tuple(data["without"])})


def build_body(model: ChatModel, able: Capabilities, request: Request) -> dict[str, Any]:
    """The JSON body of a chat completion request."""
    messages = [{"role": role, "content": content} for role, content in request.messages]
    if not able.system:
        messages = _without_system(messages)
    body: dict[str, Any] = {"model": model.model, "messages": messages}
    if model.temperature is not None:
        body["temperature"] = model.temperature
    if model.seed is not None:
        body["seed"] = model.seed + request.sample
    limit = request.max_tokens + able.room
    body[able.limit_field] = min(limit, model.max_answer_tokens or limit)
    schema = request.schema
    if schema is not None and (form := response_format(able.form, schema, request.stage)):
        body["response_format"] = form
    if request.logprobs and able.logprobs:
        body["logprobs"] = True
        body["top_logprobs"] = 5
    for name in able.without:
        body.pop(name, None)
    return sent(body | dict(model.parameters))


def sent(body: Mapping[str, Any]) -> dict[str, Any]:
    """Part of a body that is sent: a parameter that is null leaves its field out."""
    return {name: value for name, value in body.items() if value is not None}


def probe_request(slips: int = 0) -> Request:
    """The tiny question, after a number of answers out of form."""
    question = _QUESTION + " Keep to it exactly." * slips
    return Request(
        stage="probe",
        messages=(("system", "Keep to the form."), ("user", question)),
        version="probe",
        max_tokens=400,
        schema=boolean_schema(["1", "2"]),
        logprobs=True,
    )


async def probe(model: ChatModel, send: Send) -> Capabilities:
    """Asks a tiny question in ever simpler ways until the endpoint answers it as asked.

    Args:
        model: The model's settings; those that the user set are not probed.
        send: Sends a body, with the client's retries.

    Raises:
        ModelError: If no way of asking is accepted.
    """
    forms = _FORMS if model.structured == "auto" else (model.structured,)
    able = Capabilities(forms[0], model.logprobs is not False)
    slips = 0
    for _ in range(16):
        try:
            # A second try is another question, so that no cache repeats the slip.
            answer = await send(build_body(model, able, probe_request(slips)))
        except Rejected as error:
            simpler = _simpler(model, able, error, forms)
            if simpler is None:
                raise ModelError(f"every request is rejected: {error.reason}") from None
            able, slips = simpler, 0
            continue
        if (answer.thought or split_thoughts(answer.text).thoughts) and not able.room:
            able = replace(able, room=_ROOM)
            if answer.ending == "cut":
                continue  # It was still thinking.
        try:
            expect_keys(parse_object(answer), ["1", "2"], "key")
        except AnswerError:
            position = forms.index(able.form)
            if slips == 0:
                slips = 1  # One slip is not a missing ability; two are.
            elif position + 1 < len(forms):
                able, slips = replace(able, form=forms[position + 1]), 0
            elif answer.aside:
                raise ModelError(
                    f"no answer can be read, {nothing_said(answer)}; {_THOUGHT_OFF}"
                ) from None
            else:
                break
            continue
        break
    else:
        raise ModelError("the endpoint rejects or garbles every form of request")
    return replace(able, logprobs=able.logprobs and bool(answer.logprobs))


def simpler_as_named(model: ChatModel, able: Capabilities, error: Rejected) -> Capabilities | None:
    """A way of asking without what a rejection names; None if it names nothing of the form.

    Args:
        model: The model's settings; those that the user set are not changed.
        able: The result of the probe.
        error: The server's words.
    """
    text = f"{error.param} {error.reason}".lower()
    if "max_completion_tokens" in text and able.limit_field == "max_tokens":
        return replace(able, limit_field="max_completion_tokens")
    if able.room >= 1024 and "max" in text and "token" in text:
        return replace(able, room=able.room // 4)
    named = named_fields(text, ("logprobs", "response_format", "temperature", "seed"))
    if able.logprobs and "logprobs" in named:
        return replace(able, logprobs=False)
    if able.system and _NO_SYSTEM.search(text):
        return replace(able, system=False)
    for name in ("temperature", "seed"):
        if name in named and name not in able.without:
            return replace(able, without=(*able.without, name))
    position, formal = _FORMS.index(able.form), "response_format" in named
    formal = formal or _FORM_WORDS.search(text) is not None
    if model.structured == "auto" and position + 1 < len(_FORMS) and formal:
        return replace(able, form=_FORMS[position + 1])
    return None


def _simpler(
    model: ChatModel, able: Capabilities, error: Rejected, forms: tuple[Form, ...]
) -> Capabilities | None:
    """The next way of asking after a rejection: what it names, else what is most often missing."""
    if (named := simpler_as_named(model, able, error)) is not None:
        return named
    position = forms.index(able.form)
    if position + 1 < len(forms):
        return replace(able, form=forms[position + 1])
    if able.logprobs:
        return replace(able, logprobs=False)
    if able.system:
        return replace(able, system=False)
    for name in ("seed", "temperature"):
        if getattr(model, name) is not None and name not in able.without:
            return replace(able, without=(*able.without, name))
    return None


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Messages whose system message is at the head of the first question."""
    if len(messages) < 2 or messages[0]["role"] != "system" or messages[1]["role"] != "user":
        return messages
    both = f"{messages[0]['content']}\n\n{messages[1]['content']}"
    return [{"role": "user", "content": both}, *messages[2:]]
