"""Paired differences with intervals and corrected tests."""

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
    """First minus second, unit by unit.

    Attributes:
        differences: Shape ``(units, measures)``, without NaN; the measures share the draws.
        clusters: For each unit what it is drawn with, for one measure; each alone by default.
    """

    differences: NDArray[np.float64]
    clusters: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Tested:
    """One measure of a pair.

    Attributes:
        n: Units.
        difference: Mean.
        interval: Its bootstrap interval; NaN if none was asked for.
        p: Paired permutation test, two-sided.
        p_holm: Corrected for all tests that were asked for together.
        significant: Whether that is at most the level.
        effect: Mean difference divided by the standard deviation of the differences.
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
    """Tests pairs, one result a pair and measure.

    Args:
        pairs: The pairs.
        confidence: Of the intervals; tests are at the level ``1 - confidence``.
        resamples: Bootstrap samples, and random permutations.
        seed: Seed of both: the same seed gives the same digits.
        intervals: Whether differences get an interval.
    """
    given = list(pairs)
    pvalues = [
        paired_permutation_pvalues(pair.differences, resamples=resamples, seed=seed)
        for pair in given
    ]
    adjusted = iter(holm([float(p) for row in pvalues for p in row]))
    found = []
    for pair, row in zip(given, pvalues, strict=True):
        spans = _intervals(pair, confidence, resamples, seed) if intervals else [_NONE] * len(row)
        found.append(
            tuple(
                _tested(values, span, float(p), next(adjusted), 1 - confidence)
                for values, span, p in zip(pair.differences.T, spans, row, strict=True)
            )
        )
    return found


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
