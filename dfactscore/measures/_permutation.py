"""Paired permutation test: would the difference be as large if the models' names were swapped?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._bootstrap import weighted_sums

_BLOCK = 1_000


def random_swaps(n: int, *, resamples: int = 10_000, seed: int = 0) -> Iterator[NDArray[np.bool_]]:
    """Draws which pairs exchange their members; all ``2**n`` ways where those are not more.

    Args:
        n: Number of pairs.
        resamples: Number of random permutations.
        seed: Seed of the draws.

    Yields:
        Blocks of shape ``(block, n)``.
    """
    if n < 63 and 2**n <= resamples:
        ways = np.arange(2**n)[:, None]
        yield (ways >> np.arange(n)) & 1 == 1
        return
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _BLOCK):
        rows = min(_BLOCK, resamples - start)
        octets = rng.integers(0, 256, (rows, -(-n // 8)), dtype=np.uint8)
        yield np.unpackbits(octets, axis=1, count=n).astype(bool)


def permutation_pvalues(
    observed: NDArray[np.float64], null: NDArray[np.float64], *, exact: bool
) -> NDArray[np.float64]:
    """Two-sided p-values: twice the smaller tail, at most 1.

    Args:
        observed: Shape ``(measures,)``, the differences of the means as they are.
        null: Shape ``(resamples, measures)``, the differences under permutation.
        exact: Whether ``null`` holds every permutation. If not, the observed one is counted
            among them, so that no p-value is 0 (Phipson and Smyth 2010).

    Returns:
        Shape ``(measures,)``.
    """
    extra = 0 if exact else 1
    # equal differences are summed in another order, hence the tolerance (scipy's)
    slack = np.abs(100 * np.finfo(np.float64).eps * observed)
    below = (null <= observed + slack).sum(axis=0) + extra
    above = (null >= observed - slack).sum(axis=0) + extra
    pvalues: NDArray[np.float64] = 2 * np.minimum(below, above) / (len(null) + extra)
    return np.minimum(pvalues, 1.0)


def paired_permutation_pvalues(
    differences: NDArray[np.float64], *, resamples: int = 10_000, seed: int = 0
) -> NDArray[np.float64]:
    """Two-sided p-values of the mean paired difference of each column.

    Under the hypothesis that the two models are alike, each name's two scores could as well have
    been the other way round; the test statistic is the difference of the means. It agrees with
    ``scipy.stats.permutation_test(permutation_type="samples")`` on the same permutations.

    Args:
        differences: Shape ``(names, measures)``, first minus second model, without NaN.
        resamples: Number of random permutations; all are enumerated if they are not more.
        seed: Seed of the permutations.

    Returns:
        Shape ``(measures,)``; NaN if there are fewer than two names.
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
