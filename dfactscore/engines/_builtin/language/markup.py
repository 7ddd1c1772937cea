"""Markdown as structure: headings, bold labels, list items and table rows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["prose", "heading", "item", "row"]


_LINES = re.compile(r"[^\r\n\v\f\x85\u2028\u2029]+")
_SEPARATOR = re.compile(r"\s*(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*(?:\|\s*)?")
_ROW = re.compile(r"\s*\|.*\|\s*")
_ITEM = re.compile(r"\s*(?:[-*+•–—·▪‣]|\(?\d{1,2}[.):]|\(?[a-zA-Z]\))\s+(?=\S)")
_NUMBER = re.compile(r"\s*\(?\d")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_BOLD_LINE = re.compile(r"\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(\*\*|__)(?!\s)[^*]{1,80}\1:?\s*")
_BOLD_LABEL = re.compile(
    r"\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(\*\*|__)[^*]{1,60}(?:[:.]\1|\1\s*[:–—-])\s"
)
_MARKS = re.compile(
    r"(?<![\w*])(?:\*{1,3}|_{1,3}|`+)(?=[^\s*_])|(?<=[^\s*_])(?:\*{1,3}|_{1,3}|`+)(?![\w*])"
)
_LINK = re.compile(r"!?\[([^\]\[]+)\]\((?:https?://|/|#)[^()\s]*\)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text."""

    start: int  # index of the first character
    kind: Kind
    # Whether the line begins with a label ("**Born:** 1950") or is a table row with two cells.
    labeled: bool = False
    numbered: bool = False
    # Whether the line is a bullet below a numbered heading or nested in a numbered item.
    detail: bool = False


def read_lines(text: str) -> tuple[str, tuple[Line, ...]]:
    r"""Reads the structure of a text and blanks out its markup without changing any offsets.

    Example:
        >>> clean, lines = read_lines("## Life\n**Ann Lee** sang.\n| Born | 1950 |")
        >>> clean
        '## Life\n  Ann Lee   sang.\n  Born : 1950  '
        >>> [line.kind for line in lines]
        ['heading', 'prose', 'row']
    """
    found = list(_LINES.finditer(text))
    lines: list[Line] = []
    above: Line | None = None
    indent = 0
    pieces: list[str] = []
    end = 0
    for number, match in enumerate(found):
        written = match.group()
        follows = found[number + 1].group() if number + 1 < len(found) else ""
        clean, line = _line(match.start(), written, follows)
        if line.kind == "heading" or line.numbered:
            above, indent = line, _indent(written)
        if line.kind == "item" and not line.numbered and above is not None:
            below = above.kind == "heading" or _indent(written) > indent
            line = replace(line, detail=above.numbered and below)
        pieces += (text[end : match.start()], clean)
        lines.append(line)
        end = match.end()
    # The text, with spaces in place of emphasis, link and table markup, and its lines.
    return "".join([*pieces, text[end:]]), tuple(lines)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def line_at(lines: Sequence[Line], place: int) -> Line:
    """Returns the line that contains a character."""
    return lines[max(bisect_right(lines, place, key=lambda line: line.start) - 1, 0)]


def _line(start: int, text: str, follows: str) -> tuple[str, Line]:
    if _ROW.fullmatch(text) or (_SEPARATOR.fullmatch(text) and "-" in text):
        if _SEPARATOR.fullmatch(text) or ("|" in follows and _SEPARATOR.fullmatch(follows)):
            return " " * len(text), Line(start, "row")
        cells = text.count("|") - 1
        inner = text.replace("|", " ", 1)
        inner = inner[::-1].replace("|", " ", 1)[::-1]
        inner = inner.replace("|", ":" if cells == 2 else ",")
        return _plain(inner), Line(start, "row", labeled=cells == 2)
    if _HEADING.match(text) or _BOLD_LINE.fullmatch(text):
        return _plain(text), Line(start, "heading", numbered=_NUMBER.match(text) is not None)
    labeled = _BOLD_LABEL.match(text) is not None
    kind: Kind = "item" if _ITEM.match(text) else "prose"
    return _plain(text), Line(start, kind, labeled, _NUMBER.match(text) is not None)


def _plain(text: str) -> str:
    """Replaces emphasis and link markup with spaces."""
    if "](" in text:
        text = _LINK.sub(_linked, text)
    if not any(mark in text for mark in "*_`"):
        return text
    return _MARKS.sub(lambda m: " " * len(m.group()), text)


def _linked(match: re.Match[str]) -> str:
    written = match.group()
    return match[1].rjust(match.end(1) - match.start()).ljust(len(written))
