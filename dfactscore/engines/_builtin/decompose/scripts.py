"""Detection of a text's script."""

from __future__ import annotations

import unicodedata


def latin_share(text: str) -> float:
    """Returns the share of a text's letters that are Latin; 1 if it has no letters."""
    if text.isascii():
        return 1.0
    letters = [c for c in text[:20_000] if c.isalpha()]
    latin = sum(c.isascii() or unicodedata.name(c, "").startswith("LATIN") for c in letters)
    return latin / len(letters) if letters else 1.0
