"""Removes citation markers from generated text and returns the citations with their positions."""

from __future__ import annotations

import re

from dfactscore._records import Citation

# [1], [1, 2], [1-3], [^1], [Document 4], [Source: 1], [Doc 1, Doc 2], and with full-width brackets
# also 【4†source】 and 【4:0†source】. No pattern matches a run of white space in two ways, because
# a million spaces would take quadratic time.
_WORD = (
    r"(?:\^|(?:documents?|docs?|sources?|passages?|references?|refs?)\.?\s*(?:no\.\s*)?"
    r"(?:[#:]\s*)?)?"
)
_LIST = rf"{_WORD}\d{{1,3}}(?:\s*[-–—,;&]\s*(?:and\s+)?{_WORD}\d{{1,3}})*"
_PLACE = r"(?::\d+)?(?:†[^】\n]{0,80})?"
_CITATION = rf"(?:\[\s*{_LIST}\s*\]|【\s*{_LIST}{_PLACE}\s*】)"
_BETWEEN = r"[\s,;]*(?:(?:and|[-–—&])\s*)?"
_MARKS = rf"{_CITATION}(?:{_BETWEEN}{_CITATION})*"
_RUN = re.compile(rf"(?<!\s)(\s*)(\(\s*{_MARKS}\s*\)|{_MARKS})(\s*)", re.IGNORECASE)
# "(1)" is a mark only in texts without square brackets, with one digit, and at the end of a clause:
# "(1) he swam" is a list.
_ROUND = rf"\(\s*{_WORD}[1-9](?:\s*[-–—,;&]\s*(?:and\s+)?[1-9])*\s*\)"
_ROUND_RUN = re.compile(
    rf"((?<=\w)\s*|(?<=[.!?,;:'’\"”)])\s*)((?:{_ROUND})(?:[\s,;]*(?:{_ROUND}))*)()(?=[.,;!?]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERS = re.compile(r"(\d{1,3})(?:[\]】]?\s*[-–—]\s*[\[【]?\s*(\d{1,3}))?")
_NO_NUMBERS = re.compile(r":\d+|†[^】]*")
_CLOSING = ".,;:!?)]}"
_QUOTES = "’”\"'"  # closing quotes only if no space precedes them
_MOST = 100  # maximum number of passages in a range; a longer range is not a citation


def strip_citations(raw: str) -> tuple[str, tuple[Citation, ...]]:
    """Removes citation markers from a text.

    A marker between two words is replaced by one space; a marker before punctuation is simply
    removed. A year in brackets (``[1936]``) is not a citation. In a text without square brackets,
    numbers in parentheses at the end of a clause are markers: ``"He died (3)."``, but not ``"(1) a
    coach"``.

    Example:
        >>> strip_citations("He was born in 1936[1][2] and died [3]. She sang.[1-3] He left")
        ... # doctest: +NORMALIZE_WHITESPACE
        ('He was born in 1936 and died. She sang. He left',
         (Citation(position=19, numbers=(1, 2)), Citation(position=28, numbers=(3,)),
          Citation(position=39, numbers=(1, 2, 3))))
    """
    pieces: list[str] = []
    citations: list[Citation] = []
    length = last = 0
    marks = _RUN if _RUN.search(raw) else _ROUND_RUN
    for match in marks.finditer(raw):
        before = raw[last : match.start()]
        pieces.append(before)
        length += len(before)
        after = raw[match.end() : match.end() + 1]
        gap = _gap(match.group(1), match.group(3), after, at_start=length == 0)
        opens_line = "\n" in match.group(1) and "\n" not in match.group(3)
        place = length + len(gap) if opens_line else length
        citations.append(Citation(place, _numbers(match.group(2))))
        pieces.append(gap)
        length += len(gap)
        last = match.end()
    pieces.append(raw[last:])
    return "".join(pieces), tuple(citations)


def _gap(space_before: str, space_after: str, next_character: str, *, at_start: bool) -> str:
    """Returns the whitespace that replaces a run of markers."""
    lines = "".join(c for c in space_before + space_after if c == "\n")
    if lines:
        return lines
    if (
        at_start
        or not next_character
        or next_character in _CLOSING
        or (next_character in _QUOTES and not space_after)
    ):
        return ""
    return " "


def _numbers(marks: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for first, last in _NUMBERS.findall(_NO_NUMBERS.sub("", marks)):
        low, high = int(first), int(last or first)
        spread = range(low, high + 1) if low <= high < low + _MOST else (low, high)
        numbers.extend(spread)
    return tuple(numbers)
