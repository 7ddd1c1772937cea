"""Scores of a verifier and their intervals, resampling whole names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
RESAMPLES = 500


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


def interval(
    clusters: Sequence[str],
    statistic: Callable[[NDArray[np.intp]], float],
    resamples: int = RESAMPLES,
    seed: int = 20,
) -> tuple[float, float]:
    """The 95 % bootstrap interval of a statistic of rows, drawing whole clusters."""
    order: dict[str, list[int]] = {}
    for row, cluster in enumerate(clusters):
        order.setdefault(cluster, []).append(row)
    groups = [np.array(rows) for rows in order.values()]
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        drawn = chance.integers(0, len(groups), len(groups))
        value = statistic(np.concatenate([groups[i] for i in drawn]))
        if not np.isnan(value):
            found.append(value)
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def show(value: float, bounds: tuple[float, float]) -> str:
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"
