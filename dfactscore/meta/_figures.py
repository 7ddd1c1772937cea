"""The rows of the table: each evaluator's figures, with intervals and tests, and their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore._util.numbers import number, percent
from dfactscore._util.usage import Usage
from dfactscore.comparison._comparison_tables import pvalue
from dfactscore.measures._agreement import RATES, areas, calibration, rates
from dfactscore.measures._resampling import (
    Interval,
    Pair,
    interval_of_draws,
    paired_tests,
    resample_counts,
    weighted_sums,
)
from dfactscore.measures._table import Column, Table, aligned
from dfactscore.meta._data_sets import Block, Item
from dfactscore.meta._decisions import (
    Decided,
    Floats,
    LabeledUnits,
    Opinions,
    Options,
    columns_of,
    recalls,
    threshold_name,
)
from dfactscore.meta._judgements import BASELINES

Figures = tuple[dict[str, float | None], dict[str, Interval | None]]
"""Figures of a column by name, None if undefined, and intervals by name."""

_AT_A_TIME = 4_000_000  # cells (draws × units) in memory at once


def figures_of(columns: Sequence[Decided], units: LabeledUnits, options: Options) -> list[Figures]:
    """Figures and intervals for all columns, which share the same bootstrap samples."""
    counts = [column.counts() for column in columns]
    points = [rates(c.sum(axis=0)) for c in counts]
    probable = [column.probable() for column in columns]
    n = len(units.clusters)
    drawn: list[dict[str, list[Floats]]] = [{} for _ in columns]
    if n > 1 and options.resamples:
        stacked = np.hstack(counts)
        for block in resample_counts(n, resamples=options.resamples, seed=options.seed):
            sums = weighted_sums(block, stacked).reshape(len(block), len(columns), 4)
            for i, (column_draws, (p, error, cluster)) in enumerate(
                zip(drawn, probable, strict=True)
            ):
                for name, drawn_values in rates(sums[:, i]).items():
                    column_draws.setdefault(name, []).append(drawn_values)
                if len(p):
                    parts = _parts(block, cluster)
                    column_draws.setdefault("auc", []).append(areas(p, error, parts))
    result = []
    for column, point, (p, error, _), draws in zip(columns, points, probable, drawn, strict=True):
        values: dict[str, float | None] = {name: _known(float(point[name])) for name in RATES}
        values["auc"] = _known(float(areas(p, error)[0])) if len(p) else None
        values |= {"ece": None, "brier": None} | dict(calibration(p, error))
        used = column.decisions.used
        values["coverage"] = float(column.decisions.known[used].mean()) if used.any() else None
        if not values["coverage"]:  # without any decision, no other figure is defined
            values = dict.fromkeys(values) | {"coverage": values["coverage"]}
        intervals = {
            name: interval_of_draws(np.concatenate(parts), 50 * (1 - options.confidence))
            for name, parts in draws.items()
            if values.get(name) is not None and name != "flagged"
        }
        result.append((values, intervals))
    return result


def _parts(block: Floats, cluster: NDArray[np.intp]) -> Iterator[Floats]:
    step = max(1, _AT_A_TIME // max(1, len(cluster)))
    for start in range(0, len(block), step):
        yield block[start : start + step, cluster]


def _known(value: float) -> float | None:
    return None if value != value else value


def differences(first: Floats, second: Floats) -> Floats:
    """Each cluster's share of the difference in balanced accuracy; their mean is the difference.

    Both evaluators have the same labels, so balanced accuracy is linear in the counts. Exchanging
    the two evaluators' decisions on a cluster only changes the sign of the cluster's share.
    """
    total = first.sum(axis=0)
    errors, right = total[0] + total[2], total[1] + total[3]
    difference = first - second
    shares: Floats = len(first) * (difference[:, 0] / errors + difference[:, 3] / right) / 2
    return shares


class BaselineTest(NamedTuple):
    """A test of a column against the best baseline."""

    p: float | None = None
    p_holm: float | None = None
    against: str = ""
    better: bool | None = None


def tests_of(
    columns: Sequence[Decided], figures: Sequence[Figures], options: Options
) -> list[BaselineTest]:
    """Tests each column against the best baseline at its level."""
    balanced = [values["balanced_accuracy"] for values, _ in figures]
    results = [BaselineTest()] * len(columns)
    for level in dict.fromkeys(column.level for column in columns):
        members = [i for i, c in enumerate(columns) if c.level == level]
        baselines = [i for i in members if columns[i].judged.evaluator in BASELINES]
        judged = [
            i
            for i in members
            if i not in baselines
            and columns[i].variant in ("", "leave", "unflagged")
            and balanced[i] is not None
        ]
        if not baselines or not judged:
            continue
        best = max(baselines, key=lambda i: balanced[i] or 0.0)
        baseline, pairs = columns[best], []
        for i in judged:
            used = baseline.decisions.used & columns[i].decisions.used
            paired = replace(baseline, decisions=replace(baseline.decisions, used=used))
            difference = differences(columns[i].counts(), paired.counts())
            pairs.append(Pair(difference[:, None]))
        tests = paired_tests(pairs, resamples=options.resamples, seed=options.seed, intervals=False)
        for i, (test,) in zip(judged, tests, strict=True):
            if test.p == test.p:
                exceeds = (balanced[i] or 0) > (balanced[best] or 0.0)
                better = test.p_holm < 1 - options.confidence and exceeds
                results[i] = BaselineTest(test.p, test.p_holm, baseline.judged.evaluator, better)
    return results


@dataclass(frozen=True, kw_only=True)
class Row:
    """A table row: one evaluator's results on one block.

    Attributes:
        block: Name of the block, such as ``"felm wk"``.
        evaluator: Name of the evaluator.
        references: ``"all"`` responses, or those with a reference text (``"with-text"``).
        level: Name of the unit that is counted.
        variant: ``"right"`` or ``"wrong"`` if the row counts unreadable answers as such;
            ``"leave"`` or ``"unflagged"`` if it shows one treatment of missing predictions;
            otherwise empty.
        threshold: ``"own"``, ``"fitted"`` or the number.
        n: Number of units counted.
        of: Total number of units, including those that are not counted.
        errors: Number of errors among the counted units.
        figures: Figures as fractions, by name; None if undefined.
        intervals: Bootstrap intervals of the figures, by name; not every figure has one.
        by_kind: Recall and number of errors, by type of error.
        usage: Number of model calls and tokens, and their cost; empty if no model was called.
        statuses: Number of units by the status of their judgment.
        note: Remarks on the row, or empty.
        p: The p-value of the paired test against the best baseline; None if not tested.
        p_holm: The p-value after correction for all tests in the block.
        against: Name of the best baseline.
        better: Whether the balanced accuracy is significantly higher than the baseline's; None
            if not tested.
        clusters: For each cluster, the counts used in paired tests: true positives, false
            positives, false negatives, true negatives.
    """

    block: str
    evaluator: str
    references: str
    level: str
    variant: str
    threshold: str
    n: int
    of: int
    errors: int
    figures: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None] = field(default_factory=dict)
    by_kind: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    p: float | None = None
    p_holm: float | None = None
    against: str = ""
    better: bool | None = None
    clusters: Mapping[str, tuple[float, ...]] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as nested JSON values."""
        first = (
            "block",
            "evaluator",
            "references",
            "level",
            "variant",
            "threshold",
            "n",
            "of",
            "errors",
        )
        return {
            **{name: getattr(self, name) for name in first},
            **self.figures,
            "intervals": {k: None if v is None else list(v) for k, v in self.intervals.items()},
            "recall_by_type": {
                kind: {"recall": share, "n": n} for kind, (share, n) in self.by_kind.items()
            },
            "usage": dict(self.usage),
            "statuses": dict(self.statuses),
            "note": self.note,
            "p": self.p,
            "p_holm": self.p_holm,
            "against": self.against,
            "better_than_not_reading": self.better,
        }

    def to_flat(self) -> dict[str, Any]:
        """The row as written to a CSV file."""
        row = self.to_dict()
        intervals, kinds, usage = (row.pop(k) for k in ("intervals", "recall_by_type", "usage"))
        row.pop("statuses")
        for name, interval in intervals.items():
            row[f"{name}_low"], row[f"{name}_high"] = interval or (None, None)
        row |= {f"recall_{kind}": value["recall"] for kind, value in kinds.items()}
        row |= usage
        return row


