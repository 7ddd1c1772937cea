"""Normalizes text before any other processing."""

from __future__ import annotations

import re

# Lone surrogates cannot be written as UTF-8; NUL and the other controls cut or forge output.
_UNSAFE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SIGNS = re.compile(r"[\W_]+")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def clean(text: str) -> str:
    r"""Replaces lone surrogates and control characters by U+FFFD, one for one.

    Example:
        >>> clean("a\x00b\ud800c")
        'a�b�c'
    """
    return _UNSAFE.sub("\ufffd", text)


def one_line(text: str, width: int = 80) -> str:
    r"""A text for use within a message: one line, no controls, cut at a width.

    Example:
        >>> one_line("two\nlines")
        'two lines'
    """
    flat = " ".join(_INVISIBLE.sub("", clean(text)).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def plain_words(text: str) -> str:
    """A fact as it is compared: without case, punctuation and blanks.

    Example:
        >>> plain_words("Ann Lee sang.") == plain_words(" ann  lee SANG")
        True
    """
    return " ".join(_SIGNS.sub(" ", text.casefold()).split())
