"""Tables of a comparison: levels of runs, differences between pairs, and their cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._scoring.biography_scores import (
    ANSWERS,
    CATEGORIES,
    CATEGORY_LABELS,
    MEASURES,
    THIN,
    f1_measure,
)
from dfactscore._util.numbers import counted, with_sign
from dfactscore.comparison._types import TESTED
from dfactscore.measures import _table as table
from dfactscore.measures._table import EVERY, Cell, Measure, Table, find_measures

if TYPE_CHECKING:
    from dfactscore.comparison._scores import RunScores
    from dfactscore.comparison._types import ComparisonData, Difference, ModelLevels


# Shows four shares in one cell.
_CATEGORIES = Measure("categories", "kinds", "% " + " / ".join(CATEGORY_LABELS.values()), place=10)
_ANSWERS = Measure("answers", "answers", "% " + " / ".join(ANSWERS), place=17)
_PARTS = {
    "categories": CATEGORIES,
    "answers": tuple(f"answer_{kind}" for kind in ANSWERS),
}
_KNOWN = {
    m.name: m
    for m in sorted(
        (*MEASURES.values(), _CATEGORIES, _ANSWERS), key=lambda m: m.place or len(MEASURES)
    )
    if m.place or m.compared or m.name in _PARTS["answers"]
}
_CORRECTED = "_corrected"
_N = "texts scored, of all"


def _created_measure(key: str) -> Measure | None:
    """Creates the measure for a key that is not predefined: F1@K or a corrected score."""
    if key in ("fs_corrected", "dfs_corrected", "gap_corrected"):
        title = f"{MEASURES[key.removesuffix(_CORRECTED)].title} corr."
        return Measure(key, title, "corrected by labels", interval=True)
    return f1_measure(key) if re.fullmatch(r"f1_at_[0-9.]+", key) else None


def is_share(key: str) -> bool:
    """Whether a measure is a share; a column of another tool may be a grade."""
    known = MEASURES.get(key) or _created_measure(key)
    return known is not None and not known.count


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
    available |= {key for key, parts in _PARTS.items() if not available.isdisjoint(parts)}
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
    if column.name in _PARTS:
        shares = [model.levels.get(c) for c in _PARTS[column.name]]
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


def levels_table(comparison: ComparisonData, measures: Sequence[Measure]) -> Table:
    """Creates a table with each run's means, intervals, and marks for the runs it exceeds."""
    leading_columns = (
        table.Column(left=True),
        table.Column("run", left=True, fold=True, width=8, tex="", widest=_widest(comparison)),
        table.Column("n", tex="$n$"),
    )
    rows: list[tuple[Cell | str, ...]] = []
    for model in comparison.models:
        label = f"{model.label} {THIN}" if model.thin else model.label
        judge = f"judged by {model.judge}" if model.judge and not comparison.judge else ""
        label_cell = Cell(label, under=judge)
        leading_cells = (Cell(model.letter, style="dim"), label_cell, f"{model.scored}/{model.n}")
        cells = (
            Cell(
                cell(model, column),
                comparison.marks(model.label, column.name),
                interval(model, column),
                "bold" if column.name == "dfs" else "",
            )
            for column in measures
        )
        rows.append((*leading_cells, *cells))
    titles = (table.Column(column.title) for column in measures)
    values = tuple(records(comparison, "levels"))
    return Table((*leading_columns, *titles), tuple(rows), name="levels", records=values)


def _widest(comparison: ComparisonData) -> int:
    """Returns the width of the labels on a terminal if they include a judge; otherwise 0."""
    if comparison.judge or not any(model.judge for model in comparison.models):
        return 0
    return max(24, *(len(model.label) + 2 for model in comparison.models))


def records(
    comparison: ComparisonData, part: Literal["levels", "differences"]
) -> list[dict[str, Any]]:
    """Returns a flat, unrounded mapping per run or (``differences``) per pair and score."""
    if part == "levels":
        return [_level_record(comparison, i) for i in range(len(comparison.models))]
    if part == "differences":
        return list(map(_difference_record, comparison.differences))
    raise InputError(f"unknown part {part!r}; choose levels or differences")


def _level_record(comparison: ComparisonData, index: int) -> dict[str, Any]:
    model = comparison.models[index]
    counts = {"n": model.n, "answered": model.answered, "scored": model.scored}
    row: dict[str, Any] = {"model": model.label, **counts}
    row |= {k: v for k, v in (("evidence", model.evidence), ("judged_by", model.judge)) if v}
    have = dict.fromkeys(m for other in comparison.models for m in other.levels)
    present = [m for m in dict.fromkeys((*MEASURES, *have)) if m in have]
    if comparison.shown and EVERY not in comparison.shown:
        chosen = [m for key in comparison.shown for m in _PARTS.get(key, (key,))]
        present = [m for m in chosen if m in MEASURES or m in have]
    tested = {d.measure for d in comparison.differences} or TESTED
    for measure in present:
        level = model.levels.get(measure)
        low, high = (level and level.interval) or (None, None)
        row[measure] = level.mean if level else None
        row[f"{measure}_low"], row[f"{measure}_high"] = low, high
        row[f"{measure}_n"] = level.n if level else None
        if measure in tested:
            row[f"{measure}_exceeds"] = comparison.marks(model.label, measure)
    return row


def differences_table(comparison: ComparisonData, *, signs: bool = False) -> Table:
    """Creates a table with one row per pair and score."""
    percent = f"{100 * comparison.confidence:g} %"
    corrected = any(d.judge is not None for d in comparison.differences)
    columns = (
        table.Column("difference", left=True, fold=True),
        table.Column("score", left=True),
        *(table.Column(title) for title in ("n", *(["judge"] * corrected), "points")),
        *(table.Column(title) for title in (percent, "p", "Holm")),
        table.Column("") if signs else table.Column("significant", left=True),
    )
    rows: list[tuple[Cell | str, ...]] = []
    last = None
    for d in comparison.differences:
        pair = f"{d.first} − {d.second}"
        low, high = (with_sign(100 * x) for x in d.interval)
        rows.append(
            (
                "" if signs and pair == last else pair,
                title_of(d.measure),
                str(d.n or "own"),
                *(["–" if d.judge is None else with_sign(100 * d.judge)] * corrected),
                with_sign(100 * d.difference),
                f"{low} to {high}",
                pvalue(d.p),
                pvalue(d.p_holm),
                _significant(d, signs),
            )
        )
        last = pair
    values = tuple(records(comparison, "differences"))
    return Table(columns, tuple(rows), name="differences", records=values)


def _significant(difference: Difference, signs: bool) -> Cell:
    if not signs:
        return Cell("yes" if difference.significant else "no")
    return Cell("*", style="bold") if difference.significant else Cell("n.s.", style="dim")


def _difference_record(d: Difference) -> dict[str, Any]:
    return {
        "first": d.first,
        "second": d.second,
        "measure": d.measure,
        "n": d.n,
        "difference": d.difference,
        "low": d.interval.low,
        "high": d.interval.high,
        "effect": d.effect,
        "p": d.p,
        "p_holm": d.p_holm,
        "significant": d.significant,
        **({} if d.judge is None else {"judge": d.judge}),
    }
