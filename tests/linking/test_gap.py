from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore.linking import SupportMatrix, link_groups, lost_facts, support_counts


@st.composite
def cases(draw):
    n_facts, n_entities = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    rows = st.lists(st.booleans(), min_size=n_entities, max_size=n_entities)
    support = draw(st.lists(rows, min_size=n_facts, max_size=n_facts))
    of = draw(st.lists(st.integers(0, 2), min_size=n_facts, max_size=n_facts))
    groups = [[f for f in range(n_facts) if of[f] == g] for g in range(3)]
    mask = draw(st.lists(st.booleans(), min_size=n_entities, max_size=n_entities))
    named = draw(st.sets(st.integers(0, n_entities - 1)))
    matrix = SupportMatrix.from_support(support, "abcde"[:n_entities])
    return matrix, [g for g in groups if g], np.array(mask), named


@given(cases(), st.sampled_from(["argmax", "hungarian"]))
def test_the_parts_add_up_to_the_gap(case, method):
    matrix, groups, candidates, named = case
    counts = support_counts(matrix.support, groups)
    links = [x.entity for x in link_groups(counts, method=method, candidates=candidates)]
    lost = lost_facts(matrix, groups, links, named=named, candidates=candidates)
    fs = matrix.support.any(axis=1).sum()
    dfs = sum(
        matrix.support[f, e] for g, e in zip(groups, links, strict=True) if e is not None for f in g
    )
    assert lost.total == fs - dfs
    parts = [*lost.same_name, *lost.other_page, *lost.link_conflict]
    assert len(set(parts)) == len(parts)
    if method == "argmax":
        assert lost.link_conflict == ()


@settings(deadline=None)
@given(cases())
def test_without_two_of_the_name_nothing_is_mixed(case):
    matrix, groups, candidates, named = case
    one = sorted(named)[:1]
    counts = support_counts(matrix.support, groups)
    links = [x.entity for x in link_groups(counts, candidates=candidates)]
    assert lost_facts(matrix, groups, links, named=one, candidates=candidates).same_name == ()


def test_a_link_to_another_page_is_not_mixing():
    # the group is linked to the wife's page, so that the person's facts are lost
    matrix = SupportMatrix.from_support([[0, 1], [0, 1], [1, 0]], ["Ann Lee", "Bo Ray"])
    lost = lost_facts(matrix, [[0, 1, 2]], [1], named=[0])
    assert (lost.same_name, lost.other_page) == ((), (2,))


def test_hungarian_surplus_is_a_link_conflict():
    matrix = SupportMatrix.from_support([[1, 0], [1, 0]], ["a", "b"])
    assert lost_facts(matrix, [[0], [1]], [0, None], named=[0, 1]).link_conflict == (1,)


def test_facts_that_are_not_scored_are_not_lost():
    matrix = SupportMatrix.from_support([[1, 0], [1, 0], [0, 1]], ["a", "b"])
    lost = lost_facts(matrix, [[0, 1, 2]], [0], named=[0, 1], facts=[0, 1])
    assert lost.total == 0


@pytest.mark.parametrize("links", [[None], [0]])
def test_no_support_is_no_loss(links):
    matrix = SupportMatrix.from_support([[0], [0]], ["a"])
    assert lost_facts(matrix, [[0, 1]], links, named=[0]).total == 0


def test_the_page_that_the_links_count_as_best_is_no_conflict():
    """Four verdicts favor the second page, the sum of probabilities the first one."""
    support = [[1, 1], [1, 0], [0, 1], [0, 1]]
    matrix = SupportMatrix.from_support(support, ["Ann Lee (poet)", "Ann Lee (rower)"])
    values = np.array([[0.99, 0.9], [0.99, 0.0], [0.5, 0.7], [0.4, 0.7]])
    by_verdicts = lost_facts(matrix, [[0, 1, 2, 3]], [0], named=[0, 1])
    assert by_verdicts.link_conflict == (2, 3)
    assert lost_facts(matrix, [[0, 1, 2, 3]], [0], named=[0, 1], values=values).same_name == (2, 3)
