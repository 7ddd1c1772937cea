"""Rank stability: how often an order of models holds when names are resampled."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._bootstrap import resample_counts, weighted_sums

# Models that are equal up to this share one place: sums of the same values in another order are.
_EQUAL = 1e-9

Order = tuple[tuple[str, ...], ...]
"""Models from the best place on; those of one place are tied, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class RankStability:
    """Orders of the models by FS and by D-FS, over names that all of them answered.

    Models with the same mean share a place, so no number depends on the order of the models.

    Attributes:
        n: Names that all models answered.
        fs_order: Models by mean FS, best first.
        dfs_order: Models by mean D-FS, best first.
        fs_held: Share of resamples with exactly that order by FS.
        dfs_held: Share of resamples with exactly that order by D-FS.
        fs_orders: Every order by FS that came up, with its share of resamples, likeliest first.
        dfs_orders: The same by D-FS.
        reordered: Share of resamples in which D-FS puts two models the other way round than FS; one
            in which two models are tied by only one of the scores counts half.
        fs_beats: ``fs_beats[i][j]`` is the share of resamples in which model ``i`` has the
            higher FS; ties count half. Models are in the order given, not by rank.
        dfs_beats: The same by D-FS.
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
        """Whether D-FS puts the models into another order than FS."""
        return self.fs_order != self.dfs_order


def rank_stability(
    labels: tuple[str, ...],
    fs: NDArray[np.float64],
    dfs: NDArray[np.float64],
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> RankStability | None:
    """Resamples names and ranks the models each time, by both scores on the same names.

    Args:
        labels: The models.
        fs: Shape ``(names, models)``, FS in [0, 1]; a name with a NaN is left out.
        dfs: D-FS, same shape.
        resamples: Number of bootstrap samples.
        seed: Seed of the draws.

    Returns:
        None if fewer than two models or fewer than two common names are left.
    """
    kept = ~(np.isnan(fs).any(axis=1) | np.isnan(dfs).any(axis=1))
    fs, dfs = fs[kept], dfs[kept]
    n, width = fs.shape
    if width < 2 or n < 2:
        return None
    both = np.hstack([fs, dfs])
    draws = resample_counts(n, resamples=resamples, seed=seed)
    means = np.concatenate([weighted_sums(counts, both) for counts in draws]) / n
    places = _places(means[:, :width]), _places(means[:, width:])
    seen = _places(fs.sum(axis=0)[None] / n)[0], _places(dfs.sum(axis=0)[None] / n)[0]
    return RankStability(
        n=n,
        fs_order=_order(seen[0], labels),
        dfs_order=_order(seen[1], labels),
        fs_held=float((places[0] == seen[0]).all(axis=1).mean()),
        dfs_held=float((places[1] == seen[1]).all(axis=1).mean()),
        fs_orders=_shares(places[0], labels),
        dfs_orders=_shares(places[1], labels),
        reordered=_reordered(*places),
        fs_beats=_beats(places[0]),
        dfs_beats=_beats(places[1]),
    )


def _places(sums: NDArray[np.float64]) -> NDArray[np.int16]:
    """The place of each model in each row, 0 is best; equal ones share a place."""
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
    seen, counts = np.unique(places, axis=0, return_counts=True)
    shares = [
        (_order(row, labels), float(n) / len(places)) for row, n in zip(seen, counts, strict=True)
    ]
    return tuple(sorted(shares, key=lambda one: (-one[1], one[0])))


def _reordered(first: NDArray[np.int16], second: NDArray[np.int16]) -> float:
    """Share of draws with a pair the other way round; half for a pair that only one score ties."""
    worst = np.zeros(len(first), dtype=np.int8)
    for i, j in combinations(range(first.shape[1]), 2):
        signs = [np.sign(places[:, i] - places[:, j]) for places in (first, second)]
        np.maximum(worst, np.abs(signs[0] - signs[1]).astype(np.int8), out=worst)
    return float(worst.mean() / 2)


def _beats(places: NDArray[np.int16]) -> tuple[tuple[float, ...], ...]:
    ahead = np.sign(places[:, None, :] - places[:, :, None])
    return tuple(tuple(float(x) for x in row) for row in (0.5 + ahead.mean(axis=0) / 2))
