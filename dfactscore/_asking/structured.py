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

# Keys such as "1", "fact 1", "Fact_1", "#1" and "1.", for the number 1.
_NUMBERED = re.compile(r"\W{0,3}(?:[A-Za-z]{1,20}[\s_.#:-]{0,3})?([1-9]\d{0,3})\W{0,3}")
_ID_KEYS = re.compile(
    "(?:id|number|no|num|index|n|key|item|fact|sentence|statement)"
    "|(?:fact|sentence|statement)_(?:id|number|no|index)"
)
_VALUE_KEYS = re.compile("value|answer|verdict|(?:is_)?supported|label|result|decision|judge?ment")
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "supported", "1"), True),
    **dict.fromkeys(("false", "no", "not supported", "unsupported", "not_supported", "0"), False),
}
_MARKS = " \t\n.!*_`\"'"
# Strings come first, so that nothing inside them is taken for a comment or a word.
_LENIENT = re.compile(
    r"""
    "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\\n])*'
    | //[^\n]* | \#[^\n]* | /\*[^\n]*?\*/
    | \b(?:True|False|None)\b | (?<![\w."'])\d+(?=\s*:)
    """,
    re.VERBOSE | re.DOTALL,
)
_TRAILING = re.compile(r"""("(?:\\.|[^"\\])*")|,\s*([}\]])""", re.DOTALL)
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
_LINE = re.compile(r"^[^\w\n]*(\d+)[^\w\n]*?[.:)=-]+(.*)$", re.MULTILINE)
_NEXT_LINE = re.compile(r"[^\S\n]*+(?:,[^\S\n]*+)?\n\s*+(?=\{)")


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

    A Markdown fence and text around the object are allowed, and so are comments, trailing commas
    and the quotation marks and words of a Python dict. A second object, a repeated key or a
    truncated answer is not, as the intended value would be unknown.
    """
    values = _parse_values(answer, "{", repeated)
    if len(values) > 1:
        raise AnswerError("it contains more than one JSON object")
    value = values[0]
    if not isinstance(value, dict):
        raise AnswerError("it is not a JSON object")
    return value


def parse_numbered(answer: Answer, numbers: Sequence[int], what: str) -> dict[str, Any]:
    """Reads a value for each number, in the forms in which models write them.

    The form asked for is one object with the numbers as keys. Others are read if they leave no
    doubt: keys such as "fact 1", an object around the values, a field with the model's reasoning
    beside them, a list of objects with a number and a value, one such object per line, and a list
    of as many values. With one number, a list is its value.
    """
    check_end(answer)
    check_finished(answer)
    text = spoken(answer)
    if "{" not in text and (lines := _LINE.findall(text)):
        return _only_keys([(number, _bare(line)) for number, line in lines], numbers, what)
    values = _parse_values(answer, "{[", "refuse")
    return numbered_values(values[0] if len(values) == 1 else values, numbers, what)


def numbered_values(value: Any, numbers: Sequence[int], what: str) -> dict[str, Any]:
    """Returns the value of each number in a parsed answer (see `parse_numbered`)."""
    return _only_keys(_numbered_pairs(value, numbers), numbers, what)


def _only_keys(
    pairs: Sequence[tuple[str, Any]], numbers: Sequence[int], what: str
) -> dict[str, Any]:
    """Returns the pairs as a dictionary with exactly these numbers as keys, in their order."""
    keys = list(map(str, numbers))
    found: dict[str, Any] = {}
    for key, item in pairs:
        if key in found:
            raise AnswerError(f"{what} {key} is repeated")
        found[key] = item
    expect_keys(found, keys, what)
    return {key: found[key] for key in keys}


def _bare(line: str) -> str:
    """Strips the markup around the content of a line."""
    end = len(line)
    while end and not line[end - 1].isalnum():
        end -= 1
    return line[:end].lstrip("* \t")


def _numbered_pairs(
    value: Any, numbers: Sequence[int], *, inside: bool = False
) -> list[tuple[str, Any]]:
    """Returns numbers with their values; an object around all values is opened once."""
    if isinstance(value, list):
        if all(isinstance(item, dict) for item in value):
            pairs = [pair for item in value for pair in _item_pairs(item)]
            if pairs:
                return pairs
        if len(numbers) == 1 and not any(isinstance(item, (dict, list)) for item in value):
            return [(str(numbers[0]), value)]
        if len(value) == len(numbers):
            return list(zip(map(str, numbers), value, strict=True))
        raise AnswerError("it is a list without the numbers asked for")
    if not isinstance(value, dict):
        raise AnswerError("it is not a JSON object")
    read = [(item_number(key), item) for key, item in value.items()]
    found = [(number, item) for number, item in read if number is not None]
    if found or inside:
        # A key without a number is the model's comment, unless it holds values of its own.
        loose = [
            key
            for key in value
            if item_number(key) is None and isinstance(value[key], (dict, list))
        ]
        if loose:
            raise AnswerError(f"the key {json.dumps(loose[0][:40])} was not asked for")
        return found
    boxes = [item for item in value.values() if isinstance(item, (dict, list))]
    if len(boxes) == 1:
        return _numbered_pairs(boxes[0], numbers, inside=True)
    return []


def _item_pairs(item: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Returns the number and value of one object in a list: ``{"id": 1, "answer": true}``."""
    named = [key for key in item if _ID_KEYS.fullmatch(key.lower())]
    numbers = [number for key in named if (number := item_number(item[key])) is not None]
    if len(numbers) > 1:
        raise AnswerError("an item of the list has two numbers")
    if numbers:
        return [(numbers[0], {key: value for key, value in item.items() if key not in named})]
    return [
        (number, value) for key, value in item.items() if (number := item_number(key)) is not None
    ]


