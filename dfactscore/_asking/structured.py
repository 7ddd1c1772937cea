"""Reads answers that are one JSON object, and builds the schemas that servers enforce."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

from dfactscore._asking.messages import Answer, AnswerError
from dfactscore._text.thoughts import split_thoughts

Form = Literal["json_schema", "json_object", "text"]

# Repetitions: the minimum count, the maximum period and the minimum total length in characters.
_TIMES, _PERIOD, _LEAST = 4, 400, 40
_FENCE = re.compile(r"^\s*```[a-zA-Z]*\n(.*?)\n?```\s*$", re.DOTALL)
_REFUSAL = re.compile(
    r"^\W*(?:i['’]?m (?:very )?sorry|sorry\b|i apologi[sz]e|i (?:can['’]?t|cannot|can not|am unable"
    r"|['’]?m unable|won['’]?t|am not able|must decline)|as an ai\b|unfortunately, i)",
    re.IGNORECASE,
)


def response_format(form: Form, schema: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """Returns the ``response_format`` of a chat request, or None for plain text."""
    if form == "json_schema":
        wrapped = {"name": name, "strict": True, "schema": schema}
        return {"type": "json_schema", "json_schema": wrapped}
    return {"type": "json_object"} if form == "json_object" else None


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def boolean_schema(keys: Sequence[str]) -> dict[str, Any]:
    """Returns the schema of an object with exactly these keys, all with boolean values."""
    return object_schema({key: {"type": "boolean"} for key in keys})


def check_finished(answer: Answer) -> None:
    """Checks that an answer is complete."""
    if answer.ending == "refused":
        raise AnswerError(
            "it is a refusal, but nothing is asked beyond reading the text", "refused"
        )
    if answer.ending == "cut":
        raise AnswerError("it was cut off before its end; be brief")
    if answer.ending == "faulty":  # earlier releases stored faulty answers
        raise AnswerError("it broke off")
    if not answer.text.strip():
        raise AnswerError(nothing_said(answer))


def nothing_said(answer: Answer) -> str:
    """Returns the reason an answer has no text."""
    if not answer.aside:
        return "it is empty"
    return (
        f"it is empty: all that was written came in the field {answer.aside!r}, where a server's "
        "reasoning parser puts thoughts"
    )


def check_end(answer: Answer) -> None:
    """Checks that an answer does not repeat itself endlessly; if it does, so would a second one."""
    if answer.ending == "cut" and repeats_itself(answer.text):
        raise AnswerError("it repeats itself without end", final=True)


def repeats_itself(text: str) -> bool:
    """Whether a text ends with the same characters repeated over and over.

    Example:
        >>> repeats_itself('{"1": ["She sang.", ' + '"She ran.", ' * 9 + '"She r')
        True
        >>> repeats_itself('{"1": ["She sang.", "She ran."]}')
        False
    """
    return any(
        text.endswith(text[-size:] * max(_TIMES, _LEAST // size))
        for size in range(1, min(_PERIOD, len(text)) + 1)
    )


def spoken(answer: Answer) -> str:
    """Returns an answer without the model's reasoning."""
    text, _, finished = split_thoughts(answer.text)
    if not finished:
        raise AnswerError("it ends within a thought", final=True)
    return text


def check_has_text(answer: Answer) -> None:
    """Checks that an answer contains more than the model's reasoning."""
    if answer.aside:
        raise AnswerError(nothing_said(answer), final=True)
    text, thoughts, finished = split_thoughts(answer.text)
    if thoughts and not (finished and text.strip()):
        advice = "; raise --max-tokens" if answer.ending == "cut" else ""
        raise AnswerError(f"the model thought and wrote nothing else{advice}", final=True)


def looks_refused(text: str) -> bool:
    """Whether a text begins like a refusal."""
    return _REFUSAL.match(text) is not None


def parse_object(
    answer: Answer, *, repeated: Literal["refuse", "first"] = "refuse"
) -> dict[str, Any]:
    """Reads the only JSON object in an answer.

    A Markdown fence and text around the object are allowed. A second object, a repeated key or a
    truncated answer is not, as the intended value would be unknown.
    """
    check_finished(answer)
    if (value := _only_object(answer.text, repeated)) is not None:
        return value
    text = spoken(answer)
    if fenced := _FENCE.match(text):
        text = fenced.group(1)
    start = text.find("{")
    if start < 0:
        if looks_refused(text):
            raise AnswerError("it is a refusal, not the JSON object asked for", "refused")
        raise AnswerError("it contains no JSON object")
    try:
        value, end = _DECODERS[repeated].raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise AnswerError(f"its JSON is broken ({error.msg})") from None
    except RecursionError:
        raise AnswerError("its JSON is nested too deeply") from None
    except ValueError:  # Python does not read integers of more than 4,300 digits.
        raise AnswerError("its JSON contains an infinite number") from None
    if "{" in text[end:]:
        raise AnswerError("it contains more than one JSON object")
    if not isinstance(value, dict):
        raise AnswerError("it is not a JSON object")
    return value


def _only_object(text: str, repeated: Literal["refuse", "first"]) -> dict[str, Any] | None:
    """Reads an answer that consists of nothing but an object; returns None for any other answer."""
    text = text.strip()
    if text.startswith("{"):
        with suppress(ValueError, RecursionError):
            value, end = _DECODERS[repeated].raw_decode(text)
            if end == len(text) and isinstance(value, dict):
                return value
    return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise AnswerError(f"the key {json.dumps(key[:40])} is repeated")
        result[key] = value
    return result


_DECODERS = {
    "refuse": json.JSONDecoder(object_pairs_hook=_pairs),
    "first": json.JSONDecoder(object_pairs_hook=lambda pairs: dict(reversed(pairs))),
}


def expect_keys(value: Mapping[str, Any], keys: Sequence[str], what: str) -> None:
    """Checks that an object has exactly these keys."""
    missing = [key for key in keys if key not in value]
    if missing:
        raise AnswerError(f"{what} {', '.join(missing[:10])} missing: {len(missing)} in all")
    expected = set(keys)
    unknown = [key for key in value if key not in expected]
    if unknown:
        names = ", ".join(json.dumps(key[:20]) for key in unknown[:5])
        raise AnswerError(f"{what} {names} does not exist")
