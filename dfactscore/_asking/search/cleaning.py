"""Cleans text in search results: removes markup and control characters, and limits the length."""

from __future__ import annotations

import html
import re
from typing import Any

from dfactscore._text.clean_text import clean

_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,500}>")
_LONGEST = 20_000


def snippet(value: Any) -> str:
    r"""Returns a result's field as one line of text; joins lists and ignores other values.

    Example:
        >>> snippet('Dick <span class="searchmatch">Hanley</span> &amp; others\n1936')
        'Dick Hanley & others 1936'
        >>> snippet(["born", None, 1936]), snippet(None)
        ('born 1936', '')
    """
    if isinstance(value, (list, tuple)):
        value = " ".join(part for part in map(snippet, value) if part)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: 4 * _LONGEST]))
    text = "".join(c if c.isprintable() or c.isspace() else " " for c in clean(text))
    return " ".join(text.split())[:_LONGEST]
