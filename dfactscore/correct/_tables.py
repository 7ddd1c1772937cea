"""A correction as tables, CSV and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._scoring.run_measures import MEASURES, f1_measure
from dfactscore._util.csv_text import csv_text
from dfactscore._util.near import near_miss
from dfactscore._util.numbers import counted, with_sign
from dfactscore.comparison._cells import pvalue
from dfactscore.measures._markup import markdown_section
from dfactscore.measures._measure import EVERY
from dfactscore.measures._table import Table, json_text, words
from dfactscore.measures._terminal import text_tables

if TYPE_CHECKING:
    from dfactscore.correct._planning import Plan
    from dfactscore.correct._types import Corrected, CorrectionData, Estimate, RunCorrection


#: The columns of the tables; the other measures are in CSV and JSON.
SHOWN = ("fs", "dfs", "gap", "response_rate", "n_bio", "n_ent", "mixed")
_DASH = "–"


def render(
    correction: CorrectionData,
    form: Literal["table", "markdown", "csv", "json"],
    *,
    width: int = 100,
    columns: Iterable[str] = (),
) -> str:
    """The correction in one of the formats; see `tables` for the columns."""
    if form == "csv":
        return csv_text(rows(correction))
    if form == "json":
        return json_text(asdict(correction))
    shown = tables(correction, columns)
    if form == "markdown":
        return "\n".join(markdown_section(table) for table in shown)
    return text_tables(shown, width=width)


def rows(correction: CorrectionData) -> list[dict[str, Any]]:
    """One flat mapping a run and measure."""
    return [
        {
            "run": run.label,
            "measure": one.measure,
            "texts": one.texts,
            "labels": one.labels,
            **_ends("judge", one.judge),
            **_ends("labels_alone", one.labeled),
            **_ends("corrected", one.corrected),
            **_ends("bias", one.bias),
            "power": one.power,
            "r": one.r,
            "worth": one.worth,
        }
        for run in correction.runs
        for one in run.measures.values()
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
    """Levels of each run, differences between runs, the order, and what a reader must know.

    Args:
        correction: The correction.
        columns: Measures to show; ``"all"`` for every one, with λ and r.

    Raises:
        InputError: If a measure is unknown.
    """
    keys = tuple(columns)
    everything = EVERY in keys
    measures = _measures(correction, keys)
    percent = f"{100 * correction.confidence:g} %"
    whose = "other names" if correction.population == "other" else "exactly these names"
    header = ("run", "score", "labels", "judge", "labels alone", "corrected", "judge's bias",
              *(("λ", "r") if everything else ()), "as good as")  # fmt: skip
    levels = [
        _level(run, one, everything)
        for run in correction.runs
        for one in run.measures.values()
        if one.measure in measures
    ]
    formula = "labels' mean + λ × (judge's mean of all − of the labeled)"
    about = formula if everything else "the labels' mean, with the judge's scores of all texts"
    found = [
        words(
            "correction",
            f"Corrected by {correction.by} ({percent} intervals, for {whose})",
            header,
            _once(levels),
            (
                f"corrected: {about}; as good as: labels that alone would give an interval as "
                "narrow as the corrected one.",
                *(_drawn(run) for run in correction.runs),
            ),
        )
    ]
    if correction.differences:
        found.append(_differences(correction, percent))
    notes = (*order_lines(correction), *correction.notes, *correction.signatures)
    return [*found, words("notes", "", (), (), notes)] if notes else found


def order_lines(correction: CorrectionData) -> tuple[str, ...]:
    """The corrected order of the runs beside the judge's, in a line; none of one run."""
    order = correction.order
    if order is None:
        return ()
    said = f"Corrected order by D-FS: {' > '.join(order.corrected)} ({100 * order.sure:.0f} % sure)"
    if order.judge == order.corrected:
        return (f"{said}; as the judge says.",)
    return (f"{said}; the judge alone says {' > '.join(order.judge)}.",)


