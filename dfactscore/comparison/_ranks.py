"""Rank stability: the share of resamples of names in which a ranking of models holds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._resampling import resample_counts, weighted_sums

# Sums of the same values in a different order differ by less than this; such models are tied.
_EQUAL = 1e-9

Order = tuple[tuple[str, ...], ...]
"""Models by rank, best first; tied models share a rank, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class RankStability:
    """Rankings of the models by FS and by D-FS, computed over the names that all models answered.

    Models with the same mean are tied, so that no value depends on the order of the input.

    Attributes:
        n: The number of names that all models answered.
        fs_order: The models by mean FS, best first.
        dfs_order: The models by mean D-FS, best first.
        fs_held: The share of resamples whose FS ranking is exactly `fs_order`.
        dfs_held: The share of resamples whose D-FS ranking is exactly `dfs_order`.
        fs_orders: All FS rankings that occur in the resamples, with the share of each, most
            frequent first.
        dfs_orders: Same as `fs_orders`, but for D-FS.
        reordered: The share of resamples in which D-FS swaps two models of the FS ranking; a
            resample in which only one of the scores ties two models counts half.
        fs_beats: ``fs_beats[i][j]`` is the share of resamples in which model ``i`` has the
            higher FS; ties count half. The models are in the order of the input.
        dfs_beats: Same as `fs_beats`, but for D-FS.
    """

    n: int
    fs_order: Order
    dfs_order: Order
    fs_held: float
    dfs_held: float
    fs_orders: tuple[tuple[Order, float], ...]
    dfs_orders: tuple[tuple[Order, float], ...]
    reordered: float
    fs_beats: tuple[tuple[float, ...], ...]
    dfs_beats: tuple[tuple[float, ...], ...]

    @property
    def dfs_reorders_fs(self) -> bool:
        """Whether FS and D-FS rank the models differently."""
        return self.fs_order != self.dfs_order


def rank_stability(
    labels: tuple[str, ...],
    fs: NDArray[np.float64],
    dfs: NDArray[np.float64],
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> RankStability | None:
    """Ranks the models by both scores in each of many resamples of the names.

    Args:
        labels: The names of the models.
        fs: FS in [0, 1], of shape ``(names, models)``; names for which a value is NaN are ignored.
        dfs: D-FS, in an array of the same shape.
        resamples: The number of bootstrap samples.
        seed: Random seed for the draws.

    Returns:
        The rankings and their shares; None if there are fewer than two models or fewer than two
        common names.
    """
    complete = ~(np.isnan(fs).any(axis=1) | np.isnan(dfs).any(axis=1))
    fs, dfs = fs[complete], dfs[complete]
    n, width = fs.shape
    if width < 2 or n < 2:
        return None
    scores = np.hstack([fs, dfs])
    draws = resample_counts(n, resamples=resamples, seed=seed)
    means = np.concatenate([weighted_sums(counts, scores) for counts in draws]) / n
    places = _places(means[:, :width]), _places(means[:, width:])
    observed = _places(fs.sum(axis=0)[None] / n)[0], _places(dfs.sum(axis=0)[None] / n)[0]
    return RankStability(
        n=n,
        fs_order=_order(observed[0], labels),
        dfs_order=_order(observed[1], labels),
        fs_held=float((places[0] == observed[0]).all(axis=1).mean()),
        dfs_held=float((places[1] == observed[1]).all(axis=1).mean()),
        fs_orders=_shares(places[0], labels),
        dfs_orders=_shares(places[1], labels),
        reordered=_reordered(*places),
        fs_beats=_beats(places[0]),
        dfs_beats=_beats(places[1]),
    )


def _places(sums: NDArray[np.float64]) -> NDArray[np.int16]:
    """Returns the rank of each model in each row, from 0; tied models share a rank."""
    best_first = np.argsort(-sums, axis=1, kind="stable")
    drops = -np.diff(np.take_along_axis(sums, best_first, axis=1), axis=1) > _EQUAL
    places = np.zeros(sums.shape, dtype=np.int16)
    np.put_along_axis(
        places,
        best_first,
        np.pad(np.cumsum(drops, axis=1, dtype=np.int16), ((0, 0), (1, 0))),
        axis=1,
    )
    return places


def _order(places: NDArray[np.int16], labels: tuple[str, ...]) -> Order:
    tiers: list[list[str]] = [[] for _ in range(int(places.max()) + 1)]
    for label, place in zip(labels, places, strict=True):
        tiers[place].append(label)
    return tuple(tuple(sorted(tier)) for tier in tiers)


def _shares(places: NDArray[np.int16], labels: tuple[str, ...]) -> tuple[tuple[Order, float], ...]:
    orders, counts = np.unique(places, axis=0, return_counts=True)
    shares = [
        (_order(row, labels), float(n) / len(places)) for row, n in zip(orders, counts, strict=True)
    ]
    return tuple(sorted(shares, key=lambda share: (-share[1], share[0])))


def _reordered(first: NDArray[np.int16], second: NDArray[np.int16]) -> float:
    """Returns the share of draws with a swapped pair; a pair tied by only one score counts half."""
    worst = np.zeros(len(first), dtype=np.int8)
    for i, j in combinations(range(first.shape[1]), 2):
        signs = [np.sign(places[:, i] - places[:, j]) for places in (first, second)]
        np.maximum(worst, np.abs(signs[0] - signs[1]).astype(np.int8), out=worst)
    return float(worst.mean() / 2)


def _beats(places: NDArray[np.int16]) -> tuple[tuple[float, ...], ...]:
    ahead = np.sign(places[:, None, :] - places[:, :, None])
    return tuple(tuple(float(x) for x in row) for row in (0.5 + ahead.mean(axis=0) / 2))
