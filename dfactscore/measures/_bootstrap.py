"""Percentile bootstrap of means, which resamples names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