def _measures(correction: CorrectionData, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The measures to show."""
    known = dict.fromkeys(measure for run in correction.runs for measure in run.measures)
    if EVERY in keys:
        return tuple(known)
    if wrong := [key for key in keys if key not in known]:
        raise InputError(
            f"unknown column {wrong[0]!r}{near_miss(wrong[0], known)}; the corrected measures are "
            f"{', '.join(known)}"
        )
    return keys or SHOWN


def _level(run: RunCorrection, one: Corrected, everything: bool) -> tuple[str, ...]:
    count = one.measure.startswith("n_")
    return (
        run.label,
        (MEASURES.get(one.measure) or f1_measure(one.measure)).title,
        f"{one.labels}/{one.texts}",
        *(_cell(e, count=count) for e in (one.judge, one.labeled, one.corrected)),
        _cell(one.bias, count=count, sign=True),
        *((f"{one.power:.2f}", _DASH if one.r is None else f"{one.r:.2f}") if everything else ()),
        _DASH if one.worth is None else counted(one.worth, "label"),
    )


def _once(levels: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Rows that name their run only where it is another than above."""
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


def _drawn(run: RunCorrection) -> str:
    drawn = run.drawn
    said = f"{run.label}: labels of {drawn.recorded}" if drawn.recorded else f"{run.label}:"
    if drawn.difference is None:
        return f"{said}." if drawn.recorded else f"{said} labels of all texts."
    tested = "" if drawn.p is None else f" (p {pvalue(drawn.p)})"
    return (
        f"{said}{';' if drawn.recorded else ''} the judge scores the labeled texts "
        f"{with_sign(drawn.difference, digits=2)} standard deviations from the others{tested}."
    )


def _differences(correction: CorrectionData, percent: str) -> Table:
    return words(
        "differences",
        f"Differences between runs ({percent})",
        ("difference", "score", "names", "labels", "judge", "corrected", "p", "Holm", ""),
        _once(
            [
                (
                    f"{d.first} − {d.second}",
                    MEASURES[d.measure].title,
                    str(d.names or "own"),
                    f"{d.labels[0]} / {d.labels[1]}",
                    _cell(d.judge, count=False, sign=True),
                    _cell(d.corrected, count=False, sign=True),
                    pvalue(d.p),
                    pvalue(d.p_holm),
                    "*" if d.significant else "n.s.",
                )
                for d in correction.differences
            ]
        ),
    )


def plan_table(plans: dict[str, tuple[Plan, ...]], width: float, pilot: bool) -> Table:
    """Returns the number of labels that each run, and each difference, needs."""
    return words(
        "plan",
        f"Labels for an interval of ±{100 * width:g} points of D-FS",
        ("for", "r of judge and labels", "labels", "without the judge"),
        tuple(
            (label if i == 0 else "", f"{one.r:.2f}", _count(one.labels), _count(one.alone))
            for label, own in plans.items()
            for i, one in enumerate(own)
        ),
        (
            *(line for label, own in plans.items() if (line := _possible(label, own))),
            "r is that of the pilot's labels."
            if pilot
            else "Spread: of the judge's scores, for want of labels; r: .3 to .7 are usual. A "
            "pilot of 10 labels or more says more: --by LABELS.",
        ),
    )


def _possible(label: str, own: Sequence[Plan]) -> str:
    """Possible precision with these texts, in words; by the middle one of several correlations."""
    one = own[len(own) // 2]
    of = f"{label}: {counted(one.texts, 'text')}"
    if one.labels is not None:
        return f"{of}, of which {one.labels} labeled give ±{100 * one.width:g} (at r {one.r:.2f})."
    few = f"{of} are too few for ±{100 * one.width:g} even if all are labeled"
    if one.wider is None:
        return f"{few}."
    width, needed = one.wider
    return f"{few}; ±{100 * width:g} needs {needed} (at r {one.r:.2f})."


def _count(labels: int | None) -> str:
    return "all are too few" if labels is None else str(labels)
