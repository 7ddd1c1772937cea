"""Normalizes text before it is processed further, and letters for comparison."""

from __future__ import annotations

import re
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


# UTF-8 cannot encode lone surrogates; NUL and other control characters truncate or garble output.
_UNSAFE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SIGNS = re.compile(r"[\W_]+")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def clean(text: str) -> str:
    r"""Replaces each lone surrogate and control character with U+FFFD.

    Example:
        >>> clean("a\x00b\ud800c")
        'a�b�c'
    """
    return _UNSAFE.sub("\ufffd", text)


def one_line(text: str, width: int = 80) -> str:
    r"""Shortens a text to one line for a message and removes control characters.

    Example:
        >>> one_line("two\nlines")
        'two lines'
    """
    flat = " ".join(_INVISIBLE.sub("", clean(text)).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def plain_words(text: str) -> str:
    """Normalizes a fact for comparison: lower case, no punctuation, single spaces.

    Example:
        >>> plain_words("Ann Lee sang.") == plain_words(" ann  lee SANG")
        True
    """
    return " ".join(_SIGNS.sub(" ", text.casefold()).split())
