"""Renders the tables of a meta-evaluation as text."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._util.numbers import number, percent
from dfactscore.comparison._cells import pvalue
from dfactscore.measures._table import Column, Table, aligned
from dfactscore.meta._baselines import BASELINES
from dfactscore.meta._table_rows import Row

FOOTNOTE = "not better than answering without reading"
_HEAD = ("evaluator", "level", "n", "err", "flag %", "P", "R", "F1", "", "bal.", "", "κ", "MCC",
         "acc.", "AUC", "ECE", "Brier", "cov. %")  # fmt: skip
_COLUMNS = tuple(Column(title, left=place < 2) for place, title in enumerate(_HEAD))


def render(rows: Sequence[Row], confidence: float = 0.95) -> str:
    """Renders one table per block and choice of references."""
    parts: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        parts.setdefault((row.block, row.references), []).append(row)
    lines: list[str] = []
    for (block, references), part_rows in parts.items():
        suffix = "" if references == "all" else ", responses with a reference text"
        lines.append(f"{block}{suffix}")
        lines.append(aligned(Table(_COLUMNS, tuple(map(_cells, part_rows))), indent="  "))
        for row in part_rows:
            lines += _below(row)
        lines.append("")
    marked = any(row.better is False for row in rows)
    percents = f"Percent; in brackets {100 * confidence:g} % intervals over clusters. Errors are "
    lines.append(percents + "the positive class; – undefined.")
    if marked:
        lines.append(
            f"° {FOOTNOTE}: the balanced accuracy does not exceed that of the best baseline "
            f"(paired over clusters, p < {1 - confidence:.2g} after Holm)."
        )
    if any(row.threshold == "fitted" for row in rows):
        lines.append("ᶠ The threshold is fitted on the other folds of the same data.")
    if any(row.variant for row in rows):
        lines.append(
            "(right), (wrong): unreadable answers count as right or wrong; (leave), (unflagged): "
            "responses without a prediction are left out, or count as not flagged."
        )
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    figures = row.figures
    mark = "°" if row.better is False else ""
    mark += "ᶠ" if row.threshold == "fitted" else ""
    variant = f" ({row.variant})" if row.variant else ""
    n = str(row.n) if row.n == row.of else f"{row.n}/{row.of}"
    return (
        f"{row.evaluator}{mark}{variant}",
        row.level,
        n,
        str(row.errors),
        *(percent(figures[name], missing="–") for name in ("flagged", "precision", "recall")),
        percent(figures["f1"], missing="–"),
        _interval(row, "f1"),
        percent(figures["balanced_accuracy"], missing="–"),
        _interval(row, "balanced_accuracy"),
        *(number(figures[name], digits=3, missing="–") for name in ("kappa", "mcc")),
        percent(figures["accuracy"], missing="–"),
        percent(figures["auc"], missing="–"),
        *(number(figures[name], digits=3, missing="–") for name in ("ece", "brier")),
        percent(figures["coverage"], digits=0, missing="–"),
    )


def _interval(row: Row, name: str) -> str:
    interval = row.intervals.get(name)
    return "" if interval is None else f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _below(row: Row) -> list[str]:
    """The line below a row: recall by error type, tests, cost and notes."""
    if row.evaluator in BASELINES:
        return []
    remarks = []
    if row.by_kind and len(row.by_kind) > 1:
        kinds = (f"{kind} {percent(share)} of {n}" for kind, (share, n) in row.by_kind.items())
        remarks.append("recall by type: " + ", ".join(kinds))
    if row.figures.get("r") is not None:
        remarks.append(f"share supported, by item: r {number(row.figures['r'], digits=4)}")
    if row.p is not None and row.p_holm is not None:
        remarks.append(f"against {row.against}: p {pvalue(row.p)}, Holm {pvalue(row.p_holm)}")
    if row.usage and row.variant == "":
        cost = row.usage["cost"]
        price = "cost unknown" if cost is None else f"cost {cost:.4f}"
        remarks.append(f"{row.usage['calls']} calls, {row.usage['tokens']} tokens, {price}")
    if row.note:
        remarks.append(row.note)
    return [f"    {row.evaluator} {row.level}: {'; '.join(remarks)}"] if remarks else []
