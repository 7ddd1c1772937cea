"""Text as it must be before anything else happens to it."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["clean", "is_mostly_latin", "one_line"]

# Lone surrogates cannot be written as UTF-8; NUL and the other controls cut or forge output.
_UNSAFE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def clean(text: str) -> str:
    r"""Replaces lone surrogates and control characters by U+FFFD, one for one.

    Example:
        >>> clean("a\x00b\ud800c")
        'a�b�c'
    """
    return _UNSAFE.sub("\ufffd", text)


def one_line(text: str, width: int = 80) -> str:
    r"""A text as it can stand within a message: one line, no controls, cut at a width.

    Example:
        >>> one_line("two\nlines")
        'two lines'
    """
    flat = " ".join(_INVISIBLE.sub("", clean(text)).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def is_mostly_latin(text: str) -> bool:
    """Whether most letters are Latin, so that rules made for English can be tried at all.

    Example:
        >>> is_mostly_latin("Émile Zola"), is_mostly_latin("Лев Толстой")
        (True, False)
    """
    letters = [c for c in text[:4000] if c.isalpha()]
    latin = sum(unicodedata.name(c, "").startswith("LATIN") for c in letters)
    return 2 * latin >= len(letters)
