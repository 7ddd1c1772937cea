"""Renders a correction as tables, CSV and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._scoring.biography_scores import MEASURES
from dfactscore._util.message_text import near_miss
from dfactscore._util.numbers import counted, with_sign
from dfactscore._util.tables import csv_text
from dfactscore.comparison._comparison_tables import pvalue, title_of
from dfactscore.measures._rendering import latex_text, markdown_section, text_tables, to_latex
from dfactscore.measures._table import EVERY, Cell, Table, json_text, words

if TYPE_CHECKING:
    from dfactscore.correct._estimator import Corrected, CorrectionData, Estimate, RunCorrection
    from dfactscore.correct._planning import Plan


#: The measures shown in tables by default; CSV and JSON contain all.
SHOWN = ("fs", "dfs", "gap", "response_rate", "n_bio", "n_ent", "mixed")
_DASH = "–"


def render(
    correction: CorrectionData,
    form: Literal["table", "markdown", "latex", "csv", "json"],
    *,
    width: int = 100,
    columns: Iterable[str] = (),
) -> str:
    """Renders a correction in one of the formats; see `tables` for the columns."""
    if form == "csv":
        return csv_text(rows(correction))
    if form == "json":
        return json_text(asdict(correction))
    all_tables = tables(correction, columns)
    if form == "markdown":
        return "\n".join(markdown_section(table) for table in all_tables)
    if form == "latex":
        return _latex(all_tables)
    return text_tables(all_tables, width=width)


def _latex(all_tables: Sequence[Table]) -> str:
    """Renders the tables in LaTeX (booktabs), each interval under its value."""
    lines = [r"% \usepackage{booktabs}"]
    for table in all_tables:
        cells = (tuple(Cell(*_split(cell)) for cell in row) for row in table.rows)
        if table.rows:
            caption = rf"\caption{{{latex_text(table.title)}.}}"
            part = to_latex(replace(table, rows=tuple(cells)))
            lines += [r"\begin{table}", r"\centering", caption, part, r"\end{table}"]
        lines += [f"% {' '.join(note.split())}" for note in table.notes]
    return "\n".join(lines) + "\n"


def _split(cell: Cell | str) -> tuple[str, str, str]:
    value, _, interval = str(cell).partition("\n")
    return value, "", interval


def rows(correction: CorrectionData) -> list[dict[str, Any]]:
    """Returns one flat mapping per run and measure."""
    return [
        {
            "run": run.label,
            "measure": corrected.measure,
            "texts": corrected.texts,
            "labels": corrected.labels,
            **_ends("judge", corrected.judge),
            **_ends("labels_alone", corrected.labeled),
            **_ends("corrected", corrected.corrected),
            **_ends("bias", corrected.bias),
            "power": corrected.power,
            "r": corrected.r,
            "worth": corrected.worth,
        }
        for run in correction.runs
        for corrected in run.measures.values()
    ]


def _ends(key: str, estimate: Estimate) -> dict[str, float | None]:
    low, high = estimate.interval
    known = not math.isnan(low)
    return {
        key: estimate.value,
        f"{key}_low": low if known else None,
        f"{key}_high": high if known else None,
    }


def tables(correction: CorrectionData, columns: Iterable[str] = ()) -> list[Table]:
    """Creates tables of the runs' levels, differences, ranking and notes."""
    keys = tuple(columns)
    everything = EVERY in keys
    measures = _measures(correction, keys)
    percent = f"{100 * correction.confidence:g} %"
    population = "other names" if correction.population == "other" else "exactly these names"
    header = ("run", "score", "labels", "judge", "labels alone", "corrected", "judge's bias",
              *(("λ", "r") if everything else ()), "as good as")  # fmt: skip
    levels = [
        _level(run, corrected, everything)
        for run in correction.runs
        for corrected in run.measures.values()
        if corrected.measure in measures
    ]
    formula = "labels' mean + λ × (judge's mean of all − of the labeled)"
    explanation = (
        formula if everything else "the labels' mean, with the judge's scores of all texts"
    )
    all_tables = [
        words(
            "correction",
            f"Corrected by {correction.by} ({percent} intervals, for {population})",
            header,
            _without_repeated_labels(levels),
            (
                f"corrected: {explanation}; as good as: the number of labels that would give an "
                "interval as narrow without the judge.",
                *(_draw_note(run) for run in correction.runs),
            ),
        )
    ]
    if correction.differences:
        all_tables.append(_differences(correction, percent))
    notes = (*order_lines(correction), *correction.notes, *correction.signatures)
    return [*all_tables, words("notes", "", (), (), notes)] if notes else all_tables


def order_lines(correction: CorrectionData) -> tuple[str, ...]:
    """Returns a line with the corrected and the judge's rankings; empty if there is one run."""
    order = correction.order
    if order is None:
        return ()
    ranking, title = " > ".join(order.corrected), title_of(order.measure)
    line = f"Corrected order by {title}: {ranking} ({100 * order.sure:.0f} % sure)"
    if order.judge == order.corrected:
        return (f"{line}; the judge's order is the same.",)
    return (f"{line}; the judge's order is {' > '.join(order.judge)}.",)


