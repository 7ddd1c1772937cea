"""Percentile bootstrap of means: what the scores would be on other names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Larger products are given to several threads, which wait for each other on a busy machine.
_ONE_THREAD = 200_000
_BLOCK = 1_000  # resamples of one product: a block of 500 names is 4 MB, which stays in cache
_DRAWN = 100  # resamples drawn at a time, as whole numbers


class Interval(NamedTuple):
    """A confidence interval, ``low <= high``, on the scale of the values."""

    low: float
    high: float


def resample_counts(
    n: int, *, resamples: int = 10_000, seed: int = 0
) -> Iterator[NDArray[np.float64]]:
    """Draws bootstrap samples of ``n`` names, as how often each name was drawn.

    The draws are those of ``scipy.stats.bootstrap(..., rng=numpy.random.default_rng(seed))``.

    Args:
        n: Number of names.
        resamples: Number of bootstrap samples.
        seed: Seed of the draws.

    Yields:
        Blocks of shape ``(block, n)``; the blocks' lengths add up to ``resamples``, each row
        adds up to ``n``.
    """
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _BLOCK):
        block = np.empty((min(_BLOCK, resamples - start), n))
        for first in range(0, len(block), _DRAWN):
            rows = min(_DRAWN, len(block) - first)
            drawn = rng.integers(0, n, (rows, n))
            drawn += np.arange(rows)[:, None] * n
            counts = np.bincount(drawn.ravel(), minlength=rows * n)
            block[first : first + rows] = counts.reshape(rows, n)
        yield block


def weighted_sums(weights: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix product of ``weights`` and ``values``, in parts that one thread works on."""
    step = max(1, _ONE_THREAD // max(1, values.size))
    return np.concatenate(
        [weights[i : i + step] @ values for i in range(0, max(1, len(weights)), step)]
    )


def interval_of_draws(values: NDArray[np.float64], tail: float = 2.5) -> Interval | None:
    """The interval of drawn figures but NaN (undefined), `tail` percent below it; None of none."""
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def percentile_intervals(
    values: NDArray[np.float64],
    *,
    weights: NDArray[np.float64] | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Interval]:
    """Intervals of the mean of each column, names (rows) being drawn with replacement.

    All columns share the draws, so that a name's scores stay together.

    Args:
        values: Shape ``(names, measures)``, without NaN.
        weights: Same shape, not negative: how many biographies of the name a value is the mean of;
            all are 1 by default. The mean is over biographies then, while names are drawn.
        confidence: Probability that the interval is to cover the mean over all names.
        resamples: Number of bootstrap samples.
        seed: Seed of the draws.

    Returns:
        One interval per column: the percentiles ``(1 - confidence) / 2`` and
        ``(1 + confidence) / 2`` of the resampled means (Efron and Tibshirani 1993, chapter 13).
        NaN if there are fewer than two names, for one name says nothing about the next.
    """
    n = len(values)
    if n < 2:
        return [Interval(float("nan"), float("nan"))] * values.shape[1]
    counts = resample_counts(n, resamples=resamples, seed=seed)
    if weights is None or (weights == 1).all():
        means = np.concatenate([weighted_sums(block, values) for block in counts]) / n
    else:
        both = np.hstack([values * weights, weights])
        width = values.shape[1]
        sums = (weighted_sums(block, both) for block in counts)
        with np.errstate(invalid="ignore"):
            means = np.concatenate([part[:, :width] / part[:, width:] for part in sums])
    tail = 50 * (1 - confidence)
    # A ratio is not defined for draws whose weights are all zero.
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
    """The interval of the mean of biographies' values, each name drawn with all of its own.

    Args:
        values: One per biography.
        names: Their names, which may be repeated.
        confidence: Probability that the interval is to cover the mean.
        resamples: Number of bootstrap samples.
        seed: Seed of the draws.
    """
    places = {name: i for i, name in enumerate(dict.fromkeys(names))}
    of = np.array([places[name] for name in names], dtype=np.intp)
    weights = np.bincount(of, minlength=len(places)).astype(np.float64)
    totals = np.bincount(of, np.asarray(values, dtype=np.float64), minlength=len(places))
    return percentile_intervals(
        (totals / weights)[:, None],
        weights=weights[:, None],
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )[0]
