from __future__ import annotations

import numpy as np
import pytest

from dfactscore.comparison._ranks import rank_stability


def _scores():
    rng = np.random.default_rng(0)
    fs = np.column_stack([rng.beta(9, 1, 80) for _ in range(3)])
    return fs, fs * rng.beta(9, 1, (80, 3))


def test_agrees_with_a_plain_loop():
    fs, dfs = _scores()
    found = rank_stability(("a", "b", "c"), fs, dfs, resamples=400, seed=3)
    draws = np.random.default_rng(3).integers(0, 80, (400, 80))
    seen = np.argsort(-fs.mean(axis=0))
    orders = [(np.argsort(-fs[d].mean(axis=0)), np.argsort(-dfs[d].mean(axis=0))) for d in draws]
    assert found.fs_order == tuple(("abc"[i],) for i in seen)
    assert found.fs_held == np.mean([(o[0] == seen).all() for o in orders])
    assert found.reordered == np.mean([(o[0] != o[1]).any() for o in orders])
    names = ["".join("abc"[i] for i in o[0]) for o in orders]
    shares = {"".join(place[0] for place in order): share for order, share in found.fs_orders}
    assert shares == {n: names.count(n) / 400 for n in names}
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert found.fs_beats[0][1] == np.mean([fs[d, 0].mean() > fs[d, 1].mean() for d in draws])


def test_beats_add_up_to_one():
    fs, dfs = _scores()
    found = rank_stability(("a", "b", "c"), fs, dfs, resamples=300)
    for i in range(3):
        assert found.dfs_beats[i][i] == 0.5
        for j in range(3):
            assert found.dfs_beats[i][j] + found.dfs_beats[j][i] == pytest.approx(1)


def test_clear_orders_always_hold_and_reordering_is_seen():
    fs = np.tile([0.9, 0.8], (30, 1))
    found = rank_stability(("a", "b"), fs, 1 - fs, resamples=100)
    assert (found.fs_held, found.dfs_held, found.reordered) == (1, 1, 1)
    assert found.dfs_reorders_fs


def test_equal_runs_share_a_place():
    fs = np.repeat(np.random.default_rng(1).random((30, 1)), 2, axis=1)
    found = rank_stability(("b", "a"), fs, fs, resamples=100)
    assert found.fs_order == (("a", "b"),)
    assert found.fs_orders == ((found.fs_order, 1),)
    assert (found.fs_held, found.reordered) == (1, 0)
    assert found.fs_beats[0][1] == 0.5


def test_a_tie_by_one_score_counts_half():
    fs = np.full((30, 2), 0.9)
    found = rank_stability(("a", "b"), fs, fs - [0, 0.1], resamples=100)
    assert (found.fs_order, found.dfs_order) == ((("a", "b"),), (("a",), ("b",)))
    assert (found.dfs_reorders_fs, found.reordered) == (True, 0.5)


def test_the_order_of_the_arguments_changes_nothing():
    rng = np.random.default_rng(5)
    fs = rng.integers(8, 11, (12, 4)) / 10  # many ties
    dfs = fs - rng.integers(0, 4, (12, 4)) / 10
    found = rank_stability(tuple("abcd"), fs, dfs, resamples=500)
    turned = [2, 0, 3, 1]
    again = rank_stability(
        tuple("abcd"[i] for i in turned), fs[:, turned], dfs[:, turned], resamples=500
    )
    assert any(len(place) > 1 for order, _ in found.fs_orders for place in order)
    for field in ("fs_order", "dfs_order", "fs_held", "fs_orders", "dfs_orders", "reordered"):
        assert getattr(again, field) == getattr(found, field)
    beats = np.array(found.dfs_beats)[np.ix_(turned, turned)]
    assert again.dfs_beats == tuple(map(tuple, beats.tolist()))


def test_names_that_one_left_unanswered_are_left_out():
    fs, dfs = _scores()
    fs[:5, 1] = np.nan
    assert rank_stability(("a", "b", "c"), fs, dfs, resamples=100).n == 75


@pytest.mark.parametrize(("names", "runs"), [(1, 2), (0, 2), (30, 1)])
def test_nothing_to_rank(names, runs):
    scores = np.full((names, runs), 0.5)
    assert rank_stability(tuple("ab"[:runs]), scores, scores) is None
