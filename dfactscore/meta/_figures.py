"""Computes figures and bootstrap intervals for columns, and tests columns against baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._bootstrap import (
    Interval,
    interval_of_draws,
    resample_counts,
    weighted_sums,
)
from dfactscore.measures._error_rates import RATES, areas, calibration, rates
from dfactscore.measures._paired import Pair, paired_tests
from dfactscore.meta._baselines import BASELINES
from dfactscore.meta._decision_columns import Decided, Floats, Options
from dfactscore.meta._unit_decisions import LabeledUnits

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
