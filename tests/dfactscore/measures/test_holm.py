from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.measures._resampling import holm

p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def _closed_bonferroni(p):
    """Holm is the closure of Bonferroni: the maximum over all sets that contain the test."""
    n = len(p)
    sets = [s for k in range(1, n + 1) for s in combinations(range(n), k)]
    return [max(min(1, len(s) * min(p[i] for i in s)) for s in sets if j in s) for j in range(n)]


@given(p_lists)
def test_is_the_closure_of_bonferroni(p):
    assert holm(p) == pytest.approx(_closed_bonferroni(p), abs=1e-12)


@given(p_lists)
def test_lies_between_the_p_and_bonferroni_and_keeps_the_order(p):
    adjusted = holm(p)
    assert all(a >= b for a, b in zip(adjusted, p, strict=True))
    assert all(a <= min(1, len(p) * b) + 1e-12 for a, b in zip(adjusted, p, strict=True))
    assert (np.diff(np.array(adjusted)[np.argsort(p, kind="stable")]) >= 0).all()


def test_tests_that_could_not_be_made_are_not_counted():
    adjusted = holm([0.01, float("nan"), 0.04])
    assert adjusted[::2] == [0.02, 0.04]
    assert np.isnan(adjusted[1])


def test_none():
    assert holm([]) == []
