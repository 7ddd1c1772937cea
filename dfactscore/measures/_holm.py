"""Holm's correction for several tests on the same data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(pvalues: Sequence[float]) -> list[float]:
    """Adjusts p-values so that the chance of any false rejection stays at the level (Holm 1979).

    Args:
        pvalues: In any order; NaN marks a test that could not be made, and is not counted.

    Returns:
        Adjusted p-values in the same order; reject where one is at most the level.

    Example:
        >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    given = np.asarray(pvalues, dtype=np.float64)
    adjusted = np.full(given.shape, np.nan)
    tests = np.flatnonzero(~np.isnan(given))
    order = tests[np.argsort(given[tests], kind="stable")]
    steps = given[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in adjusted]
