"""Gradient boosting by CatBoost, as questions and values that the verifier reads.

CatBoost's trees are oblivious: every level asks one question, so a tree of depth ``d`` is ``d``
comparisons and a table of ``2**d`` values (Prokhorenkova et al. 2018).
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float32]
Tree = tuple[list[tuple[int, float]], list[float]]


@dataclass(frozen=True)
class Settings:
    """`rate` shrinks, `l2` smooths each leaf's value, `columns` and `rows` are sampled by tree.

    With several `bags` as many models with other seeds are fitted, and their mean is what counts.
    """

    trees: int = 300
    depth: int = 6
    rate: float = 0.1
    l2: float = 10.0
    bins: int = 64
    columns: float = 0.5
    rows: float = 0.7
    bags: int = 1
    seed: int = 20


def fit(
    table: Table,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    settings: Settings,
    start: NDArray[np.float64] | None = None,
) -> tuple[float, list[Tree]]:
    """Fits log-loss by Newton steps; returns the base log-odds and the trees.

    One thread, so that the same rows give the same bytes.

    Args:
        table: Shape ``(rows, features)``.
        labels: Shape ``(rows,)``, 0 or 1.
        weights: Shape ``(rows,)``.
        settings: The trees' number, depth and so on.
        start: Shape ``(rows,)``, log-odds that the trees correct; the base is 0 then.
    """
    import catboost

    base = 0.0
    if start is None:
        positive = float((weights * labels).sum())
        base = round(float(np.log(positive / (weights.sum() - positive))), 6)
        start = np.full(len(labels), base)
    pool = catboost.Pool(table, labels, weight=weights, baseline=start)
    trees = []
    for bag in range(settings.bags):
        model = catboost.CatBoostClassifier(
            iterations=settings.trees,
            depth=settings.depth,
            learning_rate=settings.rate,
            l2_leaf_reg=settings.l2,
            border_count=settings.bins,
            rsm=settings.columns,
            subsample=settings.rows,
            bootstrap_type="Bernoulli",
            boosting_type="Plain",
            leaf_estimation_iterations=1,
            boost_from_average=False,
            random_seed=settings.seed + 100 * bag,
            thread_count=1,
            allow_writing_files=False,
            verbose=False,
        )
        model.fit(pool)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            model.save_model(str(path), format="json")
            record = json.loads(path.read_text(encoding="utf-8"))
        trees += [_tree(t, settings.depth, settings.bags) for t in record["oblivious_trees"]]
    return base, trees


def _tree(tree: dict[str, Any], depth: int, bags: int = 1) -> Tree:
    """The questions, the first being the highest bit of the place among the values.

    CatBoost's first question is the lowest bit. A tree that stopped early asks one that is always
    answered no.
    """
    questions = [
        (int(split["float_feature_index"]), float(f"{split['border']:.6g}"))
        for split in tree.get("splits") or ()
    ]
    values = [round(float(value) / bags, 4) for value in tree["leaf_values"]]
    spare = depth - len(questions)
    questions += [(0, _NEVER)] * spare
    return questions[::-1], values + [0.0] * (len(values) * ((1 << spare) - 1))


_NEVER = 1e30


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
