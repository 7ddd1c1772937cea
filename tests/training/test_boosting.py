"""Trees by CatBoost, written as questions and a value for each way to answer them."""

from __future__ import annotations

import boosting
import numpy as np
import pytest
from boosting import Settings, Tree, fit


def value_of(tree: Tree, row: np.ndarray) -> float:
    questions, values = tree
    place = 0
    for column, limit in questions:
        place = 2 * place + int(row[column] > np.float32(limit))
    return values[place]


def split(column: int, border: float) -> dict[str, object]:
    return {"float_feature_index": column, "border": border}


def test_the_first_question_of_catboost_is_the_lowest_bit() -> None:
    record = {"splits": [split(0, 0.5), split(1, 2.0)], "leaf_values": [0.1, 0.2, 0.3, 0.4]}
    tree = boosting._tree(record, 2)
    for x, y, value in ((0, 0, 0.1), (1, 0, 0.2), (0, 3, 0.3), (1, 3, 0.4), (0.5, 2, 0.1)):
        assert value_of(tree, np.array([x, y], np.float32)) == value


@pytest.mark.parametrize("splits", [[], [split(1, -1.0)], [split(1, -1.0), split(0, 1e9)]])
def test_a_tree_that_stopped_early_is_as_deep_as_the_others(
    splits: list[dict[str, object]],
) -> None:
    values = [0.25 * (n + 1) for n in range(1 << len(splits))]
    questions, leaves = boosting._tree({"splits": splits, "leaf_values": values}, 4)
    assert len(questions) == 4
    assert len(leaves) == 16
    for row in np.array([[0, 0], [1e10, 5], [-3, -3], [1e10, -3]], np.float32):
        place = sum(int(row[s["float_feature_index"]] > s["border"]) << i  # type: ignore[call-overload]
                    for i, s in enumerate(splits))  # fmt: skip
        assert value_of((questions, leaves), row) == values[place]


def sample() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(3)
    table = chance.normal(size=(3000, 6)).astype(np.float32)
    truth = 2 * table[:, 0] * (table[:, 1] > 0) - table[:, 2]
    labels = (chance.random(3000) < 1 / (1 + np.exp(-truth))).astype(np.int64)
    return table, labels, np.where(chance.random(3000) < 0.5, 0.3, 1.0)


def loss(labels: np.ndarray, odds: np.ndarray) -> float:
    return float(np.mean(np.logaddexp(0, odds) - labels * odds))


@pytest.mark.slow
def test_what_is_written_was_learned_and_is_the_same_each_time() -> None:
    pytest.importorskip("catboost")
    table, labels, weights = sample()
    settings = Settings(trees=60, depth=4)
    base, trees = fit(table[:2000], labels[:2000], weights[:2000], settings)
    assert (base, trees) == fit(table[:2000], labels[:2000], weights[:2000], settings)
    odds = np.array([base + sum(value_of(tree, row) for tree in trees) for row in table[2000:2300]])
    truth = labels[2000:2300]
    assert loss(truth, odds) < 0.85 * loss(truth, np.full(300, base))


@pytest.mark.slow
def test_values_are_those_of_catboost(monkeypatch: pytest.MonkeyPatch) -> None:
    catboost = pytest.importorskip("catboost")
    table, labels, weights = sample()
    models = []

    class Kept(catboost.CatBoostClassifier):  # type: ignore[misc]
        def fit(self, *args: object, **options: object) -> object:
            models.append(self)
            return super().fit(*args, **options)

    monkeypatch.setattr(catboost, "CatBoostClassifier", Kept)
    base, trees = fit(table, labels, weights, Settings(trees=40))
    raw = models[0].predict(table[:200], prediction_type="RawFormulaVal")
    ours = [sum(value_of(tree, row) for tree in trees) for row in table[:200]]
    np.testing.assert_allclose(ours, raw, atol=40 * 5e-5)
    assert base == round(float(np.log(weights @ labels / (weights @ (1 - labels)))), 6)


@pytest.mark.slow
def test_trees_correct_the_log_odds_that_they_start_from() -> None:
    pytest.importorskip("catboost")
    table, labels, weights = sample()
    start = -table[:, 2].astype(np.float64)
    base, trees = fit(table, labels, weights, Settings(trees=60, depth=4), start)
    assert base == 0.0
    added = np.array([sum(value_of(tree, row) for tree in trees) for row in table[:300]])
    assert loss(labels[:300], start[:300] + added) < loss(labels[:300], start[:300])
    assert abs(np.corrcoef(added, table[:300, 2])[0, 1]) < 0.2  # nothing is left to say of it
