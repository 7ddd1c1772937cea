from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy

from dfactscore.linking import SupportMatrix, group_mixing
from dfactscore.linking._mixed_facts import Doubts

TITLES = "abcdef"


@st.composite
def cases(draw):
    n_facts, n_entities = draw(st.integers(1, 7)), draw(st.integers(1, 5))
    rows = st.lists(st.booleans(), min_size=n_entities, max_size=n_entities)
    support = draw(st.lists(rows, min_size=n_facts, max_size=n_facts))
    named = draw(st.sets(st.integers(0, n_entities - 1)))
    ranks = draw(st.permutations(range(n_entities)))
    matrix = SupportMatrix.from_support(support, TITLES[:n_entities])
    return SupportMatrix(matrix.entities, matrix.status, matrix.probability, tuple(ranks)), named


def _supporters(matrix, named):
    return [{e for e in named if row[e]} for row in matrix.support]


@settings(deadline=None)
@given(cases())
def test_min_entities_is_the_smallest_cover(case):
    matrix, named = case
    (group,) = group_mixing(matrix, [range(len(matrix.status))], named=named)
    sets = [s for s in _supporters(matrix, named) if s]
    sizes = [
        k
        for k in range(len(named) + 1)
        if any(all(s & set(c) for s in sets) for c in combinations(named, k))
    ]
    assert group.min_entities == min(sizes)
    assert group.supported == len(sets)


@settings(deadline=None)
@given(cases())
def test_switches_are_the_fewest_cuts(case):
    matrix, named = case
    (group,) = group_mixing(matrix, [range(len(matrix.status))], named=named)
    sets = [s for s in _supporters(matrix, named) if s]
    fewest = _fewest_cuts(sets)
    assert len(group.switches) == fewest
    bounds = [0, *group.switches, len(matrix.status)]
    for start, end in pairwise(bounds):
        piece = [s for s in _supporters(matrix, named)[start:end] if s]
        assert not piece or set.intersection(*piece)


def _fewest_cuts(sets):
    best = {0: -1}
    for end in range(1, len(sets) + 1):
        best[end] = min(
            best[start] + 1 for start in range(end) if set.intersection(*sets[start:end])
        )
    return max(0, best[len(sets)])


@settings(deadline=None)
@given(cases())
def test_credit_foreign_and_entropy_agree(case):
    matrix, named = case
    (group,) = group_mixing(matrix, [range(len(matrix.status))], named=named)
    supporters = _supporters(matrix, named)
    for fact, column in enumerate(group.credit):
        assert (column is None) == (not supporters[fact])
        assert column is None or column in supporters[fact]
        assert (fact in group.foreign) == (column is not None and column != group.home)
    counts = np.unique([c for c in group.credit if c is not None], return_counts=True)[1]
    assert group.entropy == pytest.approx(entropy(counts, base=2) if len(counts) else 0)
    if group.min_entities <= 1:
        assert group.switches == ()


@settings(deadline=None)
@given(cases(), st.randoms())
def test_the_order_of_entities_changes_nothing(case, random):
    matrix, named = case
    order = list(range(len(matrix.entities)))
    random.shuffle(order)
    moved = SupportMatrix(
        tuple(matrix.entities[e] for e in order),
        matrix.status[:, order],
        matrix.probability[:, order],
        tuple(matrix.ranks[e] for e in order),
    )
    facts = [range(len(matrix.status))]
    (one,) = group_mixing(matrix, facts, named=named)
    (two,) = group_mixing(moved, facts, named=[i for i, e in enumerate(order) if e in named])
    ids = [
        tuple(None if c is None else m.entities[c] for c in (g.home, *g.credit))
        for m, g in ((matrix, one), (moved, two))
    ]
    assert ids[0] == ids[1]
    assert (one.foreign, one.switches, one.mixed) == (two.foreign, two.switches, two.mixed)


def test_pages_that_do_not_bear_the_name_mix_nobody():
    matrix = SupportMatrix.from_support([[1, 0], [1, 0], [0, 1], [0, 1]], ["Ann Lee", "Leeds"])
    (group,) = group_mixing(matrix, [[0, 1, 2, 3]], named=[0])
    assert (group.mixed, group.foreign, group.min_entities) == (False, (), 1)