def _measures(correction: CorrectionData, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the measures to show."""
    corrected = dict.fromkeys(measure for run in correction.runs for measure in run.measures)
    if EVERY in keys:
        return tuple(corrected)
    if unknown := [key for key in keys if key not in corrected]:
        raise InputError(
            f"unknown column {unknown[0]!r}{near_miss(unknown[0], corrected)}; the corrected "
            f"measures are {', '.join(corrected)}"
        )
    own = [m for m in corrected if m not in MEASURES and not m.startswith("f1_at_")]
    return keys or (*SHOWN, *own)


def _level(run: RunCorrection, corrected: Corrected, everything: bool) -> tuple[str, ...]:
    count = corrected.graded or corrected.measure.startswith("n_")
    return (
        run.label,
        title_of(corrected.measure),
        f"{corrected.labels}/{corrected.texts}",
        *(_cell(e, count=count) for e in (corrected.judge, corrected.labeled, corrected.corrected)),
        _cell(corrected.bias, count=count, sign=True),
        *(
            (f"{corrected.power:.2f}", _DASH if corrected.r is None else f"{corrected.r:.2f}")
            if everything
            else ()
        ),
        _DASH if corrected.worth is None else counted(corrected.worth, "label"),
    )


def _without_repeated_labels(levels: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Removes a label from every row that follows a row with the same label."""
    return tuple(
        ("" if i and levels[i - 1][0] == row[0] else row[0], *row[1:])
        for i, row in enumerate(levels)
    )


def _cell(estimate: Estimate, *, count: bool, sign: bool = False) -> str:
    factor, digits = (1, 2) if count else (100, 1)
    form = f"+.{digits}f" if sign else f".{digits}f"
    value, *ends = (
        format(factor * x, form).replace("-", "−") for x in (estimate.value, *estimate.interval)
    )
    low, high = estimate.interval
    if math.isnan(low) or high - low < 1e-9:
        return value
    between = " to " if sign else "–"
    return f"{value}\n{between.join(ends)}"


def _draw_note(run: RunCorrection) -> str:
    drawn = run.drawn
    start = f"{run.label}: labels of {drawn.recorded}" if drawn.recorded else f"{run.label}:"
    if drawn.difference is None:
        return f"{start}." if drawn.recorded else f"{start} labels of all texts."
    pvalue_text = "" if drawn.p is None else f" (p {pvalue(drawn.p)})"
    return (
        f"{start}{';' if drawn.recorded else ''} the judge scores the labeled texts "
        f"{with_sign(drawn.difference, digits=2)} standard deviations from the others{pvalue_text}."
    )


def _differences(correction: CorrectionData, percent: str) -> Table:
    graded = {c.measure for run in correction.runs for c in run.measures.values() if c.graded}
    return words(
        "differences",
        f"Differences between runs ({percent})",
        ("difference", "score", "names", "labels", "judge", "corrected", "p", "Holm", ""),
        _without_repeated_labels(
            [
                (
                    f"{d.first} − {d.second}",
                    title_of(d.measure),
                    str(d.names or "own"),
                    f"{d.labels[0]} / {d.labels[1]}",
                    _cell(d.judge, count=d.measure in graded, sign=True),
                    _cell(d.corrected, count=d.measure in graded, sign=True),
                    pvalue(d.p),
                    pvalue(d.p_holm),
                    "*" if d.significant else "n.s.",
                )
                for d in correction.differences
            ]
        ),
    )


def plan_table(
    plans: dict[str, tuple[Plan, ...]], width: float, pilot: bool, *, graded: bool = False
) -> Table:
    """Creates a table with the number of labels needed for each run and each difference."""
    points = "of the score" if graded else "points"
    factor = 1 if graded else 100
    return words(
        "plan",
        f"Labels for an interval of ±{factor * width:g} {points}{'' if graded else ' of D-FS'}",
        ("for", "r of judge and labels", "labels", "without the judge"),
        tuple(
            (label if i == 0 else "", f"{plan.r:.2f}", _count(plan.labels), _count(plan.alone))
            for label, run_plans in plans.items()
            for i, plan in enumerate(run_plans)
        ),
        (
            *(
                line
                for label, run_plans in plans.items()
                if (line := _possible(label, run_plans, factor))
            ),
            "r is the correlation in the pilot."
            if pilot
            else "Computed from the standard deviation of the judge's scores, and usual values of "
            "r (.3 to .7). A pilot of 10 labels or more gives better numbers: --by LABELS.",
        ),
    )


def _possible(label: str, run_plans: Sequence[Plan], factor: int) -> str:
    """Describes the precision that these texts allow at the middle correlation."""
    plan = run_plans[len(run_plans) // 2]
    start = f"{label}: {counted(plan.texts, 'text')}"
    if plan.labels is not None:
        return (
            f"{start}, of which {plan.labels} labeled give ±{factor * plan.width:g} "
            f"(at r {plan.r:.2f})."
        )
    too_few = f"{start} are too few for ±{factor * plan.width:g} even if all are labeled"
    if plan.wider is None:
        return f"{too_few}."
    width, needed = plan.wider
    return f"{too_few}; ±{factor * width:g} needs {needed} (at r {plan.r:.2f})."


def _count(labels: int | None) -> str:
    return "all are too few" if labels is None else str(labels)
