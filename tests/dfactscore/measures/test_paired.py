"""Compares paired tests with scipy on the same differences."""

import numpy as np
import pytest

from dfactscore.measures._resampling import Pair, holm, paired_tests


def test_each_pair_is_tested_as_scipy_does_and_all_are_corrected_together():
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(4)
    pairs = [Pair(random.normal(shift, 1, (9, 2)).round(1)) for shift in (0.1, 1.2)]
    found = paired_tests(pairs, resamples=1000, seed=2)
    for pair, row in zip(pairs, found, strict=True):
        for values, one in zip(pair.differences.T, row, strict=True):
            expected = stats.permutation_test(
                (values, np.zeros(9)), lambda a, b: np.mean(a - b), permutation_type="samples"
            )
            assert one.p == pytest.approx(expected.pvalue)
            assert (one.n, one.difference) == (9, pytest.approx(values.mean()))
            assert one.interval.low <= one.difference <= one.interval.high
            assert one.effect == pytest.approx(values.mean() / values.std(ddof=1))
    flat = [one for row in found for one in row]
    assert [one.p_holm for one in flat] == holm([one.p for one in flat])
    assert [one.significant for one in flat] == [one.p_holm <= 1 - 0.95 for one in flat]
    assert any(one.significant for one in flat)
    assert not all(one.significant for one in flat)


def test_units_of_a_cluster_are_drawn_together():
    values = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])[:, None]
    ((alone,),) = paired_tests([Pair(values)], resamples=500)
    ((together,),) = paired_tests([Pair(values, list("aaabbb"))], resamples=500)
    assert together.interval == (0.0, 1.0)
    assert alone.interval.low > 0.0
    ((bare,),) = paired_tests([Pair(values)], resamples=500, intervals=False)
    assert (bare.p, bare.interval.low == bare.interval.low) == (alone.p, False)


def test_nothing_is_said_of_one_unit():
    ((one,),) = paired_tests([Pair(np.ones((1, 1)))], resamples=100)
    assert one.p != one.p
    assert (one.significant, one.effect) == (False, None)
    assert paired_tests([]) == []