def test_how_many_facts_make_a_group_mixed():
    for n, foreign, mixed in ((2, 1, True), (19, 1, True), (20, 1, False), (20, 2, True)):
        matrix = SupportMatrix.from_support([[1, 0]] * (n - foreign) + [[0, 1]] * foreign, "ab")
        (group,) = group_mixing(matrix, [range(n)], named=[0, 1])
        assert group.mixed is mixed
        for limit in (1, 2):
            (group,) = group_mixing(matrix, [range(n)], named=[0, 1], min_foreign=limit)
            assert group.mixed is (foreign >= limit)


def test_single_facts_of_several_others_are_no_mixing_of_a_long_text():
    matrix = SupportMatrix.from_support([[1, 0, 0]] * 20 + [[0, 1, 0], [0, 0, 1]], "abc")
    (group,) = group_mixing(matrix, [range(22)], named=[0, 1, 2])
    assert group.foreign == (20, 21)
    assert not group.mixed


def test_a_group_about_someone_else_is_measured_by_the_bearers_of_that_name():
    matrix = SupportMatrix.from_support(
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["Ann", "Bo (poet)", "Bo (spy)"]
    )
    (ann, bo) = group_mixing(matrix, [[0], [1, 2]], named=[0], named_otherwise={1: [1, 2]})
    assert (ann.mixed, bo.mixed, bo.foreign) == (False, True, (2,))


def test_a_group_of_nobody():
    matrix = SupportMatrix.from_support([[0], [0]], ["a"])
    (group,) = group_mixing(matrix, [[0, 1]], named=[0])
    assert (group.home, group.supported, group.entropy, group.mixed) == (None, 0, 0.0, False)


def short(*rows):
    """A matrix and its probabilities; a cell with at least 0.5 is supported."""
    values = np.array(rows, dtype=float)
    return SupportMatrix.from_support(values >= 0.5, ["a", "b"][: values.shape[1]]), values


@pytest.mark.parametrize(
    ("rows", "mixed"),
    [
        ([(0.9, 0.1), (0.1, 0.9)], True),  # one clear fact about each person
        ([(0.95, 0.0), (0.9, 0.1), (0.05, 0.95)], True),
        ([(0.9, 0.9), (0.1, 0.9)], False),  # true of one person only
        ([(0.9, 0.1), (0.4, 0.6)], True),
        ([(0.9, 0.1)], False),
        ([(0.9, 0.0)] * 5 + [(0.0, 0.9)], True),
        ([(0.1, 0.1), (0.2, 0.3)], False),
        ([(0.9, 0.4), (0.6, 0.49)], False),
    ],
)
def test_verdicts_decide_and_the_probability_agrees(rows, mixed):
    matrix, values = short(*rows)
    (group,) = group_mixing(matrix, [range(len(rows))], named=[0, 1], values=values)
    assert group.mixed == mixed
    if group.home is None:
        assert group.probability is None  # nothing is known
    else:
        assert 0 <= group.probability <= 1
        assert (group.probability >= 0.5) == mixed
    (bare,) = group_mixing(matrix, [range(len(rows))], named=[0, 1])
    assert (bare.probability, bare.mixed) == (None, mixed)


def doubted(values, own=None, different=1.0):
    """Returns whether a text is mixed if the owners of its passages are in doubt."""
    values = np.array(values, dtype=float)
    matrix = SupportMatrix.from_support((values > 0.5).tolist(), ["painter", "rower"])
    owned = np.ones_like(values) if own is None else np.array(own, dtype=float)
    doubts = Doubts(owned, np.array([[1.0, different], [different, 1.0]]))
    (group,) = group_mixing(
        matrix, [range(len(values))], named=[0, 1], values=values, doubts=doubts
    )
    return group.mixed


def test_mixing_may_be_unknown():
    two = [[0.99, 0.01]] * 2 + [[0.01, 0.99]] * 2
    assert doubted(two) is True
    assert doubted(two, different=0.5) is None  # the two may be one person
    shared = [[0.99, 0.01], [0.99, 0.99], [0.99, 0.99]]
    assert doubted(shared) is False
    assert doubted(shared, [[1, 1], [0.3, 0.7], [0.3, 0.7]]) is None
    assert doubted(shared, [[1, 1], [0.5, 0.5], [0.5, 0.5]]) is False  # less than one in three
    assert doubted(shared, [[1, 1], [0.9, 0.1], [0.9, 0.1]]) is False
