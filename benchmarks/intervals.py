"""Values with 95 % bootstrap intervals, in the format of the benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._resampling import clustered_interval

RESAMPLES = 500


def interval(
    clusters: Iterable[Hashable],
    statistic: Callable[[NDArray[np.intp]], float],
    resamples: int = RESAMPLES,
    seed: int = 20,
) -> tuple[float, float]:
    """Returns the 95 % bootstrap interval of a statistic of rows; whole clusters are drawn."""
    order: dict[Hashable, list[int]] = {}
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


def percent(values: Iterable[float | None]) -> str:
    """Formats the mean in percent with its interval; None values are ignored."""
    known = 100 * np.array([v for v in values if v is not None], dtype=float)
    if not len(known):
        return "-"
    low, high = clustered_interval(known.tolist(), [str(i) for i in range(len(known))], seed=1)
    return f"{known.mean():5.1f} [{low:5.1f}, {high:5.1f}]"
