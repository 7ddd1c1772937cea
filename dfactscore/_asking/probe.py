"""Probes an endpoint's capabilities, so that no list of models has to be maintained."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import Answer, AnswerError, CallError, ModelError, Request
from dfactscore._asking.refusals import named_fields
from dfactscore._asking.settings import ChatModel
from dfactscore._asking.structured import (
    Form,
    boolean_schema,
    check_has_text,
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
_LONGER = 20  # the ratio of an answer's duration to that of the probe
_NO_SYSTEM = re.compile(r"system (?:role|message|prompt)|roles must alternate")
_FORM_WORDS = re.compile(r"json|schema")
_THOUGHT_OFF = (
    "start the server without that parser (vLLM: --reasoning-parser; llama.cpp: "
    "--reasoning-format none) or "
    "switch thinking off, as with parameters: {chat_template_kwargs: {enable_thinking: false}}"
)
_QUESTION = (
    "This checks the form of your answers. Answer with one JSON object and nothing else: "
    'the key "1" with the value true, the key "2" with the value false.'
)

_PROSE_QUESTION = "This checks the form of your answers. Answer with one short sentence."


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of an endpoint, which determine the format of requests."""

    form: Form = "text"
    logprobs: bool = False  # whether the endpoint returns log-probabilities of answer tokens
    # The field that limits the length of an answer, `max_tokens` or `max_completion_tokens`.
    limit_field: str = "max_tokens"
    without: tuple[str, ...] = ()
    system: bool = True
    room: int = 0  # number of additional answer tokens for a model that reasons first
    seconds: float = field(default=0.0, compare=False)  # duration of the probe; 0 if unknown

    def to_json(self) -> str:
        """Formats the capabilities for `from_json`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Capabilities:
        """Reads the output of `to_json`."""
        data = parse_json(line)
        return cls(**{**data, "without": tuple(data["without"])})


def build_body(model: ChatModel, able: Capabilities, request: Request) -> dict[str, Any]:
    """Builds the JSON body of a chat completion request."""
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
    return without_nulls(body | dict(model.parameters))


def without_nulls(body: Mapping[str, Any]) -> dict[str, Any]:
    """Removes null fields from a body, so that setting a parameter to null omits it."""
    return {name: value for name, value in body.items() if value is not None}


def probe_request(slips: int = 0, *, prose: bool = False) -> Request:
    """Returns the question that the probe asks, for a JSON object or for prose."""
    question = (_PROSE_QUESTION if prose else _QUESTION) + " Keep to it exactly." * slips
    return Request(
        stage="probe",
        messages=(("system", "Keep to the form."), ("user", question)),
        version="probe",
        max_tokens=400,
        schema=None if prose else boolean_schema(["1", "2"]),
        logprobs=True,
    )


async def probe(model: ChatModel, send: Send) -> Capabilities:
    """Sends a tiny question in ever simpler formats until an answer has the requested format."""
    forms = _FORMS if model.structured == "auto" else (model.structured,)
    prose = model.structured == "text"  # nothing depends on whether it can write JSON
    able = Capabilities(forms[0], model.logprobs is not False)
    slips = 0
    for _ in range(16):
        try:
            # The second question differs, so that the server does not repeat a cached answer.
            answer = await send(build_body(model, able, probe_request(slips, prose=prose)))
        except Rejected as error:
            simpler = _simpler(model, able, error, forms)
            if simpler is None:
                raise ModelError(f"every request is rejected: {error.reason}") from None
            able, slips = simpler, 0
            continue
        if (answer.thought or split_thoughts(answer.text).thoughts) and not able.room:
            able = replace(able, room=_ROOM)
            if answer.ending == "cut":
                continue  # while it was still reasoning
        try:
            if prose:
                check_has_text(answer)
            else:
                expect_keys(parse_object(answer), ["1", "2"], "key")
        except AnswerError:
            position = forms.index(able.form)
            if slips == 0:
                slips = 1  # only a second slip is taken as a missing capability
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


async def timed_probe(model: ChatModel, send: Send, endpoint: str) -> Capabilities:
    """Probes an endpoint and notes how long its last answer took; errors name the endpoint."""
    seconds = 0.0

    async def timed(body: dict[str, Any]) -> Answer:
        nonlocal seconds
        start = time.monotonic()
        answer = await send(body)
        seconds = round(time.monotonic() - start, 3)
        return answer

    try:
        able = await probe(model, timed)
    except CallError as error:
        raise ModelError(f"{error.reason}; the endpoint does not answer") from None
    except ModelError as error:
        if endpoint in str(error):
            raise
        raise ModelError(f"{endpoint}: {error}") from None
    return replace(able, seconds=seconds)


def note_key(settings: Mapping[str, Any]) -> str:
    """Returns the key of the cache's note on a model with these settings."""
    text = json.dumps(settings, sort_keys=True, default=str)
    return f"probe:{hashlib.sha256(text.encode()).hexdigest()}"


def noted(cache: AnswerCache | None, key: str) -> Capabilities | None:
    """Returns the result of an earlier probe, or None."""
    note = None if cache is None else cache.note(key)
    with suppress(ValueError, KeyError, TypeError):  # a damaged note
        return Capabilities.from_json(note) if note else None
    return None


async def noted_or_found(
    cache: AnswerCache | None,
    key: str,
    seconds: float,  # to wait for another process that probes the same endpoint
    find: Callable[[], Awaitable[Capabilities]],
) -> Capabilities:
    """Returns the result of an earlier probe, or of one made now."""
    if (known := noted(cache, key)) is not None:
        return known
    if cache is None:
        return await find()
    claim = hashlib.sha256(key.encode()).digest()
    claimed = await cache.wait_for_claim(
        claim, seconds, until=lambda: noted(cache, key) is not None
    )
    try:
        return noted(cache, key) or await find()
    finally:
        if claimed:
            cache.release(claim)


def first_places(model: ChatModel, able: Capabilities) -> int:
    """Returns the initial concurrency limit, based on how long the probe took."""
    if not able.seconds:
        return model.concurrency
    # Even a server that handles one request at a time then answers within the timeout.
    return int(model.timeout / (_LONGER * able.seconds))


def simpler_as_named(model: ChatModel, able: Capabilities, error: Rejected) -> Capabilities | None:
    """Removes the part of a request that a rejection names; returns None if it names none."""
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
    position = _FORMS.index(able.form)
    names_form = "response_format" in named or _FORM_WORDS.search(text) is not None
    if model.structured == "auto" and position + 1 < len(_FORMS) and names_form:
        return replace(able, form=_FORMS[position + 1])
    return None


def _simpler(
    model: ChatModel, able: Capabilities, error: Rejected, forms: tuple[Form, ...]
) -> Capabilities | None:
    """Removes the part that a rejection names, or else the feature that servers most often lack."""
    if (simpler := simpler_as_named(model, able, error)) is not None:
        return simpler
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
    """Moves the system message to the start of the first question."""
    if len(messages) < 2 or messages[0]["role"] != "system" or messages[1]["role"] != "user":
        return messages
    content = f"{messages[0]['content']}\n\n{messages[1]['content']}"
    return [{"role": "user", "content": content}, *messages[2:]]
