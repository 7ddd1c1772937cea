"""Removes accents and strokes from letters so that words can be compared."""

from __future__ import annotations

import unicodedata

STROKES = str.maketrans(
    {
        "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i",
        "æ": "ae", "œ": "oe", "ß": "ss",
        "Ø": "O", "Đ": "D", "Ð": "D", "Ł": "L", "Þ": "Th", "Ħ": "H", "Ŧ": "T",
        "Æ": "Ae", "Œ": "Oe",
    }
)  # fmt: skip
"""Letters that Unicode does not decompose into a letter and a mark, with their plain forms."""


def fold_accents(text: str) -> str:
    """Removes accents and strokes from a text, but not the vowel signs of other scripts.

    Example:
        >>> fold_accents("Þórður Ægisson, Łódź, Ǿrsted")
        'Thordur Aegisson, Lodz, Orsted'
    """
    if text.isascii():
        return text
    # Decomposed first, because the table does not contain letters with both a stroke and an accent.
    decomposed = unicodedata.normalize("NFKD", text).translate(STROKES)
    for mark in filter(unicodedata.combining, set(decomposed)):
        decomposed = decomposed.replace(mark, "")
    return decomposed
