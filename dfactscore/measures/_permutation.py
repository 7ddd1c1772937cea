"""Paired permutation test: compares a difference with those that result from random swaps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._bootstrap import weighted_sums

_BLOCK = 1_000


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
