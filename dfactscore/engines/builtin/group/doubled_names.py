"""A page's title copied before the sentence that begins with the same name."""

from __future__ import annotations

import re

from dfactscore.engines.builtin.language.word_classes import TITLES

__all__ = ["skip_doubled_name"]

_WORD = r"[^\s.!?;:()]+(?:(?<=\b[A-Z])\.|(?<=\bJr)\.|(?<=\bSr)\.)?"
_TITLE = "(?:(?:" + "|".join(sorted(re.escape(t.rstrip(".").title()) for t in TITLES)) + r")\.?\s+)"
_DOUBLED = re.compile(
    rf"(?P<name>[A-Z]{_WORD}(?:\s{_WORD}){{1,7}})\s+(?={_TITLE}{{0,3}}(?P=name)[\s,(])"
    rf"|(?P<first>[A-Z][^\W\d_]+)(?:\s(?:of|the)\s[A-Z][^\W\d_]+)?\s+(?={_TITLE}{{1,3}}(?P=first)\s)"
)


def skip_doubled_name(text: str, start: int) -> int:
    """Where a sentence begins behind a title that its own subject repeats.

    Models that copy a passage with its title write "Ann Lee Dame Ann Lee (1736–1784) was".

    Args:
        text: A sentence.
        start: Where to look.

    Returns:
        Where the second name begins with its honorifics, or `start`.

    Example:
        >>> text = "Ann Lee Dame Ann Lee was a poet."
        >>> text[skip_doubled_name(text, 0) :]
        'Dame Ann Lee was a poet.'
    """
    found = _DOUBLED.match(text, start)
    return found.end() if found else start
