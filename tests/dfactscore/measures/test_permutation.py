from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dfactscore.measures._resampling import (
    paired_permutation_pvalues,
    permutation_pvalues,
    random_swaps,
)


def _mean_difference(a, b, axis):
    return (a - b).mean(axis=axis)


@pytest.mark.parametrize("shift", [0.0, 0.02, 0.05, -0.04])
@pytest.mark.parametrize("n", [60, 495])
def test_equals_scipy_on_the_same_permutations(n, shift):
    rng = np.random.default_rng(3)
    a, b = rng.beta(9, 1, n), rng.beta(9, 1, n) - shift
    theirs = stats.permutation_test(
        (a, b),
        _mean_difference,
        permutation_type="samples",
        n_resamples=2_000,
        vectorized=True,
        rng=np.random.default_rng(8),
    )
    # scipy draws the order of the two members of each pair
    first = np.random.default_rng(8).permuted(np.tile(np.arange(2), (2_000, n, 1)), axis=-1)
    signs = np.where(first[:, :, 0] == 1, -1.0, 1.0)
    d = (a - b)[:, None]
    null = signs @ d / n
    assert np.allclose(np.sort(null[:, 0]), np.sort(theirs.null_distribution))
    assert permutation_pvalues(d.mean(axis=0), null, exact=False)[0] == theirs.pvalue


@pytest.mark.parametrize("seed", range(5))
def test_equals_scipy_with_every_permutation(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 5, 10) / 4, rng.integers(0, 6, 10) / 5  # many ties
    theirs = stats.permutation_test(
        (a, b), _mean_difference, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    ours = paired_permutation_pvalues((a - b)[:, None], resamples=1_024)[0]
    assert ours == pytest.approx(theirs.pvalue, abs=1e-12)


def test_random_p_approaches_the_exact_one():
    d = np.random.default_rng(2).normal(0.4, 1, (13, 1))
    exact = paired_permutation_pvalues(d, resamples=2**13)[0]
    drawn = paired_permutation_pvalues(d, resamples=8_000)[0]
    assert drawn == pytest.approx(exact, abs=0.02)


def test_equal_models_differ_by_chance_only():
    assert paired_permutation_pvalues(np.zeros((40, 2))).tolist() == [1.0, 1.0]


def test_no_p_is_zero_unless_all_were_tried():
    d = np.full((200, 1), 0.3)
    assert paired_permutation_pvalues(d, resamples=999)[0] == 2 / 1_000


def test_order_of_the_models_changes_nothing():
    d = np.random.default_rng(4).normal(0.1, 1, (80, 3))
    assert np.array_equal(paired_permutation_pvalues(d), paired_permutation_pvalues(-d))


def test_p_is_uniform_where_models_are_alike():
    rng = np.random.default_rng(6)
    p = [
        paired_permutation_pvalues(rng.normal(0, 1, (30, 1)), resamples=400, seed=i)[0]
        for i in range(300)
    ]
    assert stats.kstest(p, "uniform").pvalue > 0.01


def test_swaps_are_fair_and_seeded():
    first = np.concatenate(list(random_swaps(70, resamples=3_000, seed=1)))
    again = np.concatenate(list(random_swaps(70, resamples=3_000, seed=1)))
    assert first.shape == (3_000, 70)
    assert np.array_equal(first, again)
    assert abs(first.mean() - 0.5) < 0.01


def test_every_way_once_where_there_are_few():
    ways = np.concatenate(list(random_swaps(3, resamples=8)))
    assert len({tuple(row) for row in ways.tolist()}) == 8


def test_one_pair_says_nothing():
    assert np.isnan(paired_permutation_pvalues(np.array([[0.3]]))).all()
