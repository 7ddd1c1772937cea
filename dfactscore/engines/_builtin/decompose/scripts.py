"""Detection of a text's script."""

from __future__ import annotations

import re
import unicodedata

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def latin_share(text: str) -> float:
    """Returns the share of a text's letters that are Latin; 1 if it has no letters."""
    text = text[:20_000]
    if text.isascii():
        return 1.0
    letters = sum(map(str.isalpha, text))
    others = [c for c in _BEYOND_ASCII.findall(text) if c.isalpha()]
    foreign = sum(not unicodedata.name(c, "").startswith("LATIN") for c in others)
    return (letters - foreign) / letters if letters else 1.0
