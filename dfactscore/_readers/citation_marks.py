"""Citations in generated text: found, kept with their place, and removed without gluing words."""

from __future__ import annotations

import re

from dfactscore._records import Citation

# [1], [1, 2], [1-3], [^1], [Document 4], [Source: 1], [Doc 1, Doc 2], and with full-width brackets
# also 【4†source】 and 【4:0†source】. No pattern matches a stretch of white space in two ways, so
# that a million spaces take no longer than as many words.
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
# "(1)" counts where a text has no brackets, one digit, at the end of a clause: "(1) he swam" is
# a list.
_ROUND = rf"\(\s*{_WORD}[1-9](?:\s*[-–—,;&]\s*(?:and\s+)?[1-9])*\s*\)"
_ROUND_RUN = re.compile(
    rf"((?<=\w)\s*|(?<=[.!?,;:'’\"”)])\s*)((?:{_ROUND})(?:[\s,;]*(?:{_ROUND}))*)()(?=[.,;!?]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERS = re.compile(r"(\d{1,3})(?:[\]】]?\s*[-–—]\s*[\[【]?\s*(\d{1,3}))?")
_NO_NUMBERS = re.compile(r":\d+|†[^】]*")
_CLOSING = ".,;:!?)]}"
_QUOTES = "’”\"'"  # closing only where no space came before them
_MOST = 100  # a range longer than this is not a citation of passages


def strip_citations(raw: str) -> tuple[str, tuple[Citation, ...]]:
    """Removes citation marks from a text.

    A mark between two words leaves one space; before punctuation, none. A year in
    brackets (``[1936]``) is not a citation. In a text without square brackets, numbers in round
    ones count where a clause ends: ``"He died (3)."``, not ``"(1) a coach"``.

    Args:
        raw: The text as generated.

    Returns:
        The text without marks, and for each run of marks its place in that text and its numbers.

    Example:
        >>> strip_citations("He was born in 1936[1][2] and died [3]. She sang.[1-3] He left")
        ... # doctest: +NORMALIZE_WHITESPACE
        ('He was born in 1936 and died. She sang. He left',
         (Citation(position=19, numbers=(1, 2)), Citation(position=28, numbers=(3,)),
          Citation(position=39, numbers=(1, 2, 3))))
    """
    pieces: list[str] = []
    found: list[Citation] = []
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
        found.append(Citation(place, _numbers(match.group(2))))
        pieces.append(gap)
        length += len(gap)
        last = match.end()
    pieces.append(raw[last:])
    return "".join(pieces), tuple(found)


def _gap(before: str, behind: str, after: str, *, at_start: bool) -> str:
    """The white space that replaces a run of marks."""
    lines = "".join(c for c in before + behind if c == "\n")
    if lines:
        return lines
    if at_start or not after or after in _CLOSING or (after in _QUOTES and not behind):
        return ""
    return " "


def _numbers(marks: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for first, last in _NUMBERS.findall(_NO_NUMBERS.sub("", marks)):
        low, high = int(first), int(last or first)
        spread = range(low, high + 1) if low <= high < low + _MOST else (low, high)
        numbers.extend(spread)
    return tuple(numbers)
