"""Trees by LightGBM, written as questions and a value for each way to answer them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import boosting
from boosting import Settings, Tree, fit

EDGES = [np.array([0.5, 1.5, 2.5], np.float32), np.array([-1.25], np.float32)]


def value_of(tree: Tree, row: np.ndarray) -> float:
    questions, values = tree
    place = 0
    for column, limit in questions:
        place = 2 * place + int(row[column] > np.float32(limit))
    return values[place]


def leaf(value: float) -> dict[str, Any]:
    return {"leaf_value": value}


def node(column: int, cut: int, no: dict[str, Any], yes: dict[str, Any]) -> dict[str, Any]:
    return {
        "split_feature": column,
        "threshold": cut + 0.5,
        "left_child": no,
        "right_child": yes,
    }


def walk(root: dict[str, Any], row: np.ndarray) -> float:
    while "leaf_value" not in root:
        limit = EDGES[root["split_feature"]][int(root["threshold"])]
        side = "right_child" if row[root["split_feature"]] > limit else "left_child"
        root = root[side]
    return float(root["leaf_value"])


@pytest.mark.parametrize(
    "root",
    [
        leaf(0.25),
        node(0, 1, leaf(-0.5), leaf(0.5)),
        node(0, 1, node(0, 0, leaf(-0.3), leaf(-0.1)), node(1, 0, leaf(0.1), leaf(0.4))),
        node(1, 0, leaf(0.7), node(0, 0, leaf(0.2), node(0, 2, leaf(-0.2), leaf(-0.6)))),
    ],
)
def test_a_table_says_what_the_way_through_the_tree_says(root: dict[str, Any]) -> None:
    tree = boosting._tree(root, EDGES, 4)
    assert len(tree[0]) == 4
    assert len(tree[1]) == 16
    for x in (0.0, 1.0, 2.0, 3.0):
        for y in (-2.0, -1.25, 0.0):
            row = np.array([x, y], np.float32)
            assert value_of(tree, row) == walk(root, row)


def sample() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(3)
    table = chance.normal(size=(3000, 6)).astype(np.float32)
    truth = 2 * table[:, 0] * (table[:, 1] > 0) - table[:, 2]
    labels = (chance.random(3000) < 1 / (1 + np.exp(-truth))).astype(np.int64)
    return table, labels, np.where(chance.random(3000) < 0.5, 0.3, 1.0)


def loss(labels: np.ndarray, odds: np.ndarray) -> float:
    return float(np.mean(np.logaddexp(0, odds) - labels * odds))


def test_what_is_written_was_learned_and_is_the_same_each_time() -> None:
    pytest.importorskip("lightgbm")
    table, labels, weights = sample()
    settings = Settings(trees=60, questions=5)
    base, trees = fit(table[:2000], labels[:2000], weights[:2000], settings)
    assert (base, trees) == fit(table[:2000], labels[:2000], weights[:2000], settings)
    odds = np.array([base + sum(value_of(tree, row) for tree in trees) for row in table[2000:2300]])
    truth = labels[2000:2300]
    assert loss(truth, odds) < 0.85 * loss(truth, np.full(300, base))


def test_trees_correct_the_log_odds_that_they_start_from() -> None:
    pytest.importorskip("lightgbm")
    table, labels, weights = sample()
    start = -table[:, 2].astype(np.float64)
    base, trees = fit(table, labels, weights, Settings(trees=60, questions=5), start)
    assert base == 0.0
    added = np.array([sum(value_of(tree, row) for tree in trees) for row in table[:300]])
    assert loss(labels[:300], start[:300] + added) < loss(labels[:300], start[:300])
    assert abs(np.corrcoef(added, table[:300, 2])[0, 1]) < 0.2  # nothing is left to say of it