def item_number(key: Any) -> str | None:
    """Returns the number in a key such as "fact 1", "#1" or 1."""
    if isinstance(key, bool) or not isinstance(key, (int, str)):
        return None
    match = _NUMBERED.fullmatch(str(key))
    return match[1] if match else None


def truth(value: Any) -> bool | None:
    """Returns a value that says true or false in any common way, or None.

    Example:
        >>> truth("Yes."), truth(0), truth({"supported": "no", "why": "It gives 1950."})
        (True, False, False)
        >>> truth("maybe"), truth({"a": True, "b": False})
        (None, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return value == 1
    if isinstance(value, str):
        return _TRUTHS.get(value.strip(_MARKS).casefold())
    if isinstance(value, list) and len(value) == 1:
        return truth(value[0])
    if isinstance(value, dict):
        found = {key: read for key, item in value.items() if (read := truth(item)) is not None}
        named = [read for key, read in found.items() if _VALUE_KEYS.fullmatch(key.lower())]
        if len(named or found) == 1:
            return (named or list(found.values()))[0]
    return None


def _parse_values(
    answer: Answer, opening: Literal["{", "{["], repeated: Literal["refuse", "first"]
) -> list[Any]:
    """Returns the JSON values in an answer: one, or one object per line."""
    check_finished(answer)
    if (value := _only_value(answer.text, opening, repeated)) is not None:
        return [value]
    text = spoken(answer)
    if fenced := _FENCE.match(text):
        text = fenced.group(1)
    brace, bracket = text.find("{"), text.find("[") if "[" in opening else -1
    # A bracket after the first brace belongs to that object, even if the object is broken.
    starts = [bracket] if bracket >= 0 and (brace < 0 or bracket < brace) else []
    starts += [brace] if brace >= 0 else []
    if not starts:
        if looks_refused(text):
            raise AnswerError("it is a refusal, not the JSON object asked for", "refused")
        raise AnswerError("it contains no JSON object")
    fault = AnswerError("it contains no JSON object")
    for start in starts:
        for lenient in (False, True):
            try:
                return _decode(_as_json(text[start:]) if lenient else text[start:], repeated)
            except json.JSONDecodeError as error:
                if not lenient:
                    fault = AnswerError(f"its JSON is broken ({error.msg})")
            except RecursionError:
                raise AnswerError("its JSON is nested too deeply") from None
            except ValueError:  # Python does not read integers of more than 4,300 digits.
                raise AnswerError("its JSON contains an infinite number") from None
    raise fault


def _decode(text: str, repeated: Literal["refuse", "first"]) -> list[Any]:
    """Reads the value at the start of a text, and the objects on the lines after it."""
    values, position = [], 0
    while True:
        value, end = _DECODERS[repeated].raw_decode(text, position)
        values.append(value)
        following = _NEXT_LINE.match(text, end)
        if following is None:
            break
        position = following.end()
    if "{" in text[end:]:
        raise AnswerError("it contains more than one JSON object")
    return values


def _as_json(text: str) -> str:
    """Rewrites what Python and JavaScript allow in literals and JSON does not."""
    return _TRAILING.sub(r"\1\2", _LENIENT.sub(_plain_json, text))


def _plain_json(match: re.Match[str]) -> str:
    found = match[0]
    if found in _PYTHON_WORDS:
        return _PYTHON_WORDS[found]
    if found.isdigit():
        return f'"{found}"'
    if found.startswith("'"):
        return json.dumps(re.sub(r"\\(.)", r"\1", found[1:-1]), ensure_ascii=False)
    return found if found.startswith('"') else ""  # the rest are comments


def _only_value(
    text: str, opening: str, repeated: Literal["refuse", "first"]
) -> dict[str, Any] | list[Any] | None:
    """Reads an answer that consists of nothing but one value; returns None for any other answer."""
    text = text.strip()
    if text[:1] and text[0] in opening:
        with suppress(ValueError, RecursionError):
            value, end = _DECODERS[repeated].raw_decode(text)
            if end == len(text) and isinstance(value, (dict, list)):
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
