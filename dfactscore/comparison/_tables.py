"""Tables of a comparison: levels of runs and differences between pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._scoring.category import CATEGORIES
from dfactscore._scoring.run_measures import MEASURES, THIN
from dfactscore._util.numbers import with_sign
from dfactscore.comparison._cells import cell, interval, pvalue, title_of
from dfactscore.comparison._types import TESTED
from dfactscore.measures import _table as table
from dfactscore.measures._table import EVERY, Cell, Measure, Table

if TYPE_CHECKING:
    from dfactscore.comparison._types import ComparisonData, Difference


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
        parts = {"categories": CATEGORIES}
        chosen = [m for key in comparison.shown for m in parts.get(key, (key,))]
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
