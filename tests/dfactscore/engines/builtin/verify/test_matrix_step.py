"""The second step: a text's share weighs all its facts, and rivals move away from the best page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dfactscore.engines._builtin.verify import matrix_step
from dfactscore.engines._builtin.verify.matrix_step import Share, follow_evidence, separate_rivals
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier

OWN = BuiltinVerifier()
SHIPPED = OWN._model.prior


@st.composite
def matrices(draw, least=0):
    shape = draw(st.integers(1, 6)), draw(st.integers(least, 4))
    values = draw(arrays(float, shape, elements=st.floats(0.001, 0.999)))
    return np.where(draw(arrays(bool, shape)), values, np.nan if draw(st.booleans()) else values)


def same(one, other):
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-9)


@st.composite
def priors(draw):
    share = st.floats(0.05, 0.95)
    return Share(
        even=draw(share),
        usual=draw(share),
        slope=draw(st.floats(0.5, 3)),
        worth=draw(st.floats(0.5, 30)),
        growth=draw(st.floats(0, 2)),
    )


@given(matrices(), st.floats(0, 4), priors(), st.randoms(use_true_random=False))
def test_order_changes_nothing(matrix, rivalry, prior, chance):
    rows, columns = (chance.sample(range(n), n) for n in matrix.shape)
    for step in (lambda m: separate_rivals(m, rivalry), lambda m: follow_evidence(m, prior)):
        same(step(matrix)[rows][:, columns], step(matrix[rows][:, columns]))


@given(matrices(), st.randoms(use_true_random=False))
def test_the_order_changes_no_byte(matrix, chance):
    weigh = OWN.weigh
    rows, columns = (chance.sample(range(n), n) for n in matrix.shape)
    moved = np.ascontiguousarray(matrix[rows][:, columns])
    assert weigh((), matrix)[rows][:, columns].tobytes() == weigh((), moved).tobytes()


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


@given(matrices(least=1), priors())
def test_the_order_of_cells_stays(matrix, prior):
    before, after = matrix.ravel(), follow_evidence(matrix, prior).ravel()
    known = ~np.isnan(before)
    same(np.isnan(after), ~known)
    order = np.argsort(before[known], kind="stable")
    assert (np.diff(after[known][order]) >= 0).all()
    assert ((after[known] > 0) & (after[known] < 1)).all()


@given(matrices(least=1))
def test_no_supported_fact_is_worth_less_than_an_unsupported_one(matrix):
    best = np.fmax.reduce(matrix, axis=1)
    worth = np.fmax.reduce(OWN.weigh((), matrix), axis=1)
    supported = best >= OWN.threshold
    if supported.any() and (best[~supported] >= 0).any():
        assert np.nanmin(worth[supported]) >= np.nanmax(worth[~supported])


@given(matrices(least=1))
def test_an_unread_fact_or_page_changes_no_other(matrix):
    unread = np.full((1, matrix.shape[1]), np.nan)
    same(
        follow_evidence(np.vstack([matrix, unread]), SHIPPED)[:-1], follow_evidence(matrix, SHIPPED)
    )
    more = np.hstack([matrix, np.full((len(matrix), 1), np.nan)])
    same(follow_evidence(more, SHIPPED)[:, :-1], follow_evidence(matrix, SHIPPED))


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (2, 0)])
def test_nothing_to_weigh_is_no_fault(shape):
    assert OWN.weigh((), np.empty(shape)).shape == shape


@given(matrices(least=1), priors())
def test_the_share_is_a_limit_that_is_reached(matrix, prior):
    """The result satisfies its own equation, long before the last round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix_step, "ROUNDS", 2_000)
        found = follow_evidence(matrix, prior)
    same(found, follow_evidence(matrix, prior))
    best = np.fmax.reduce(found, axis=1)
    best = best[~np.isnan(best)]
    worth = prior.worth + prior.growth * len(best)
    share = (best.sum() + worth * prior.usual) / (len(best) + worth)
    odds = _odds(share) + prior.slope * (_odds(matrix) - _odds(prior.even))
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-odds)), atol=1e-5)


def _odds(p):
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return np.log(p / (1 - p))


@pytest.mark.parametrize("n", [1, 5, 40])
def test_even_evidence_leaves_the_usual_share(n):
    found = follow_evidence(np.full((n, 1), SHIPPED.even), SHIPPED)
    same(found.round(6), np.full((n, 1), SHIPPED.usual))


def test_few_supported_facts_make_the_others_less_likely():
    rest = np.array([0.95, 0.9, 0.6])
    good = follow_evidence(np.r_[rest, np.full(20, 0.97)][:, None], SHIPPED)[:3, 0]
    bad = follow_evidence(np.r_[rest, np.full(20, 0.3)][:, None], SHIPPED)[:3, 0]
    assert (bad < good - 0.05).all()


@pytest.mark.parametrize(("p", "score"), [(0.3, 0.01), (0.99, 0.99)])
def test_a_text_beside_its_evidence_scores_near_its_truth(p, score):
    assert abs(follow_evidence(np.full((15, 1), p), SHIPPED).mean() - score) < 0.02


def test_it_finds_a_share():
    """Probabilities calibrated for one share are adapted to a text with another share."""
    generator = np.random.default_rng(0)
    prior = Share(even=0.85, usual=0.85, slope=1.0, worth=10, growth=0)
    means = []
    for _ in range(200):
        true = generator.random(40) < 0.4
        odds = generator.normal(np.where(true, 2.0, -2.0), 2.0)  # log-likelihood ratios
        judged = 1 / (1 + np.exp(-(odds + np.log(0.85 / 0.15))))
        means.append([follow_evidence(judged[:, None], prior).mean(), judged.mean(), true.mean()])
    found, before, truth = np.mean(means, axis=0)
    assert abs(found - truth) < 0.4 * abs(before - truth)
