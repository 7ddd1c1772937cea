"""Formats untrusted values and texts for messages and terminals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_DEEPEST = 4
_MOST = 20
_LONGEST = 1000
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


def message_line(message: object) -> str:
    r"""Formats a message as one line, whatever text it contains from files and libraries.

    Line breaks and cursor controls become spaces. The middle of a very long message is removed,
    since the start says where the problem is and the end says what to do.

    Example:
        >>> message_line("a.parquet: not readable (no more data\nto read)")
        'a.parquet: not readable (no more data to read)'
    """
    text = _CONTROLS.sub(" ", str(message)).strip()
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 300]} … {text[-300:]}"


def without_controls(text: str) -> str:
    r"""Escapes control characters in a text, except line breaks.

    Example:
        >>> without_controls("a\x1b[2Jb")
        'a\\x1b[2Jb'
    """
    return _CONTROLS.sub(lambda match: _escaped(match[0]), text)


def _escaped(controls: str) -> str:
    return "".join(c if c == "\n" else repr(c)[1:-1] for c in controls)


def short_repr(value: Any, width: int = 60) -> str:
    r"""Returns the `repr` of a value on one line, truncated to a width.

    Example:
        >>> short_repr({"name": "Ann\nLee"})
        "{'name': 'Ann\\nLee'}"
        >>> short_repr("x" * 1000, 10)
        "'xxxxxxxx…"
    """
    text = _bounded(value, width, 0)
    return text if len(text) <= width else text[: width - 1] + "…"


def _bounded(value: Any, width: int, depth: int) -> str:
    if isinstance(value, (str, bytes)):
        return repr(value[: width + 1])
    if isinstance(value, int) and abs(value) > 10**width:
        return "a very long number"  # which Python refuses to format
    if isinstance(value, (Mapping, list, tuple)) and depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        items = [
            f"{_bounded(k, width, depth + 1)}: {_bounded(v, width, depth + 1)}"
            for k, v in list(value.items())[:_MOST]
        ]
        return "{" + ", ".join(items) + (", …}" if len(value) > _MOST else "}")
    if isinstance(value, (list, tuple)):
        items = [_bounded(item, width, depth + 1) for item in value[:_MOST]]
        inner = ", ".join(items) + (", …" if len(value) > _MOST else "")
        if isinstance(value, tuple):
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]"
    return " ".join(repr(value).split())
