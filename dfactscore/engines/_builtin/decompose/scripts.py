"""The script of a text."""

from __future__ import annotations

import re
import unicodedata

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def latin_share(text: str) -> float:
    """The share of Latin letters among the letters of a text; 1 if there are none."""
    text = text[:20_000]
    if text.isascii():
        return 1.0
    letters = sum(map(str.isalpha, text))
    others = [c for c in _BEYOND_ASCII.findall(text) if c.isalpha()]
    foreign = sum(not unicodedata.name(c, "").startswith("LATIN") for c in others)
    return (letters - foreign) / letters if letters else 1.0
