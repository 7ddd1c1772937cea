"""Finds out once what an endpoint can do, instead of believing a list of model names."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from dfactscore.llm.errors import AnswerError, ModelError
from dfactscore.llm.messages import Answer
from dfactscore.llm.settings import ChatModel
from dfactscore.llm.structured import (
    Form,
    boolean_schema,
    expect_keys,
    parse_object,
    response_format,
)
from dfactscore.llm.transport import Rejected

__all__ = ["Capabilities", "probe"]

Send = Callable[[dict[str, Any]], Awaitable[Answer]]
_FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
_QUESTION = (
    "This checks the form of your answers. Answer with one JSON object and nothing else: "
    'the key "1" with the value true, the key "2" with the value false.'
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What requests to an endpoint look like.

    Attributes:
        form: How answers are kept in form.
        logprobs: Whether it gives log-probabilities of the tokens it writes.
        limit_field: The field that caps an answer, ``max_tokens`` or ``max_completion_tokens``.
        without: Fields that it does not take.
    """

    form: Form = "text"
    logprobs: bool = False
    limit_field: str = "max_tokens"
    without: tuple[str, ...] = ()

    def to_json(self) -> str:
        """A line that `from_json` reads back."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Capabilities:
        """Reads what `to_json` wrote."""
        data = json.loads(line)
        return cls(**{**data, "without": tuple(data["without"])})


def build_body(
    model: ChatModel,
    able: Capabilities,
    messages: list[dict[str, str]],
    *,
    max_tokens: int,
    schema: Mapping[str, Any] | None,
    name: str,
    logprobs: bool,
    sample: int = 0,
) -> dict[str, Any]:
    """The JSON body of a chat completion request."""
    body: dict[str, Any] = {"model": model.model, "messages": messages}
    if model.temperature is not None:
        body["temperature"] = model.temperature
    if model.seed is not None:
        body["seed"] = model.seed + sample
    body[able.limit_field] = min(max_tokens, model.max_answer_tokens or max_tokens)
    if schema is not None and (form := response_format(able.form, schema, name)):
        body["response_format"] = form
    if logprobs and able.logprobs:
        body["logprobs"] = True
        body["top_logprobs"] = 5
    for field in able.without:
        body.pop(field, None)
    body.update(model.parameters)
    return body


async def probe(model: ChatModel, send: Send) -> Capabilities:
    """Asks a tiny question in ever simpler ways until the endpoint answers it as asked.

    Args:
        model: How it is asked; what the user set is not probed.
        send: Sends a body, with the client's retries.

    Raises:
        ModelError: If no way of asking is accepted.
    """
    forms = _FORMS if model.structured == "auto" else (model.structured,)
    able = Capabilities(forms[0], model.logprobs is not False)
    slips = 0
    for _ in range(12):
        body = build_body(
            model,
            able,
            # A second try is another question, so that no cache in between repeats the slip.
            [{"role": "user", "content": _QUESTION + " Keep to it exactly." * slips}],
            max_tokens=400,
            schema=boolean_schema(["1", "2"]),
            name="probe",
            logprobs=True,
        )
        try:
            answer = await send(body)
        except Rejected as error:
            simpler = _simpler(able, error, forms)
            if simpler is None:
                raise ModelError(f"every request is rejected: {error.reason}") from None
            able, slips = simpler, 0
            continue
        try:
            expect_keys(parse_object(answer), ["1", "2"], "key")
        except AnswerError:
            position = forms.index(able.form)
            if slips == 0:
                slips = 1  # One slip is not a missing ability; two are.
            elif position + 1 < len(forms):
                able, slips = replace(able, form=forms[position + 1]), 0
            else:
                break
            continue
        break
    else:
        raise ModelError("the endpoint rejects or garbles every form of request")
    return replace(able, logprobs=able.logprobs and bool(answer.logprobs))


def _simpler(able: Capabilities, error: Rejected, forms: tuple[Form, ...]) -> Capabilities | None:
    """The next way of asking after a rejection: what it names, else what is most often missing."""
    text = f"{error.param} {error.reason}".lower()
    if "max_completion_tokens" in text and able.limit_field == "max_tokens":
        return replace(able, limit_field="max_completion_tokens")
    if able.logprobs and "logprobs" in text:
        return replace(able, logprobs=False)
    for field in ("temperature", "seed"):
        if field in text and field not in able.without:
            return replace(able, without=(*able.without, field))
    position = forms.index(able.form)
    if position + 1 < len(forms):
        return replace(able, form=forms[position + 1])
    if able.logprobs:
        return replace(able, logprobs=False)
    return None
