"""Scores of a verifier, by `dfactscore.measures`; a label of 1 means supported."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._agreement import areas, calibration, rates

Array = NDArray[np.float64]


def auc(labels: NDArray[np.int64], values: Array) -> float:
    """Area under the ROC curve; ties count half."""
    return float(areas(values, labels == 0)[0])


def balanced_accuracy(labels: NDArray[np.int64], said: NDArray[np.bool_]) -> float:
    """Mean of the accuracies on supported and on unsupported facts."""
    error, flagged = np.asarray(labels) == 0, ~np.asarray(said, dtype=bool)
    pairs = (error & flagged, ~error & flagged, error & ~flagged, ~error & ~flagged)
    return float(rates(np.array([pair.sum() for pair in pairs]))["balanced_accuracy"])


def calibration_error(labels: NDArray[np.int64], values: Array) -> float:
    """Expected calibration error over ten bins of equal width."""
    return calibration(values, labels == 0)["ece"]
