"""Converts Markdown tables in an answer to lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RULE = re.compile(
    r"[^\S\n]*+\|?[^\S\n]*+:?-+:?[^\S\n]*+(?:\|[^\S\n]*+:?-+:?[^\S\n]*+)*\|?[^\S\n]*+"
)
_ROW = re.compile(r"(?<![^\S\n])[^\S\n]*+\|.*\|[^\S\n]*+")
_BARE_ROW = re.compile(r"(?<![^|\n])[^|\n]*+\|[^\n]*+")
_GENERIC = re.compile(
    r"\W*(?:field|attribute|property|category|detail|item|key|label|aspect|information|info|fact"
    r"|about|name of field|)s?\W*",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\W*(?:full\s+|birth\s+)?(?:name|person|subject|who|individual)\W*", re.IGNORECASE
)


def without_tables(text: str, name: str = "") -> str:
    r"""Converts Markdown tables to lists with one line per cell, each preceded by its label.

    In a table with two columns, the first column contains the labels and the second the values; in
    a wider table, each row is about one person or thing. A row that contains only the person's name
    is removed.

    Example:
        >>> print(without_tables("| Field | Value |\n|---|---|\n| Born | 1951 |"))
        - Born: 1951
        >>> without_tables("| Who | Born |\n|---|---|\n| Al | 1951 |\n| Bo | 1960 |").split("\n")
        ['- Who: Born', '- Al: 1951', '- Bo: 1960']
    """
    if "|" not in text:
        return text
    lines = text.split("\n")
    output: list[str] = []
    place = 0
    while place < len(lines):
        end = _end(lines, place)
        if end - place > 1:
            output += _listed(lines[place:end], name)
            place = end
        else:
            output.append(lines[place])
            place += 1
    return "\n".join(output)


def _end(lines: Sequence[str], start: int) -> int:
    """Returns the index after the table that begins at a line, or the line's index if none does."""
    ruled = start + 1 < len(lines) and "|" in lines[start] and _is_rule(lines[start + 1])
    row = _BARE_ROW if ruled else _ROW
    end = start
    while end < len(lines) and (
        row.fullmatch(lines[end]) or (_is_rule(lines[end]) and end > start)
    ):
        end += 1
    return end


def _is_rule(line: str) -> bool:
    return "|" in line and _RULE.fullmatch(line) is not None


def _listed(lines: Sequence[str], name: str) -> list[str]:
    rows = [_cells(line) for line in lines if not _is_rule(line)]
    if not rows:
        return list(lines)
    width = max(map(len, rows))
    ruled = _is_rule(lines[1])
    if width <= 2:
        if ruled and _GENERIC.fullmatch(rows[0][0]):
            rows = rows[1:]
        return [
            f"- {row[0]}: {row[-1]}" for row in rows if len(row) == 2 and not _is_name(row, name)
        ]
    if not ruled:
        return ["- " + "; ".join(filter(None, row)) for row in rows]
    labels = rows[0]
    output: list[str] = []
    for number, row in enumerate(rows[1:], 1):
        pairs = [(a, b) for a, b in zip(labels, row, strict=False) if b]
        subject = next((i for i, (label, _) in enumerate(pairs) if _NAME.fullmatch(label)), 0)
        output.append(f"{number}. {pairs[subject][1]}" if pairs else "")
        output += [f"   - {a}: {b}" for i, (a, b) in enumerate(pairs) if i != subject]
    return output


def _cells(line: str) -> list[str]:
    return [cell.strip(" \t*_") for cell in line.strip().strip("|").split("|")]


def _is_name(row: Sequence[str], name: str) -> bool:
    return _NAME.fullmatch(row[0]) is not None and row[1].casefold() == name.casefold()
