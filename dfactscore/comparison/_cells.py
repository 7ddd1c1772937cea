"""Columns of comparison tables and how their numbers are formatted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dfactscore._scoring.category import CATEGORIES, CATEGORY_LABELS
from dfactscore._scoring.run_measures import MEASURES, f1_measure
from dfactscore._util.numbers import counted
from dfactscore.measures._table import EVERY, Measure, find_measures

if TYPE_CHECKING:
    from dfactscore.comparison._scores import RunScores
    from dfactscore.comparison._types import ComparisonData, ModelLevels


# Shows four shares in one cell.
_CATEGORIES = Measure("categories", "kinds", "% " + " / ".join(CATEGORY_LABELS.values()), place=10)
_KNOWN = {
    m.name: m
    for m in sorted((*MEASURES.values(), _CATEGORIES), key=lambda m: m.place or len(MEASURES))
    if m.place or m.compared
}
_CORRECTED = "_corrected"
_N = "texts scored, of all"


def _created_measure(key: str) -> Measure | None:
    """Creates the measure for a key that is not predefined: F1@K or a corrected score."""
    if key in ("fs_corrected", "dfs_corrected", "gap_corrected"):
        title = f"{MEASURES[key.removesuffix(_CORRECTED)].title} corr."
        return Measure(key, title, "corrected by labels", interval=True)
    return f1_measure(key) if re.fullmatch(r"f1_at_[0-9.]+", key) else None


def title_of(key: str) -> str:
    """Returns the title of a tested measure, corrected or not."""
    return (MEASURES.get(key) or _created_measure(key) or Measure(key, key, "")).title


def test_name(comparison: ComparisonData) -> str:
    """Returns the name of the test used for the differences."""
    corrected = {d.judge is not None for d in comparison.differences}
    permutation = "paired permutation test"
    if True not in corrected:
        return permutation
    return (
        f"t test of the corrected difference{f', {permutation} of others' * (False in corrected)}"
    )


def checked_columns(keys: Iterable[str]) -> tuple[str, ...]:
    """Checks column keys and removes duplicates."""
    names = tuple(dict.fromkeys(keys))
    find_measures(names, _KNOWN, _created_measure)
    return names


def legend(measures: Sequence[Measure], judge: str = "") -> str:
    """Returns the legend for the columns, including the judge if all runs share it."""
    columns = [(c.title, c.help) for c in measures if not c.name.endswith(_CORRECTED)]
    if len(columns) < len(measures):
        columns.append(("corr.", "corrected by labels of some texts"))
    entries = "; ".join(f"{title}: {meaning}" for title, meaning in (("n", _N), *columns))
    return f"{entries}.{f' Judged by {judge}.' if judge else ''}"


def caption_of(comparison: ComparisonData) -> str:
    """Returns a table's default caption."""
    runs = counted(len(comparison.models), "run")
    note = counts_line(comparison.scores)
    return (
        f"Scores of {runs}, in percent where they are shares, with "
        f"{100 * comparison.confidence:g} % bootstrap intervals over names"
        f"{'; ' if note else ''}{note}"
    )


def counts_line(runs: Iterable[RunScores]) -> str:
    """Returns a note on runs whose FS and D-FS add up probabilities; empty if there are none."""
    counts_by_run = {run.label: run.settings.get("scores.counts", "verdicts") for run in runs}
    expected = [label for label, counts in counts_by_run.items() if counts == "expected"]
    labels = "" if len(expected) == len(counts_by_run) else f" of {', '.join(expected)}"
    return f"FS and D-FS{labels} add up calibrated probabilities" if expected else ""


def columns(comparison: ComparisonData) -> list[Measure]:
    """Returns the chosen columns, or by default those that have a value in at least one run."""
    keys = comparison.shown or (EVERY,)
    chosen_columns = find_measures(keys, _KNOWN, _created_measure)
    if EVERY not in keys:
        return list(chosen_columns)
    available = {m for model in comparison.models for m in model.levels}
    if not available.isdisjoint(CATEGORIES):
        available.add(_CATEGORIES.name)
    result = []
    for column in chosen_columns:
        if column.name in keys or (column.name in available and (comparison.shown or column.usual)):
            result.append(column)
        if f"{column.name}{_CORRECTED}" in available and (
            corrected := _created_measure(f"{column.name}{_CORRECTED}")
        ):
            result.append(corrected)
    return result


def cell(model: ModelLevels, column: Measure) -> str:
    """Formats a run's value for a column; ``"–"`` if there is no value."""
    if column.name == "categories":
        shares = [model.levels.get(c) for c in CATEGORIES]
        return "/".join("–" if s is None else f"{100 * s.mean:.0f}" for s in shares)
    level = model.levels.get(column.name)
    if level is None:
        return "–"
    return f"{level.mean:.1f}" if column.count else f"{100 * level.mean:.1f}"


def interval(model: ModelLevels, column: Measure) -> str:
    """Formats a run's interval for a column; empty if there is no interval."""
    level = model.levels.get(column.name)
    if not column.interval or level is None or level.interval is None:
        return ""
    low, high = level.interval
    ends = (f"{round(100 * end, 1) + 0.0:.1f}".replace("-", "−") for end in (low, high))
    return "" if low != low else "–".join(ends)


def pvalue(p: float) -> str:
    """Formats a p-value with three digits.

    Example:
        >>> pvalue(0.0412), pvalue(0.00009)
        ('.041', '<.001')
    """
    if p != p:
        return "–"
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
