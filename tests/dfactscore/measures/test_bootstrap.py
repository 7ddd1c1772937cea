from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dfactscore.measures._resampling import (
    clustered_interval,
    percentile_intervals,
    resample_counts,
)


def one_interval(values, **options):
    return percentile_intervals(values[:, None], **options)[0]


@pytest.mark.parametrize("n", [2, 7, 100, 498])
@pytest.mark.parametrize("seed", [0, 20])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_equals_scipy_on_the_same_resamples(n, seed, confidence):
    values = np.random.default_rng(n).beta(8, 1, n)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=2_500,
        method="percentile",
        confidence_level=confidence,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    ours = one_interval(values, confidence=confidence, resamples=2_500, seed=seed)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_blocks_do_not_change_the_draws():
    whole = np.random.default_rng(5).integers(0, 13, (2_300, 13))
    counts = np.concatenate(list(resample_counts(13, resamples=2_300, seed=5)))
    expected = np.stack([np.bincount(row, minlength=13) for row in whole])
    assert (counts == expected).all()


def test_columns_share_the_draws():
    values = np.random.default_rng(1).random((60, 2))
    both = percentile_intervals(values, resamples=500, seed=9)
    alone = [one_interval(values[:, j], resamples=500, seed=9) for j in (0, 1)]
    assert np.allclose(both, alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("values", [[], [0.7]])
def test_one_name_has_no_interval(values):
    low, high = one_interval(np.array(values, dtype=float))
    assert np.isnan(low)
    assert np.isnan(high)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40), st.integers(0, 99))
def test_lies_within_the_values_and_moves_with_them(values, seed):
    x = np.array(values)
    low, high = one_interval(x, resamples=200, seed=seed)
    assert x.min() - 1e-9 <= low <= high <= x.max() + 1e-9
    moved = one_interval(1 - x, resamples=200, seed=seed)
    assert moved == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_names_are_drawn_with_all_their_biographies():
    rng = np.random.default_rng(2)
    names = [f"n{i % 9}" for i in range(25)]
    values = rng.random(25)
    by_name = [values[[n == f"n{i}" for n in names]] for i in range(9)]
    draws = np.random.default_rng(3).integers(0, 9, (1_500, 9))
    means = [np.concatenate([by_name[i] for i in draw]).mean() for draw in draws]
    ours = clustered_interval(list(values), names, resamples=1_500, seed=3)
    assert ours == pytest.approx(np.percentile(means, [2.5, 97.5]))
    assert np.isnan(clustered_interval([], [])).all()