def block_rows(block: Block, judgments: Sequence[Opinions], options: Options) -> list[Row]:
    """Returns a block's rows: one per combination of references, evaluator, level and variant."""
    rows: list[Row] = []
    for references, places in parts_of(block, options):
        rows += _rows(block, places, references, judgments, options)
    return rows


def parts_of(block: Block, options: Options) -> Iterator[tuple[str, list[int]]]:
    """The choices of references that get rows, each with the indices of its items."""
    texts = [item.has_text for item in block.items]
    for references in ("all", "with-text"):
        if options.references not in (None, references):
            continue
        # If all items have a reference text, both choices are the same.
        same = all(texts) and options.references is None
        if references == "with-text" and (same or not any(texts)):
            continue
        yield references, [i for i, text in enumerate(texts) if text or references == "all"]


def _rows(
    block: Block,
    places: list[int],
    references: str,
    judgments: Sequence[Opinions],
    options: Options,
) -> list[Row]:
    items = [block.items[i] for i in places]
    units = LabeledUnits.of(items)
    columns: list[Decided] = []
    for judged in judgments:
        selected = Opinions(
            judged.evaluator, [judged.opinions[i] for i in places] if judged.opinions else []
        )
        columns += columns_of(block, units, selected, options)
    figures = figures_of(columns, units, options)
    tests = tests_of(columns, figures, options)
    return [
        Row(
            block=block.name,
            evaluator=column.judged.evaluator,
            references=references,
            level=column.level.name,
            variant=column.variant,
            threshold=threshold_name(column, options),
            n=int(column.decisions.used.sum()),
            of=len(column.units),
            errors=int((column.units.error & column.decisions.used).sum()),
            figures=values | _correlation(column, items),
            intervals=intervals,
            by_kind=recalls(column.units, column.decisions) if not column.level.merge else {},
            usage=_usage(column.judged),
            statuses=dict(Counter(j.status for o in column.judged.given for j in o.judgements)),
            note=_note(column.judged, items),
            **test._asdict(),
            clusters=_clusters(column),
        )
        for column, (values, intervals), test in zip(columns, figures, tests, strict=True)
    ]


