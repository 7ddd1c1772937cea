"""The second step: rivals move away from the best page, and a text's share shifts all its facts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dfactscore.engines._builtin.verify.matrix_step import adapt_prevalence, separate_rivals


@st.composite
def matrices(draw, least=0):
    shape = draw(st.integers(1, 6)), draw(st.integers(least, 4))
    values = draw(arrays(float, shape, elements=st.floats(0.001, 0.999)))
    return np.where(draw(arrays(bool, shape)), values, np.nan if draw(st.booleans()) else values)


def same(one, other):
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-9)


@given(matrices(), st.floats(0, 4), st.randoms(use_true_random=False))
def test_order_changes_nothing(matrix, rivalry, chance):
    rows, columns = (chance.sample(range(n), n) for n in matrix.shape)
    for step in (lambda m: separate_rivals(m, rivalry), lambda m: adapt_prevalence(m, 0.85, 10)):
        same(step(matrix)[rows][:, columns], step(matrix[rows][:, columns]))


@given(matrices(least=1), st.floats(0, 4))
def test_the_best_page_stays_and_none_rises(matrix, rivalry):
    found = separate_rivals(matrix, rivalry)
    same(np.isnan(found), np.isnan(matrix))
    same(np.fmax.reduce(found, axis=1), np.fmax.reduce(matrix, axis=1))
    assert (np.nan_to_num(found) <= np.nan_to_num(matrix) + 1e-12).all()


@given(arrays(float, st.tuples(st.integers(1, 6), st.just(1)), elements=st.floats(0, 1)))
def test_a_single_page_stays(matrix):
    same(separate_rivals(matrix, 2.0), matrix)


@pytest.mark.parametrize("p", [0.5, 0.9, 0.999])
def test_what_is_true_of_both_stays_true_of_both(p):
    same(separate_rivals(np.array([[p, p]]), 1.0), [[p, p]])


@given(matrices(least=1), st.floats(0.05, 0.95), st.floats(1, 100))
def test_the_order_of_cells_stays(matrix, usual, worth):
    before, after = matrix.ravel(), adapt_prevalence(matrix, usual, worth).ravel()
    known = ~np.isnan(before)
    order = np.argsort(before[known], kind="stable")
    assert (np.diff(after[known][order]) >= -1e-12).all()
    assert ((after[known] > 0) & (after[known] < 1)).all()


def test_a_text_of_the_usual_share_stays():
    usual = np.full((200, 1), 0.85)
    same(adapt_prevalence(usual, 0.85, 10).round(3), usual)


def test_few_supported_facts_make_the_others_less_likely():
    rest = np.array([0.9, 0.6, 0.2])
    good = adapt_prevalence(np.r_[rest, np.full(20, 0.97)][:, None], 0.85, 10)[:3, 0]
    bad = adapt_prevalence(np.r_[rest, np.full(20, 0.03)][:, None], 0.85, 10)[:3, 0]
    assert (bad < rest).all()
    assert (rest < good).all()


def test_it_finds_a_share():
    """Probabilities calibrated for one share are adapted to a text with another share."""
    generator = np.random.default_rng(0)
    means = []
    for _ in range(200):
        true = generator.random(40) < 0.4
        odds = generator.normal(np.where(true, 2.0, -2.0), 2.0)  # log-likelihood ratios
        judged = 1 / (1 + np.exp(-(odds + np.log(0.85 / 0.15))))
        means.append(
            [adapt_prevalence(judged[:, None], 0.85, 10).mean(), judged.mean(), true.mean()]
        )
    found, before, truth = np.mean(means, axis=0)
    assert abs(found - truth) < 0.4 * abs(before - truth)
