"""Holm's correction for several tests on the same data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


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
