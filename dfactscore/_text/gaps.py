"""Marks the places where something was removed from a text, and closes these gaps."""

from __future__ import annotations

import re

GAP = "\x00"  # occurs in no text, because `clean` replaces it
_EMPTY = re.compile(r"(?<![^\S\n])[^\S\n]*+[(\[（][\s,;:.·|\x00-]*\x00[\s,;:.·|\x00-]*[)\]）]")
_LEFT_LINE = re.compile(
    r"(?:^|\n)[^\S\n]*+[-*•>|#\d.)\]:\s\x00]{0,12}?\x00[-*•>|,;.\s\x00]*?(?=\n|\Z)"
)
_LABEL_LINE = re.compile(
    r"(?:^|\n)[^\S\n]*+(?:[-*•][^\S\n]++)?[*_]{0,2}[A-Z][\w' ]{1,30}:[*_]{0,2}"
    r"[^\S\n]*+\x00[\s.\x00]*?(?=\n|\Z)"
)
_GAP = re.compile(r"(?<![^\S\n])[^\S\n]*+(?:\x00[^\S\n]*+)+")
_CLOSING = ".,;:!?)]}’”"


def close_gaps(text: str) -> str:
    r"""Removes gaps, along with the brackets and spaces left around them.

    A line that contains nothing else is also removed.

    Example:
        >>> close_gaps("He swam (\x00). He won \x00.\n- \x00\nHe died.")
        'He swam. He won.\nHe died.'
    """
    if GAP not in text:
        return text
    previous = None
    while previous != text:
        previous = text
        text = _EMPTY.sub(GAP, text)
    for line in (_LABEL_LINE, _LEFT_LINE):
        text = line.sub(lambda m: "\n" if m[0].count("\n") > 1 else "", text)
    return _GAP.sub(_closed, text).replace(GAP, "")


def _closed(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    before, after = text[start - 1 : start], text[end : end + 1]
    if not before or before == "\n" or not after or after == "\n" or after in _CLOSING:
        return ""
    blank = len(match[0]) > match[0].count(GAP)
    return " " if blank or (before in ".!?" and after.isupper()) else ""
