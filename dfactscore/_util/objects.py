"""Reads objects of any kind as mappings, within limits of depth and size."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._util.message_text import short_repr

_SERIALIZED = {"init_parameters": "type", "kwargs": "lc"}  # by Haystack, by LangChain
_DEEPEST = 64
_MOST = 20_000_000


class ShapeError(ValueError):
    """Raised if a value does not have the shape of passages."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


def typed(value: object) -> str:
    """Formats a value and its type for a message; of a mapping, its keys.

    Example:
        >>> typed(3), typed({"a": 1, "b": 2})
        ('int 3', 'dict with the keys a, b')
    """
    if isinstance(value, Mapping):
        return f"{type(value).__name__} with the keys {keys_of(value)}"
    return f"{type(value).__name__} {short_repr(value)}"


def keys_of(value: Mapping[Any, Any]) -> str:
    """Lists the first keys of a mapping for a message.

    Example:
        >>> keys_of({"a": 1, "b": 2})
        'a, b'
    """
    more = len(value) - 12
    return (", ".join(map(str, list(value)[:12])) or "none") + (f" and {more} more" * (more > 0))


def as_fields(value: Any) -> Any:
    """Converts a pydantic object, dataclass or named tuple to a mapping; keeps other values as is.

    Example:
        >>> @dataclasses.dataclass
        ... class Answer:
        ...     response: str
        >>> as_fields(Answer("Ann Lee sang.")), as_fields({"text": "x"}), as_fields(3)
        ({'response': 'Ann Lee sang.'}, {'text': 'x'}, 3)
    """
    for _ in range(_DEEPEST):
        if not isinstance(value, Mapping):
            break
        kind = next((k for k, mark in _SERIALIZED.items() if k in value and mark in value), None)
        if kind is None:
            return value
        value = value[kind]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(declared := getattr(type(value), "model_fields", None), Mapping):
        return {name: getattr(value, name) for name in declared}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()
    return value


def check_depth(value: Any, where: str = "") -> None:
    """Raises a `ShapeError` for an object nested too deeply, as one within itself, or too large."""
    pending: list[tuple[Iterator[Any], str]] = [(iter((value,)), where)]
    count = 0
    while pending:
        rows, place = pending[-1]
        item = next(rows, pending)
        if item is pending:
            pending.pop()
            continue
        if item is None or isinstance(item, (str, int, float, bytes)):
            continue
        count += 1
        fields = as_fields(item)
        if isinstance(fields, Mapping):
            inner = iter(fields.values())
        elif isinstance(fields, (list, tuple)):
            inner = iter(fields)
        else:
            continue
        if len(pending) > _DEEPEST:
            raise ShapeError(
                place, f"is nested more than {_DEEPEST} levels deep, perhaps within itself"
            )
        if count > _MOST:
            raise ShapeError(place, f"holds more than {_MOST:,} lists and objects")
        pending.append((inner, place))


def text_of(value: Any) -> Any:
    """Returns the text of a message, even if split into blocks; leaves other values unchanged.

    Example:
        >>> text_of({"type": "ai", "content": [{"type": "text", "text": "Ann Lee sang."}]})
        'Ann Lee sang.'
    """
    fields = as_fields(value)
    if not isinstance(fields, Mapping):
        return value
    content = fields.get("content", fields.get("text"))
    if isinstance(content, Mapping):
        content = content.get("text", content.get("value"))  # of Bedrock, of OpenAI's threads
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = [part if isinstance(part, str) else text_of(part) for part in content]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else value
