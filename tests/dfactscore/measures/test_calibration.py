"""A calibration increases on [0, 1], and recovers the shares of drawn facts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dfactscore.measures._calibration import Calibration, fit_calibration


@st.composite
def judged(draw):
    n = draw(st.integers(0, 80))
    values = draw(arrays(float, n, elements=st.floats(0, 1)))
    return values, draw(arrays(bool, n))


@given(judged(), st.integers(1, 60))
def test_it_is_a_map_of_probabilities(case, least):
    found = fit_calibration(*case, least=least)
    grid = found.apply(np.linspace(0, 1, 201))
    assert (np.diff(grid) > 0).all()
    assert 0 <= grid[0] < grid[-1] <= 1
    assert Calibration.of(found.to_dict()) == found


@given(judged())
def test_the_order_of_facts_changes_nothing(case):
    values, labels = case
    back = fit_calibration(values[::-1], labels[::-1], least=5)
    ahead = fit_calibration(values, labels, least=5)
    assert np.allclose(ahead.apply(values), back.apply(values), atol=0.3)
    assert ahead.apply(values).sum() == pytest.approx(back.apply(values).sum(), abs=1.5)


@pytest.mark.parametrize("truth", [lambda p: p**3, lambda p: p**0.4, lambda p: 0.2 + 0.6 * p])
def test_it_finds_the_truth(truth):
    generator = np.random.default_rng(0)
    values = generator.random(20_000)
    labels = generator.random(20_000) < truth(values)
    found = fit_calibration(values, labels)
    grid = np.linspace(0.05, 0.95, 50)
    assert np.abs(found.apply(grid) - truth(grid)).mean() < 0.02
    assert found.apply(values).mean() == pytest.approx(labels.mean(), abs=0.005)


def test_weights_stand_for_facts():
    values, labels = np.array([0.2, 0.4, 0.6, 0.8] * 50), np.array([0, 1, 0, 1] * 50)
    weights = np.array([1, 2, 3, 1] * 50)
    repeated = fit_calibration(np.repeat(values, weights), np.repeat(labels, weights), least=20)
    assert fit_calibration(values, labels, weights, least=20) == repeated


@pytest.mark.parametrize(
    ("given", "shares"),
    [
        ((0.0, 1.0), (0.5,)),
        ((0.0,), (0.5,)),
        ((0.0, 0.5, 0.5, 1.0), (0.1, 0.2, 0.3, 0.4)),
        ((0.0, 0.5, 1.0), (0.1, 0.1, 0.4)),
        ((0.1, 1.0), (0.1, 0.4)),
        ((0.0, 1.0), (-0.1, 0.4)),
        ((0.0, 1.0), (0.1, 1.4)),
        ((0.0, float("nan"), 1.0), (0.1, 0.2, 0.4)),
    ],
)
def test_what_is_not_a_map_is_refused(given, shares):
    with pytest.raises(ValueError, match=r"expected|rise"):
        Calibration(given, shares)
