"""Resampled means and paired differences: bootstrap intervals, and permutation tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# BLAS splits larger products across several threads, which wait for each other on a busy machine.
_ONE_THREAD = 200_000
_BLOCK = 1_000  # resamples per block: with 500 names, a block takes 4 MB and fits in the cache
_DRAWN = 100  # resamples per call of the random generator


class Interval(NamedTuple):
    """A confidence interval, ``low <= high``, on the scale of the values."""

    low: float
    high: float


def resample_counts(
    n: int, *, resamples: int = 10_000, seed: int = 0
) -> Iterator[NDArray[np.float64]]:
    """Draws bootstrap samples of ``n`` names, as counts of how often each name is drawn.

    The draws are those of ``scipy.stats.bootstrap(..., rng=numpy.random.default_rng(seed))``.
    """
    # Yields blocks of shape `(block, n)`. Each row adds up to `n`; the blocks have `resamples` rows
    # in total.
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _BLOCK):
        block = np.empty((min(_BLOCK, resamples - start), n))
        for first in range(0, len(block), _DRAWN):
            rows = min(_DRAWN, len(block) - first)
            indexes = rng.integers(0, n, (rows, n))
            indexes += np.arange(rows)[:, None] * n
            counts = np.bincount(indexes.ravel(), minlength=rows * n)
            block[first : first + rows] = counts.reshape(rows, n)
        yield block


def weighted_sums(weights: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the matrix product ``weights @ values``, computed in parts by a single thread."""
    step = max(1, _ONE_THREAD // max(1, values.size))
    return np.concatenate(
        [weights[i : i + step] @ values for i in range(0, max(1, len(weights)), step)]
    )


def interval_of_draws(values: NDArray[np.float64], tail: float = 2.5) -> Interval | None:
    """Returns the percentile interval of resampled values, with `tail` percent in each tail.

    Undefined values (NaN) are ignored; if all values are undefined, the interval is None.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Interval(float(low), float(high))


def percentile_intervals(
    values: NDArray[np.float64],
    *,
    weights: NDArray[np.float64] | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Interval]:
    """Computes intervals for the mean of each column by resampling names (rows).

    All columns share the draws, so the scores of a name stay together.

    Args:
        values: Array of shape ``(names, measures)``; must not contain NaN.
        weights: Array of the same shape with the number of biographies over which each value is a
            mean; 1 by default. The mean is then taken over biographies, but draws are still made
            over names.
        confidence: The probability that the interval covers the mean over all names.
        resamples: The number of bootstrap samples.
        seed: Random seed for the draws.

    Returns:
        One interval per column, between the percentiles ``(1 - confidence) / 2`` and
        ``(1 + confidence) / 2`` of the resampled means (Efron and Tibshirani 1993, chapter 13).
        NaN if there are fewer than two names.
    """
    n = len(values)
    if n < 2:
        return [Interval(float("nan"), float("nan"))] * values.shape[1]
    counts = resample_counts(n, resamples=resamples, seed=seed)
    if weights is None or (weights == 1).all():
        means = np.concatenate([weighted_sums(block, values) for block in counts]) / n
    else:
        stacked = np.hstack([values * weights, weights])
        width = values.shape[1]
        sums = (weighted_sums(block, stacked) for block in counts)
        with np.errstate(invalid="ignore"):
            means = np.concatenate([part[:, :width] / part[:, width:] for part in sums])
    tail = 50 * (1 - confidence)
    # The mean of a draw is undefined if all its weights are zero.
    percentiles = np.nanpercentile if np.isnan(means).any() else np.percentile
    low, high = percentiles(means, [tail, 100 - tail], axis=0)
    return [Interval(float(a), float(b)) for a, b in zip(low, high, strict=True)]


def clustered_interval(
    values: Sequence[float],
    names: Sequence[str],
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Computes the interval of the mean over biographies, which are drawn together by name.

    Args:
        values: The values, one per biography.
        names: The name for each biography; names may be repeated.
        confidence: The probability that the interval covers the mean.
        resamples: The number of bootstrap samples.
        seed: Random seed for the draws.
    """
    places = {name: i for i, name in enumerate(dict.fromkeys(names))}
    name_indexes = np.array([places[name] for name in names], dtype=np.intp)
    weights = np.bincount(name_indexes, minlength=len(places)).astype(np.float64)
    totals = np.bincount(name_indexes, np.asarray(values, dtype=np.float64), minlength=len(places))
    return percentile_intervals(
        (totals / weights)[:, None],
        weights=weights[:, None],
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )[0]


def holm(pvalues: Sequence[float]) -> list[float]:
    """Adjusts p-values to control the family-wise error rate (Holm 1979).

    Args:
        pvalues: The p-values in any order; NaN marks a test that was impossible and is ignored.

    Returns:
        The adjusted p-values in the same order. A test is significant if its adjusted p-value does
        not exceed the significance level.

    Example:
        >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    values = np.asarray(pvalues, dtype=np.float64)
    adjusted = np.full(values.shape, np.nan)
    tests = np.flatnonzero(~np.isnan(values))
    order = tests[np.argsort(values[tests], kind="stable")]
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in adjusted]


def random_swaps(n: int, *, resamples: int = 10_000, seed: int = 0) -> Iterator[NDArray[np.bool_]]:
    """Chooses pairs to swap at random, or all ``2**n`` combinations if there are fewer."""
    # Yields blocks of shape `(block, n)`: whether each pair is swapped.
    if n < 63 and 2**n <= resamples:
        numbers = np.arange(2**n)[:, None]
        yield (numbers >> np.arange(n)) & 1 == 1
        return
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _BLOCK):
        rows = min(_BLOCK, resamples - start)
        octets = rng.integers(0, 256, (rows, -(-n // 8)), dtype=np.uint8)
        yield np.unpackbits(octets, axis=1, count=n).astype(bool)


def permutation_pvalues(
    observed: NDArray[np.float64], null: NDArray[np.float64], *, exact: bool
) -> NDArray[np.float64]:
    """Computes two-sided p-values: twice the smaller tail probability, at most 1."""
    # `exact`: whether `null` contains every permutation. If not, the observed difference is added
    # so that no p-value is 0 (Phipson and Smyth 2010).
    extra = 0 if exact else 1
    # Sums of equal differences in a different order differ slightly; the tolerance is scipy's.
    slack = np.abs(100 * np.finfo(np.float64).eps * observed)
    below = (null <= observed + slack).sum(axis=0) + extra
    above = (null >= observed - slack).sum(axis=0) + extra
    pvalues: NDArray[np.float64] = 2 * np.minimum(below, above) / (len(null) + extra)
    return np.minimum(pvalues, 1.0)


def paired_permutation_pvalues(
    differences: NDArray[np.float64], *, resamples: int = 10_000, seed: int = 0
) -> NDArray[np.float64]:
    """Computes two-sided p-values for the mean paired difference of each column.

    Under the null hypothesis that the models do not differ, the two scores of each name are
    exchangeable. The test statistic is the difference in means. The result agrees with
    ``scipy.stats.permutation_test(permutation_type="samples")`` on the same permutations.

    Args:
        differences: First model minus second, of shape ``(names, measures)``; must not contain NaN.
        resamples: The number of random permutations; if no more than this many exist, all are
            enumerated.
        seed: Random seed for the permutations.

    Returns:
        P-values of shape ``(measures,)``; NaN if there are fewer than two names.
    """
    n = len(differences)
    if n < 2:
        return np.full(differences.shape[1], np.nan)
    total = differences.sum(axis=0)
    null = np.concatenate(
        [
            total - 2 * weighted_sums(swaps.astype(np.float64), differences)
            for swaps in random_swaps(n, resamples=resamples, seed=seed)
        ]
    )
    exact = n < 63 and 2**n <= resamples
    return permutation_pvalues(total / n, null / n, exact=exact)


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
