"""Scores of a verifier."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def auc(labels: NDArray[np.int64], values: Array) -> float:
    """Area under the ROC curve; ties count half."""
    from scipy.stats import rankdata

    ranks = rankdata(values)
    yes = int(labels.sum())
    no = len(labels) - yes
    if not yes or not no:
        return float("nan")
    return float((ranks[labels == 1].sum() - yes * (yes + 1) / 2) / (yes * no))


def balanced_accuracy(labels: NDArray[np.int64], said: NDArray[np.bool_]) -> float:
    """Mean of the shares found right among supported and among unsupported."""
    return float((said[labels == 1].mean() + (~said[labels == 0]).mean()) / 2)


def calibration_error(labels: NDArray[np.int64], values: Array, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width."""
    place = np.minimum((values * bins).astype(int), bins - 1)
    total = 0.0
    for number in range(bins):
        inside = place == number
        if inside.any():
            total += inside.mean() * abs(values[inside].mean() - labels[inside].mean())
    return float(total)
