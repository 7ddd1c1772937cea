"""Splits texts into words for BM25, lowercasing them and removing accents."""

from __future__ import annotations

import re
from itertools import pairwise

from dfactscore._text.clean_text import fold_accents

#: Words that say nothing about a person; ignored in queries but not in passages.
STOP_WORDS: frozenset[str] = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be been by for from had has have he her his in is it its me of "
        "on or she tell that the their them they this to was were which who with you "
        "bio biography",
    )
)

# ASCII letters and digits, in lower case; other characters separate words.
_ASCII = bytes(ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else 32 for c in range(256))
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_RUNS = re.compile(f"{_HAN.pattern}+|(?:(?!{_HAN.pattern}).)+")
_TYPOGRAPHY = (("’", "'"), ("‘", "'"), ("–", " "), ("—", " "), ("“", " "), ("”", " "))


def _ascii(text: str) -> list[str]:
    return text.encode().translate(_ASCII, b"'").decode().split()


def tokenize(text: str) -> list[str]:
    """Splits a text into words for matching.

    Example:
        >>> tokenize("Élodie O’Brien won 1,250 votes (3.5 %) in 1998–99.")
        ['elodie', 'obrien', 'won', '1250', 'votes', '3', '5', 'in', '1998', '99']
    """
    # Returns the words in lower case, without accents, apostrophes or thousands separators
    # (`O'Brien` becomes `obrien`, `1,250` becomes `1250`). Chinese and Japanese text is split into
    # pairs of adjacent characters.
    if "," in text:
        text = text.replace(", ", " ")
        if "," in text:
            text = _THOUSANDS.sub("", text)
    if text.isascii():
        return _ascii(text)
    for mark, plain in _TYPOGRAPHY:
        if mark in text:
            text = text.replace(mark, plain)
    if text.isascii():
        return _ascii(text)
    text = fold_accents(text.casefold())
    if text.isascii():
        return _ascii(text)
    words = _WORD.findall(text.replace("'", ""))
    return words if _HAN.search(text) is None else [p for word in words for p in _pairs(word)]


def _pairs(word: str) -> list[str]:
    """Splits Chinese and Japanese text, which has no spaces, into pairs of adjacent characters."""
    words: list[str] = []
    for run in _RUNS.findall(word):
        if _HAN.match(run) is None or len(run) < 3:
            words.append(run)
        else:
            words.extend(a + b for a, b in pairwise(run))
    return words
