"""Rank stability: how often an order of models holds when other names are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.comparison.bootstrap import resample_counts, weighted_sums

__all__ = ["RankStability", "rank_stability"]


@dataclass(frozen=True, slots=True)
class RankStability:
    """Orders of the models by FS and by D-FS, over names that all of them answered.

    Attributes:
        n: Names that all models answered.
        fs_order: Models by mean FS, best first.
        dfs_order: Models by mean D-FS, best first.
        fs_held: Share of resamples with exactly that order by FS.
        dfs_held: Share of resamples with exactly that order by D-FS.
        fs_orders: Every order by FS that came up, with its share of resamples, likeliest first.
        dfs_orders: The same by D-FS.
        reordered: Share of resamples in which the order by D-FS differs from that by FS.
        fs_beats: ``fs_beats[i][j]`` is the share of resamples in which model ``i`` has the
            higher FS; ties count half. Models are in the order given, not by rank.
        dfs_beats: The same by D-FS.
    """

    n: int
    fs_order: tuple[str, ...]
    dfs_order: tuple[str, ...]
    fs_held: float
    dfs_held: float
    fs_orders: tuple[tuple[tuple[str, ...], float], ...]
    dfs_orders: tuple[tuple[tuple[str, ...], float], ...]
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
        None where fewer than two models or fewer than two common names are left.
    """
    kept = ~(np.isnan(fs).any(axis=1) | np.isnan(dfs).any(axis=1))
    fs, dfs = fs[kept], dfs[kept]
    n, width = fs.shape
    if width < 2 or n < 2:
        return None
    both = np.hstack([fs, dfs])
    means = np.concatenate(
        [
            weighted_sums(counts, both)
            for counts in resample_counts(n, resamples=resamples, seed=seed)
        ]
    )
    by_fs, by_dfs = means[:, :width], means[:, width:]
    orders = _order(by_fs), _order(by_dfs)
    seen = _order(fs.sum(axis=0)[None])[0], _order(dfs.sum(axis=0)[None])[0]
    return RankStability(
        n=n,
        fs_order=tuple(labels[i] for i in seen[0]),
        dfs_order=tuple(labels[i] for i in seen[1]),
        fs_held=float((orders[0] == seen[0]).all(axis=1).mean()),
        dfs_held=float((orders[1] == seen[1]).all(axis=1).mean()),
        fs_orders=_shares(orders[0], labels),
        dfs_orders=_shares(orders[1], labels),
        reordered=float((orders[0] != orders[1]).any(axis=1).mean()),
        fs_beats=_beats(by_fs),
        dfs_beats=_beats(by_dfs),
    )


def _order(means: NDArray[np.float64]) -> NDArray[np.intp]:
    # rounded, so that equal means summed in another order stay equal; ties keep the given order
    return np.argsort(-means.round(9), axis=1, kind="stable")


def _shares(
    orders: NDArray[np.intp], labels: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], float], ...]:
    seen, counts = np.unique(orders, axis=0, return_counts=True)
    likeliest = np.argsort(-counts, kind="stable")
    return tuple(
        (tuple(labels[i] for i in seen[k]), float(counts[k]) / len(orders)) for k in likeliest
    )


def _beats(means: NDArray[np.float64]) -> tuple[tuple[float, ...], ...]:
    gaps = np.sign((means[:, :, None] - means[:, None, :]).round(9))
    return tuple(tuple(float(x) for x in row) for row in (0.5 + gaps.mean(axis=0) / 2))
