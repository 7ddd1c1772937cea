"""Links compared with brute force and scipy, with ties, candidates and any shape."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from dfactscore.linking import LinkingError, link_groups, support_counts
from dfactscore.linking import _links as links

SHAPES = st.tuples(st.integers(0, 5), st.integers(0, 5))
COUNTS = SHAPES.flatmap(lambda s: arrays(float, s, elements=st.integers(0, 4).map(float)))


def entities(counts, **options):
    return [link.entity for link in link_groups(counts, **options)]


def total(counts, found):
    return sum(counts[g, e] for g, e in enumerate(found) if e is not None)


def test_argmax_takes_the_better_rank_on_a_tie():
    counts = np.array([[2.0, 2.0, 1.0], [0.0, 3.0, 3.0]])
    assert entities(counts) == [0, 1]
    assert entities(counts, ranks=[2, 1, 0]) == [1, 2]


def test_runner_up_and_margin():
    (link,) = link_groups(np.array([[2.0, 5.0, 0.0]]))
    assert (link.entity, link.support, link.runner_up, link.margin) == (1, 5.0, 0, 3.0)
    (alone,) = link_groups(np.array([[0.0, 5.0, 0.0]]))
    assert (alone.runner_up, alone.margin) == (None, 5.0)


@pytest.mark.parametrize("method", ["argmax", "hungarian"])
def test_unsupported_groups_are_unlinked(method):
    assert entities(np.zeros((2, 3)), method=method) == [None, None]
    assert entities(np.zeros((0, 3)), method=method) == []
    assert entities(np.zeros((2, 0)), method=method) == [None, None]


def test_hungarian_leaves_surplus_groups_unlinked():
    counts = np.array([[3.0], [5.0], [4.0]])
    assert entities(counts, method="hungarian") == [None, 0, None]


def test_candidates_restrict_links():
    counts = np.array([[5.0, 1.0]])
    only_second = np.array([False, True])
    assert entities(counts, candidates=only_second) == [1]
    assert entities(counts, candidates=np.array([False, False])) == [None]


def test_wrong_options():
    with pytest.raises(LinkingError, match="unknown link method 'best'"):
        link_groups(np.zeros((1, 1)), method="best")
    with pytest.raises(LinkingError, match="2 ranks for 1"):
        link_groups(np.zeros((1, 1)), ranks=[0, 1])
    with pytest.raises(LinkingError, match="candidates have shape"):
        link_groups(np.zeros((1, 2)), candidates=np.array([True]))


@given(COUNTS)
def test_argmax_is_the_best_of_each_row(counts):
    for row, link in zip(counts, entities(counts), strict=True):
        best = row.max(initial=0)
        assert (link is None) == (best == 0)
        assert link is None or (row[link] == best and not (row[:link] == best).any())


@given(COUNTS)
def test_hungarian_total_equals_scipy(counts):
    found = entities(counts, method="hungarian")
    used = [e for e in found if e is not None]
    assert len(used) == len(set(used))
    expected = counts[linear_sum_assignment(counts, maximize=True)].sum()
    assert total(counts, found) == expected


@given(COUNTS)
def test_hungarian_is_the_same_by_the_solver(counts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "_FEW", 0)
        solved = entities(counts, method="hungarian")
    assert entities(counts, method="hungarian") == solved


@given(COUNTS.filter(lambda c: c.shape[0] <= 4 and c.shape[1] <= 4))
def test_hungarian_is_the_best_ranked_of_the_best(counts):
    """Compared with brute force: the largest total, then the lowest columns, group by group."""
    n, m = counts.shape
    columns = [*range(m), *[None] * n]
    choices = {
        tuple(c if c is not None and counts[g, c] > 0 else None for g, c in enumerate(p))
        for p in permutations(columns, n)
    }
    best = max(choices, key=lambda p: (total(counts, p), [-(m if c is None else c) for c in p]))
    assert tuple(entities(counts, method="hungarian")) == best


@given(COUNTS, st.randoms(use_true_random=False))
def test_column_order_does_not_matter(counts, random):
    order = list(range(counts.shape[1]))
    random.shuffle(order)
    for method in ("argmax", "hungarian"):
        straight = entities(counts, method=method)
        shuffled = entities(counts[:, order], method=method, ranks=order)
        assert [None if e is None else order[e] for e in shuffled] == straight


def test_support_counts():
    support = np.array([[1, 0], [1, 1], [0, 1]], dtype=bool)
    assert support_counts(support, [[0, 1], [2]]).tolist() == [[2.0, 1.0], [0.0, 1.0]]
    assert support_counts(support, []).shape == (0, 2)
