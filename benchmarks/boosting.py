"""Gradient boosting of oblivious trees, in numpy: every level of a tree asks one question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float32]
Tree = tuple[list[tuple[int, float]], list[float]]


@dataclass(frozen=True)
class Settings:
    """`rate` shrinks, `l2` is added to each leaf's weight, `columns` and `rows` are sampled.

    At most `search` of the rows choose a tree's questions; all of them choose its values.
    """

    trees: int = 200
    depth: int = 4
    rate: float = 0.1
    l2: float = 20.0
    bins: int = 32
    columns: float = 0.5
    rows: float = 0.7
    search: int = 20_000
    seed: int = 20


def fit(
    table: Table,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    settings: Settings,
    start: NDArray[np.float64] | None = None,
) -> tuple[float, list[Tree]]:
    """Fits log-loss by Newton steps; returns the base log-odds and the trees.

    Args:
        table: Shape ``(rows, features)``.
        labels: Shape ``(rows,)``, 0 or 1.
        weights: Shape ``(rows,)``.
        settings: The trees' number, depth and so on.
        start: Shape ``(rows,)``, log-odds that the trees correct; the base is 0 then.
    """
    chance = np.random.default_rng(settings.seed)
    size, width = table.shape
    edges = [_edges(table[:, column], settings.bins) for column in range(width)]
    binned = np.stack(
        [np.searchsorted(edge, table[:, i], side="left") for i, edge in enumerate(edges)]
    ).astype(np.int16)
    bins = max(len(edge) for edge in edges) + 1
    usable = [column for column in range(width) if len(edges[column])]
    positive = float((weights * labels).sum())
    base = round(float(np.log(positive / (weights.sum() - positive))), 6)
    score = np.full(size, base)
    if start is not None:
        base, score = 0.0, start.astype(np.float64)
    trees: list[Tree] = []
    for _ in range(settings.trees):
        estimate = 1.0 / (1.0 + np.exp(-score))
        slope = weights * (labels - estimate)
        curve = weights * estimate * (1.0 - estimate)
        rows = np.flatnonzero(chance.random(size) < settings.rows)
        columns = sorted(
            chance.choice(usable, max(1, int(settings.columns * len(usable))), replace=False)
        )
        few = np.sort(chance.permutation(rows)[: settings.search])
        g, h, part = slope[few], curve[few], binned[:, few]
        scale = settings.l2 * len(few) / len(rows)
        leaf = np.zeros(len(few), dtype=np.int64)
        questions: list[tuple[int, float]] = []
        for level in range(settings.depth):
            _, column, cut = _best(g, h, part, leaf, columns, edges, bins, level, scale)
            questions.append((int(column), float(edges[column][cut])))
            leaf = 2 * leaf + (part[column] > cut)
        place = np.zeros(size, dtype=np.int64)
        for column, limit in questions:
            place = 2 * place + (table[:, column] > np.float32(limit))
        leaf, g, h = place[rows], slope[rows], curve[rows]
        count = 1 << settings.depth
        steps = np.bincount(leaf, g, count) / (np.bincount(leaf, h, count) + settings.l2)
        values = [round(float(value), 4) for value in settings.rate * steps]
        trees.append((questions, values))
        score = score + np.array(values)[place]
    return base, trees


def _edges(values: Table, bins: int) -> Table:
    distinct = np.unique(values)
    if len(distinct) <= bins:
        return ((distinct[:-1] + distinct[1:]) / 2).astype(np.float32)
    quantiles = np.quantile(
        distinct if len(distinct) < 4 * bins else values, np.arange(1, bins) / bins
    )
    return np.unique(np.round(quantiles, 5).astype(np.float32))


def _best(g, h, part, leaf, columns, edges, bins, level, l2):  # type: ignore[no-untyped-def]
    best = (-1.0, -1, 0)
    leaves = 1 << level
    base = leaf * bins
    for column in columns:
        code = base + part[column]
        left_g = np.bincount(code, g, leaves * bins).reshape(leaves, bins).cumsum(axis=1)
        left_h = np.bincount(code, h, leaves * bins).reshape(leaves, bins).cumsum(axis=1)
        right_g, right_h = left_g[:, -1:] - left_g, left_h[:, -1:] - left_h
        gain = (left_g**2 / (left_h + l2) + right_g**2 / (right_h + l2)).sum(axis=0)
        gain = gain[: len(edges[column])]
        cut = int(gain.argmax())
        if gain[cut] > best[0] + 1e-9:
            best = (float(gain[cut]), column, cut)
    return best


def fit_logistic(
    table: Table, labels: NDArray[np.int64], weights: NDArray[np.float64], l2: float = 1.0
) -> tuple[float, NDArray[np.float64]]:
    """Fits ridge-penalised logistic regression by Newton steps on standardised columns.

    Returns:
        Intercept and coefficients, in the columns' own units.
    """
    mean = table.mean(axis=0, dtype=np.float64)
    scale = table.std(axis=0, dtype=np.float64) + 1e-6
    design = np.hstack([np.ones((len(table), 1)), (table - mean) / scale])
    penalty = np.diag([0.0] + [l2] * table.shape[1])
    found = np.zeros(design.shape[1])
    for _ in range(25):
        estimate = 1.0 / (1.0 + np.exp(-design @ found))
        slope = design.T @ (weights * (labels - estimate)) - penalty @ found
        curve = (design * (weights * estimate * (1 - estimate))[:, None]).T @ design + penalty
        found = found + np.linalg.solve(curve, slope)
    inner = found[1:] / scale
    return float(found[0] - inner @ mean), inner
