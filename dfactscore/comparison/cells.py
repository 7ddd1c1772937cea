"""How a comparison's numbers are written: shares in percent, one decimal, as in the paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dfactscore._util.near import near_miss
from dfactscore.errors import InputError
from dfactscore.measures.measure import Measure
from dfactscore.scoring.category import CATEGORIES, CATEGORY_LABELS
from dfactscore.scoring.declared import MEASURES, f1_measure

if TYPE_CHECKING:
    from dfactscore.comparison.result import Comparison, Difference, ModelLevels

__all__ = [
    "COLUMNS",
    "caption_of",
    "cell",
    "checked_columns",
    "columns",
    "interval",
    "legend",
    "pvalue",
    "signed",
]

# Four shares in one cell.
_CATEGORIES = Measure(
    "categories", "1·1/1·n/n·n/else", "% " + " / ".join(CATEGORY_LABELS.values()), place=10
)
_ALL = {**MEASURES, _CATEGORIES.name: _CATEGORIES}
COLUMNS = tuple(sorted((m for m in _ALL.values() if m.place), key=lambda m: m.place))
# The others are shown where they are asked for.
_BY_KEY = {m.name: m for m in (*COLUMNS, *(m for m in _ALL.values() if m.compared))}
_CORRECTED = "_corrected"


def _column(key: str) -> Measure | None:
    """The column of a key; F1@K of any K is one, and so is a corrected score."""
    if key in ("fs_corrected", "dfs_corrected", "gap_corrected"):
        title = f"{MEASURES[key.removesuffix(_CORRECTED)].title} corr."
        return Measure(key, title, "corrected by labels of some texts", interval=True)
    return f1_measure(key) if re.fullmatch(r"f1_at_[0-9.]+", key) else _BY_KEY.get(key)


def checked_columns(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys of columns, each once.

    Raises:
        InputError: If a key is unknown; the near miss is named.
    """
    for key in (found := tuple(dict.fromkeys(keys))):
        if _column(key) is None:
            raise InputError(
                f"unknown column {key!r}; choose {', '.join(_BY_KEY)}{near_miss(key, _BY_KEY)}"
            )
    return found


def legend(shown: Iterable[Measure]) -> str:
    """What the columns mean, in words."""
    return "; ".join(f"{c.title}: {c.help}" for c in shown) + "."


def caption_of(comparison: Comparison) -> str:
    """What stands above a table where nothing else was asked for."""
    runs = "1 run" if len(comparison.models) == 1 else f"{len(comparison.models)} runs"
    return (
        f"Scores of {runs}, in percent where they are shares, with "
        f"{100 * comparison.confidence:g} % bootstrap intervals over names"
    )


def columns(comparison: Comparison) -> list[Measure]:
    """The columns that were chosen, or those that at least one run has a value for."""
    if comparison.shown:
        return [column for key in comparison.shown if (column := _column(key))]
    have = {m for model in comparison.models for m in model.levels}
    found = []
    for column in COLUMNS:
        if column.name in have or (column.name == "categories" and not have.isdisjoint(CATEGORIES)):
            found.append(column)
        if f"{column.name}{_CORRECTED}" in have and (more := _column(f"{column.name}{_CORRECTED}")):
            found.append(more)
    return found


def cell(model: ModelLevels, column: Measure) -> str:
    """A run's value in a column, ``"–"`` where it has none."""
    if column.name == "categories":
        shares = [model.levels.get(c) for c in CATEGORIES]
        return "/".join("–" if s is None else f"{100 * s.mean:.0f}" for s in shares)
    level = model.levels.get(column.name)
    if level is None:
        return "–"
    return f"{level.mean:.1f}" if column.count else f"{100 * level.mean:.1f}"


def interval(model: ModelLevels, column: Measure) -> str:
    """A run's interval in a column, or nothing."""
    level = model.levels.get(column.name)
    if not column.interval or level is None or level.interval is None:
        return ""
    low, high = level.interval
    return "" if low != low else f"{100 * low:.1f}–{100 * high:.1f}"


def signed(difference: Difference) -> str:
    """A difference in percentage points, with its sign."""
    return f"{100 * difference.difference:+.1f}".replace("-", "−")


def pvalue(p: float) -> str:
    """A p-value with as many digits as matter.

    Example:
        >>> pvalue(0.0412), pvalue(0.00009)
        ('.041', '<.001')
    """
    if p != p:
        return "–"
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