def _clusters(column: Decided) -> dict[str, tuple[float, ...]]:
    """The counts by cluster; empty for rows that are not compared with other runs."""
    if column.judged.evaluator in BASELINES or column.variant not in ("", "leave"):
        return {}
    counts = column.counts().tolist()
    return {name: tuple(row) for name, row in zip(column.units.clusters, counts, strict=True)}


def _correlation(column: Decided, items: Sequence[Item]) -> dict[str, float | None]:
    """Pearson's r between the shares of supported facts given by people and by the evaluator."""
    if column.level.name != "fact":
        return {}
    used = column.decisions.used
    size = np.bincount(column.units.item[used], minlength=len(items))
    truth = np.bincount(column.units.item[used], column.units.error[used], len(items))
    flagged = np.bincount(column.units.item[used], column.decisions.flagged[used], len(items))
    has = size > 0
    people, evaluator = truth[has] / size[has], flagged[has] / size[has]
    if len(people) < 2 or not people.std() or not evaluator.std():
        return {"r": None}
    return {"r": float(np.corrcoef(people, evaluator)[0, 1])}


def _usage(judged: Opinions) -> dict[str, Any]:
    usage = Usage()
    for opinion in judged.given:
        usage.merge(opinion.usage)
    if not usage.tallies:
        return {}
    total = usage.total()
    return {
        "calls": total.answers + total.failed,
        "tokens": total.prompt_tokens + total.completion_tokens,
        "cost": total.cost,
    }


def _note(judged: Opinions, items: Sequence[Item]) -> str:
    notes, opinions = [], judged.given
    fallback = sum(opinion.fallback for opinion in opinions)
    if fallback:
        notes.append(f"references for {len(opinions) - fallback} of {len(opinions)}")
    out = sum(opinion.out_of_range for opinion in opinions)
    if out:
        notes.append(f"{out} numbers out of range")
    if opinions and len(opinions) < len(items):
        notes.append(f"predictions for {len(opinions)} of {len(items)}")
    return "; ".join(notes)


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
