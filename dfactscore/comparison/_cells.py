"""Number formatting of comparison tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dfactscore._scoring.category import CATEGORIES, CATEGORY_LABELS
from dfactscore._scoring.run_measures import MEASURES, f1_measure
from dfactscore._util.numbers import counted
from dfactscore.measures._measure import EVERY, Measure, chosen

if TYPE_CHECKING:
    from dfactscore.comparison._scores import RunScores
    from dfactscore.comparison._types import ComparisonData, ModelLevels


# Four shares in one cell.
_CATEGORIES = Measure("categories", "kinds", "% " + " / ".join(CATEGORY_LABELS.values()), place=10)
_KNOWN = {
    m.name: m
    for m in sorted((*MEASURES.values(), _CATEGORIES), key=lambda m: m.place or len(MEASURES))
    if m.place or m.compared
}
_CORRECTED = "_corrected"
_N = "texts scored, of all"


def _made(key: str) -> Measure | None:
    """The column of a key that is not declared: F1@K of any K, and a corrected score."""
    if key in ("fs_corrected", "dfs_corrected", "gap_corrected"):
        title = f"{MEASURES[key.removesuffix(_CORRECTED)].title} corr."
        return Measure(key, title, "corrected by labels", interval=True)
    return f1_measure(key) if re.fullmatch(r"f1_at_[0-9.]+", key) else None


def title_of(key: str) -> str:
    """Title of a tested measure, corrected or not."""
    return (MEASURES.get(key) or _made(key) or Measure(key, key, "")).title


def test_name(comparison: ComparisonData) -> str:
    """The test of the differences, in words."""
    corrected = {d.judge is not None for d in comparison.differences}
    named = "paired permutation test"
    if True not in corrected:
        return named
    return f"t test of the corrected difference{f', {named} of others' * (False in corrected)}"


def checked_columns(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys of columns, each once.

    Raises:
        InputError: If a key is unknown; the near miss is named.
    """
    found = tuple(dict.fromkeys(keys))
    chosen(found, _KNOWN, _made)
    return found


def legend(shown: Sequence[Measure], judge: str = "") -> str:
    """Legend of the columns, and the judge of all runs."""
    columns = [(c.title, c.help) for c in shown if not c.name.endswith(_CORRECTED)]
    if len(columns) < len(shown):
        columns.append(("corr.", "corrected by labels of some texts"))
    said = "; ".join(f"{title}: {about}" for title, about in (("n", _N), *columns))
    return f"{said}.{f' Judged by {judge}.' if judge else ''}"


def caption_of(comparison: ComparisonData) -> str:
    """Default caption of a table."""
    runs = counted(len(comparison.models), "run")
    said = counts_line(comparison.scores)
    return (
        f"Scores of {runs}, in percent where they are shares, with "
        f"{100 * comparison.confidence:g} % bootstrap intervals over names"
        f"{'; ' if said else ''}{said}"
    )


def counts_line(runs: Iterable[RunScores]) -> str:
    """Says that FS and D-FS add up probabilities; empty if those of no run do."""
    counted = {run.label: run.settings.get("scores.counts", "verdicts") for run in runs}
    expected = [label for label, counts in counted.items() if counts == "expected"]
    whose = "" if len(expected) == len(counted) else f" of {', '.join(expected)}"
    return f"FS and D-FS{whose} add up calibrated probabilities" if expected else ""


def columns(comparison: ComparisonData) -> list[Measure]:
    """The columns that were chosen; else the usual ones that at least one run has a value for."""
    keys = comparison.shown or (EVERY,)
    found = chosen(keys, _KNOWN, _made)
    if EVERY not in keys:
        return list(found)
    have = {m for model in comparison.models for m in model.levels}
    if not have.isdisjoint(CATEGORIES):
        have.add(_CATEGORIES.name)
    shown = []
    for column in found:
        if column.name in keys or (column.name in have and (comparison.shown or column.usual)):
            shown.append(column)
        if f"{column.name}{_CORRECTED}" in have and (more := _made(f"{column.name}{_CORRECTED}")):
            shown.append(more)
    return shown


def cell(model: ModelLevels, column: Measure) -> str:
    """A run's value in a column, ``"–"`` if it has none."""
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
    ends = (f"{round(100 * end, 1) + 0.0:.1f}".replace("-", "−") for end in (low, high))
    return "" if low != low else "–".join(ends)


def pvalue(p: float) -> str:
    """A p-value with as many digits as matter.

    Example:
        >>> pvalue(0.0412), pvalue(0.00009)
        ('.041', '<.001')
    """
    if p != p:
        return "–"
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
