"""Gradient boosting by LightGBM, as questions and values that the verifier reads.

A tree of few leaves is written as a table: its questions, at most one fewer than its leaves, and a
value for each of their combined answers, whether or not all of them lie on the way to the leaf. So
a verdict costs one comparison a question and one look-up a tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float32]
Tree = tuple[list[tuple[int, float]], list[float]]


@dataclass(frozen=True)
class Settings:
    """`rate` shrinks, `l2` is added to each leaf's weight, `columns` and `rows` are sampled.

    A tree has one leaf more than `questions`; each leaf has at least `least` rows. With `extra`,
    one limit of each feature is drawn at random at every node, which makes the trees less alike.
    """

    trees: int = 200
    questions: int = 6
    rate: float = 0.1
    l2: float = 20.0
    bins: int = 64
    columns: float = 0.5
    rows: float = 0.7
    least: int = 20
    extra: bool = False
    seed: int = 20


def fit(
    table: Table,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    settings: Settings,
    start: NDArray[np.float64] | None = None,
) -> tuple[float, list[Tree]]:
    """Fits log-loss by Newton steps; returns the base log-odds and the trees.

    One thread and rows in order, so that the same rows give the same bytes. The features are cut
    into bins here, at limits of six digits, so that what is written asks what was learned.

    Args:
        table: Shape ``(rows, features)``.
        labels: Shape ``(rows,)``, 0 or 1.
        weights: Shape ``(rows,)``.
        settings: The trees' number, size and so on.
        start: Shape ``(rows,)``, log-odds that the trees correct; the base is 0 then.
    """
    import lightgbm

    edges = [_edges(table[:, column], settings.bins) for column in range(table.shape[1])]
    binned = np.empty(table.shape, dtype=np.float32)
    for column, edge in enumerate(edges):
        binned[:, column] = np.searchsorted(edge, table[:, column], side="left")
    positive = float((weights * labels).sum())
    base = round(float(np.log(positive / (weights.sum() - positive))), 6)
    if start is not None:
        base = 0.0
    options = {
        "objective": "binary",
        "learning_rate": settings.rate,
        "num_leaves": settings.questions + 1,
        "lambda_l2": settings.l2,
        "min_data_in_leaf": settings.least,
        "feature_fraction": settings.columns,
        "bagging_fraction": settings.rows,
        "bagging_freq": 1,
        "extra_trees": settings.extra,
        "max_bin": settings.bins + 1,
        "min_data_in_bin": 1,
        "boost_from_average": False,
        "seed": settings.seed,
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }
    data = lightgbm.Dataset(
        binned,
        labels,
        weight=weights,
        init_score=np.full(len(labels), base) if start is None else start,
        params=options,
    )
    model = lightgbm.train(options, data, settings.trees)
    return base, [
        _tree(tree["tree_structure"], edges, settings.questions)
        for tree in model.dump_model()["tree_info"]
    ]


def _edges(values: Table, bins: int) -> Table:
    """Limits between distinct values where these are few, else quantiles."""
    distinct = np.unique(values)
    if len(distinct) <= bins:
        edges = (distinct[:-1] + distinct[1:]) / 2
    else:
        edges = np.quantile(
            distinct if len(distinct) < 4 * bins else values, np.arange(1, bins) / bins
        )
    return np.unique(np.array([float(f"{edge:.6g}") for edge in edges], dtype=np.float32))


def _tree(root: dict[str, Any], edges: list[Table], size: int) -> Tree:
    """The table of a tree: the value for each way to answer all its questions.

    The first question is the highest bit; a tree that stopped early asks its last one again.
    """
    questions: list[tuple[int, float]] = []

    def fill(node: dict[str, Any], rows: NDArray[np.intp]) -> None:
        if "leaf_value" in node:
            values[rows] = round(float(node["leaf_value"]), 4)
            return
        column = int(node["split_feature"])
        bit = size - 1 - len(questions)
        questions.append((column, float(f"{edges[column][int(node['threshold'])]:.6g}")))
        yes = (rows >> bit) & 1 == 1
        fill(node["left_child"], rows[~yes])
        fill(node["right_child"], rows[yes])

    values = np.zeros(1 << size)
    fill(root, np.arange(1 << size))
    questions += [questions[-1] if questions else (0, 0.0)] * (size - len(questions))
    return questions, values.tolist()


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
