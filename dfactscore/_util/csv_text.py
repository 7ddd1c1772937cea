"""Writes tables as CSV and reads them back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import MakeError

# Many readers end a row at a lone carriage return, which Python's csv module would not quote.
_QUOTED = re.compile('[,"\r\n]')
# Spreadsheets run cells that begin like this as formulas, unless they are prefixed with an
# apostrophe.
_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+@\-＝＋＠－﹦﹢﹫﹣−])")


def csv_text(
    rows: Iterable[Mapping[str, Any]],
    columns: Iterable[str] | None = None,
    *,
    header: bool = True,
) -> str:
    r"""Formats rows as CSV: floats with all digits, None and NaN as empty cells.

    Booleans become ``true`` and ``false``. A text that spreadsheets would run as a formula (one
    that begins with ``=``, ``+``, ``-`` or ``@``, also in a wide or small form or after spaces) is
    prefixed with an apostrophe, which `without_guard` removes.

    Example:
        >>> csv_text([{"name": 'Ann "A" Lee', "fs": 1 / 3}, {"name": None, "mixed": True}])
        'name,fs,mixed\n"Ann ""A"" Lee",0.3333333333333333,\n,,true\n'
    """
    table = list(rows)
    if columns is None:
        columns = dict.fromkeys(key for row in table for key in row)
    names = list(columns)
    lines: list[list[Any]] = [[row.get(name) for name in names] for row in table]
    if header:
        lines.insert(0, [*names])
    return "".join(",".join(map(_cell, line)) + "\n" for line in lines)


def without_guard(cell: str) -> str:
    """Restores the original text of a cell that `csv_text` wrote.

    Example:
        >>> without_guard("'=1+1"), without_guard("'s-Hertogenbosch")
        ('=1+1', "'s-Hertogenbosch")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def check_header(path: Path, names: Iterable[str], *, error: MakeError) -> None:
    """Checks that no two columns have the same name, ignoring case."""
    for name, count in Counter(name.strip().casefold() for name in names).items():
        if name and count > 1:
            raise error(f"{path}: has {count} columns {name}; keep one of them")


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(float(value)) if isinstance(value, float) else str(value)
    if isinstance(value, str) and _FORMULA.match(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
