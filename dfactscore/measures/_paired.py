"""Paired differences, their intervals, and tests corrected for multiple comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._bootstrap import Interval, clustered_interval, percentile_intervals
from dfactscore.measures._holm import holm
from dfactscore.measures._permutation import paired_permutation_pvalues

_NONE = Interval(float("nan"), float("nan"))


@dataclass(frozen=True, eq=False)
class Pair:
    """The differences between two runs, one row per unit."""

    # First run minus second, of shape `(units, measures)`; must not contain NaN. All measures share
    # the same draws.
    differences: NDArray[np.float64]
    clusters: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Tested:
    """The test result for one measure of a pair.

    Attributes:
        n: The number of units.
        difference: The mean difference.
        interval: The bootstrap interval of the difference; NaN if it was not requested.
        p: The p-value of the two-sided paired permutation test.
        p_holm: The p-value after correction for all tests in the same call.
        significant: Whether `p_holm` does not exceed the significance level.
        effect: The mean difference divided by the standard deviation of the differences.
    """

    n: int
    difference: float
    interval: Interval
    p: float
    p_holm: float
    significant: bool
    effect: float | None


def paired_tests(
    pairs: Iterable[Pair],
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    intervals: bool = True,
) -> list[tuple[Tested, ...]]:
    """Tests the differences of each pair."""
    all_pairs = list(pairs)
    pvalues = [
        paired_permutation_pvalues(pair.differences, resamples=resamples, seed=seed)
        for pair in all_pairs
    ]
    adjusted = iter(holm([float(p) for row in pvalues for p in row]))
    results = []
    for pair, row in zip(all_pairs, pvalues, strict=True):
        spans = _intervals(pair, confidence, resamples, seed) if intervals else [_NONE] * len(row)
        results.append(
            tuple(
                _tested(values, span, float(p), next(adjusted), 1 - confidence)
                for values, span, p in zip(pair.differences.T, spans, row, strict=True)
            )
        )
    return results


def _intervals(pair: Pair, confidence: float, resamples: int, seed: int) -> list[Interval]:
    if pair.clusters is None:
        return percentile_intervals(
            pair.differences, confidence=confidence, resamples=resamples, seed=seed
        )
    return [
        clustered_interval(
            values.tolist(), pair.clusters, confidence=confidence, resamples=resamples, seed=seed
        )
        for values in pair.differences.T
    ]


def _tested(
    values: NDArray[np.float64], interval: Interval, p: float, p_holm: float, level: float
) -> Tested:
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    mean = float(values.mean())
    return Tested(
        n=len(values),
        difference=mean,
        interval=interval,
        p=p,
        p_holm=p_holm,
        significant=p_holm <= level,
        effect=mean / spread if spread > 0 else None,
    )
