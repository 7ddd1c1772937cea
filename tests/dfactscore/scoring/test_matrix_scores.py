"""The invariants of the scores, on random matrices."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dfactscore._scoring import ScoreOptions, length_penalty, score_matrix
from dfactscore._scoring.matrix import reasons, standings
from dfactscore._scoring.matrix_scores import BEST_UNREAD, NOTHING_READ
from dfactscore._scoring.summary import summarize
from dfactscore.linking import SupportMatrix

EPSILON = 1e-12


@st.composite
def cases(draw, unreadable=True):
    n, m = draw(st.integers(1, 8)), draw(st.integers(0, 4))
    status = draw(arrays(np.int8, (n, m), elements=st.integers(0, 4 if unreadable else 1)))
    if m and (status > 1).all():
        status[draw(st.integers(0, n - 1)), 0] = 1  # without any verdict there is no score
    probability = draw(arrays(float, (n, m), elements=st.floats(0, 1)))
    owner = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    groups = [[f for f in range(n) if owner[f] == g] for g in sorted(set(owner))]
    entities = tuple(f"e{i}" for i in range(m))
    return SupportMatrix(entities, status, probability), groups


OPTIONS = st.builds(
    ScoreOptions,
    link=st.sampled_from(["argmax", "hungarian"]),
    unreadable=st.sampled_from(["auto", "unsupported", "exclude", "bounds"]),
    irrelevant=st.sampled_from(["keep", "exclude"]),
    counts=st.sampled_from(["verdicts", "expected"]),
    gamma=st.sampled_from([None, 4.0]),
)


PLAIN = ScoreOptions(unreadable="unsupported")


@given(cases(), OPTIONS, st.data())
def test_order_of_the_scores(case, options, data):
    """0 <= D-FS <= FS <= 1, whatever the options; one group is a lower bound under argmax."""
    matrix, groups = case
    n = matrix.status.shape[0]
    irrelevant = data.draw(st.sets(st.integers(0, n - 1)))
    s = score_matrix(matrix, groups, options=options, irrelevant=irrelevant)
    if s.fs is None and s.fs_bounds is None:
        assert s.dfs is None
        assert s.n_facts == 0
        return
    fs, dfs = s.fs_bounds or (s.fs, s.fs), s.dfs_bounds or (s.dfs, s.dfs)
    assert 0 <= dfs[0] <= fs[0] + EPSILON
    assert dfs[0] <= dfs[1] + EPSILON
    assert fs[0] <= fs[1] <= 1 + EPSILON
    assert s.fs in (None, fs[0])
    assert s.dfs in (None, dfs[0])
    if options.unreadable in ("unsupported", "exclude") and s.dfs_reason != NOTHING_READ:
        assert None not in (s.fs, s.dfs)
    if options.link == "argmax" and s.dfs is not None:
        assert s.dfs_one_group <= s.dfs + EPSILON
    assert 0 <= s.coverage <= 1
    assert 0 <= s.coverage_fs <= 1
    if s.dfs is not None:
        assert s.n_ent <= matrix.status.shape[1]
        assert s.shared_links >= 0


@given(cases())
def test_fs_is_any_support(case):
    matrix, groups = case
    s = score_matrix(matrix, groups, options=PLAIN)
    assert s.fs == pytest.approx(matrix.support.any(axis=1).mean())


@given(cases())
def test_dfs_by_hand(case):
    matrix, groups = case
    expected = sum(matrix.support[g].sum(axis=0).max(initial=0) for g in groups)
    found = score_matrix(matrix, groups, options=PLAIN)
    assert found.dfs == pytest.approx(expected / len(matrix.status))


@given(cases())
def test_hungarian_never_above_argmax(case):
    matrix, groups = case
    one_to_one = score_matrix(matrix, groups, options=PLAIN.changed(link="hungarian"))
    assert one_to_one.dfs <= score_matrix(matrix, groups, options=PLAIN).dfs + EPSILON
    assert one_to_one.shared_links == 0


@given(cases(), st.data())
def test_refining_groups_never_lowers_argmax(case, data):
    matrix, groups = case
    index = data.draw(st.integers(0, len(groups) - 1))
    cut = data.draw(st.integers(0, len(groups[index])))
    parts = [groups[index][:cut], groups[index][cut:]]
    finer = [*groups[:index], *[p for p in parts if p], *groups[index + 1 :]]
    coarse = score_matrix(matrix, groups, options=PLAIN)
    assert score_matrix(matrix, finer, options=PLAIN).dfs >= coarse.dfs - EPSILON


@given(cases())
def test_one_fact_a_group_gives_fs(case):
    matrix, _ = case
    s = score_matrix(matrix, [[f] for f in range(len(matrix.status))], options=PLAIN)
    assert s.dfs == pytest.approx(s.fs)


@given(cases(), OPTIONS, st.randoms(use_true_random=False), st.data())
def test_order_changes_no_score(case, options, random, data):
    matrix, groups = case
    n, m = matrix.status.shape
    irrelevant = data.draw(st.sets(st.integers(0, n - 1)))
    facts, columns = list(range(n)), list(range(m))
    random.shuffle(facts)
    random.shuffle(columns)
    place = {f: i for i, f in enumerate(facts)}
    moved = SupportMatrix(
        tuple(matrix.entities[c] for c in columns),
        matrix.status[facts][:, columns],
        matrix.probability[facts][:, columns],
        tuple(columns),
    )
    new_groups = [sorted(place[f] for f in g) for g in groups]
    random.shuffle(new_groups)
    a = score_matrix(matrix, groups, options=options, irrelevant=irrelevant)
    there = {place[f] for f in irrelevant}
    b = score_matrix(moved, new_groups, options=options, irrelevant=there)
    same = ("n_bio", "n_ent", "n_facts", "category", "shared_links")
    close = ("fs", "dfs", "dfs_one_group", "coverage_fs", "coverage")
    for name in same:
        assert getattr(a, name) == getattr(b, name)
    for name in close:
        x, y = getattr(a, name), getattr(b, name)
        assert x == y or x == pytest.approx(y)


@pytest.mark.parametrize("order", permutations(range(3)))
def test_equal_probabilities_of_unequal_verdicts_are_told_apart(order):
    """One entity for two groups worth the same: the one whose fact is supported gets it."""
    status = np.array([[0, 2], [1, 2], [2, 2]], dtype=np.int8)[list(order)]
    matrix = SupportMatrix(("a", "b"), status, np.ones((3, 2)))
    options = ScoreOptions(link="hungarian", unreadable="exclude", counts="expected")
    assert score_matrix(matrix, [[0], [1], [2]], options=options).n_facts == 1


@given(cases(unreadable=False))
def test_readable_matrices_are_covered(case):
    matrix, groups = case
    for policy in ("auto", "unsupported", "exclude", "bounds"):
        s = score_matrix(matrix, groups, options=ScoreOptions(unreadable=policy))
        assert s.coverage == s.coverage_fs == 1
        assert s.fs == pytest.approx(score_matrix(matrix, groups).fs)


def readable(rows):
    return SupportMatrix.from_support(rows, [f"e{i}" for i in range(len(rows[0]))])


def test_mixed_biography():
    s = score_matrix(readable([[1, 0], [1, 0], [1, 0], [0, 1]]), [[0, 1, 2, 3]])
    assert (s.fs, s.dfs, s.n_bio, s.n_ent, s.category) == (1.0, 0.75, 1, 2, "one_bio_several_ents")


def test_shared_links():
    s = score_matrix(readable([[1, 0], [1, 0]]), [[0], [1]])
    assert (s.shared_links, s.category) == (1, "mismatch")


def test_entities_are_those_that_explain_most():
    """The second fact is supported by both; it is credited to the entity of the others."""
    s = score_matrix(readable([[0, 1], [1, 1], [0, 1]]), [[0, 1, 2]])
    assert s.n_ent == 1
    assert s.links[0].entity == 1


def test_grouping_failed():
    s = score_matrix(readable([[1, 0]]), None, dfs_reason="no answer")
    assert (s.fs, s.dfs, s.n_bio, s.dfs_reason) == (1.0, None, None, "no answer")


def test_irrelevant_facts_stay_unless_excluded():
    m = readable([[1], [1], [0]])
    keep = score_matrix(m, [[0, 1, 2]], irrelevant=[1])
    assert keep.fs == pytest.approx(1 / 3)
    left = score_matrix(m, [[0, 1, 2]], irrelevant=[1], options=ScoreOptions(irrelevant="exclude"))
    assert (left.fs, left.n_facts) == (0.5, 2)


def test_named_counts():
    s = score_matrix(
        readable([[1, 0], [0, 1]]), [[0], [1]], named_entities=[0], named_groups=[True, False]
    )
    assert (s.n_bio_named, s.n_ent_named) == (1, 1)
    unknown = score_matrix(readable([[1]]), [[0]], named_groups=[None])
    assert unknown.n_bio_named is None


def test_given_links_are_used():
    s = score_matrix(readable([[1, 0], [1, 0]]), [[0, 1]], fixed_links=[1])
    assert (s.fs, s.dfs) == (1.0, 0.0)


def test_given_links_where_there_can_be_no_dfs():
    matrix = readable([[1, 0], [1, 0]])
    s = score_matrix(matrix, [[0, 1]], fixed_links=[1], dfs_reason="no one is listed")
    assert (s.fs, s.dfs, s.links) == (1.0, None, ())


def test_length_penalty():
    assert length_penalty(0, 10) == 0
    assert length_penalty(10, 10) == 1
    assert length_penalty(11, 10) == 1
    assert length_penalty(3, None) == 1
    short = score_matrix(readable([[1]]), [[0]], options=ScoreOptions(gamma=10))
    assert short.fs == pytest.approx(np.exp(-9))


def _with_places(matrix: SupportMatrix, conflict: np.ndarray) -> SupportMatrix:
    """The matrix with evidence everywhere, and a conflict in some cells."""
    places = np.zeros((*matrix.status.shape, 3), dtype=np.int32)
    against = np.where(conflict[..., None], places, -1).astype(np.int32)
    return replace(matrix, evidence=places, conflict=against)


@given(cases(), st.data())
def test_each_unsupported_fact_has_one_reason(case, data):
    plain, groups = case
    conflict = data.draw(arrays(bool, plain.status.shape))
    links = data.draw(
        st.lists(
            st.sampled_from([None, *range(len(plain.entities))]),
            min_size=len(groups),
            max_size=len(groups),
        )
    )
    matrix = _with_places(plain, conflict)
    why = reasons(matrix, groups, links)
    told = standings(matrix, groups, links)
    assert [w is not None for w in why] == [s == "unsupported" for s in told]
    link_of = {f: link for part, link in zip(groups, links, strict=True) for f in part}
    for fact, reason in enumerate(why):
        link = link_of[fact]
        against = conflict[fact].any() if link is None else conflict[fact, link]
        assert reason in (None, "contradicted" if against else "not_stated")
    assert set(reasons(plain, groups, links)) == {None}


def test_reasons_are_counted_at_the_linked_page():
    matrix = _with_places(
        readable([[1, 0], [0, 0], [0, 0], [0, 0]]),
        np.array([[0, 1], [1, 0], [0, 1], [0, 0]], dtype=bool),
    )
    s = score_matrix(matrix, [[0, 1, 2, 3]])
    assert (s.contradicted, s.not_stated) == (1, 2)
    s = score_matrix(matrix, [[0, 1, 2, 3]], irrelevant=[1])
    assert (s.contradicted, s.not_stated) == (0, 2)
    s = score_matrix(matrix, None)
    assert (s.contradicted, s.not_stated) == (2, 1)
    s = score_matrix(readable([[1], [0]]), [[0, 1]])
    assert (s.contradicted, s.not_stated) == (None, None)


ONE = SupportMatrix.from_support([[1]], ["A"])


def unread(status, names=("a", "b")):
    """A matrix of these statuses, by name, one row per fact."""
    columns = [
        {"status": [row[e] for row in status], "probability": [None] * len(status)}
        for e in range(len(names))
    ]
    return SupportMatrix.from_columns(names, columns)


@pytest.mark.parametrize("policy", ["unsupported", "exclude", "bounds"])
@pytest.mark.parametrize("kind", ["unparsed", "refused", "error"])
def test_without_a_verdict_that_could_be_read_there_is_no_score(policy, kind):
    scores = score_matrix(
        unread([[kind, "unparsed"], [kind, kind]]),
        [[0, 1]],
        options=ScoreOptions(unreadable=policy),
    )
    assert (scores.fs, scores.dfs, scores.category, scores.mixed) == (None, None, None, None)
    assert scores.dfs_reason == "no verdict could be read"
    bounds = None if policy == "exclude" else (0.0, 1.0)
    assert scores.fs_bounds == scores.dfs_bounds == bounds
    means = summarize(["scored", "not_judged"], [score_matrix(ONE, [[0]]), scores])
    assert (means.fs, means.fs_bounds) == ((1.0, None) if bounds is None else (None, (0.5, 1.0)))
    assert (means.dfs, means.dfs_bounds) == (means.fs, means.fs_bounds)


def test_a_group_with_a_tie_on_an_unread_page_has_an_open_link():
    matrix = unread([["supported", "refused"], ["supported", "refused"], ["supported", "refused"]])
    assert score_matrix(matrix, [[0, 1], [2]]).open_groups == ()  # an earlier page has as many
    matrix = unread([["refused", "supported"], ["refused", "not_supported"]])
    assert score_matrix(matrix, [[0], [1]]).open_groups == (0, 1)
    chosen = ScoreOptions(unreadable="unsupported")
    assert score_matrix(matrix, [[0], [1]], options=chosen).open_groups == ()


def test_one_verdict_that_could_be_read_is_enough():
    matrix = unread([["not_supported", "unparsed"], ["error", "error"]])
    scores = score_matrix(matrix, [[0, 1]], options=PLAIN)
    assert (scores.fs, scores.dfs) == (0.0, 0.0)
    assert set(scores.thin) == {"fs", "kept", "gap", "dfs"}


def test_irrelevant_facts_need_no_verdict():
    scores = score_matrix(unread([["error", "error"]]), [[0]], irrelevant=[0])
    assert scores.fs == 0.0


def test_without_a_verdict_on_a_candidate_there_is_no_dfs():
    matrix = unread([["supported", "unparsed"], ["not_supported", "unparsed"]])
    candidates = np.array([False, True])
    scores = score_matrix(matrix, [[0, 1]], candidates=candidates, options=PLAIN)
    assert (scores.fs, scores.dfs, scores.dfs_one_group) == (0.5, None, None)
    assert "could be read" in scores.dfs_reason
    scores = score_matrix(matrix, [[0, 1]], candidates=candidates)
    assert (scores.fs, scores.fs_bounds) == (None, (0.5, 1.0))
    assert (scores.dfs, scores.dfs_bounds) == (None, (0.0, 1.0))
    assert scores.dfs_reason == BEST_UNREAD


@given(cases(unreadable=False), OPTIONS, st.data())
def test_what_is_not_read_gives_bounds_that_hold_the_truth(case, options, data):
    """Without the verdicts of some pages, a score is either right or replaced by bounds."""
    whole, groups = case
    options = options.changed(
        unreadable=data.draw(st.sampled_from(["auto", "bounds"])), counts="verdicts"
    )
    pages = data.draw(st.sets(st.integers(0, 3)))
    status = whole.status.copy()
    for page in pages & set(range(status.shape[1])):
        status[:, page] = data.draw(st.sampled_from([2, 3, 4]))
    truth = score_matrix(whole, groups, options=options)
    found = score_matrix(replace(whole, status=status), groups, options=options)
    for name in ("fs", "dfs"):
        true, score = getattr(truth, name), getattr(found, name)
        low, high = getattr(found, f"{name}_bounds") or (score, score)
        if low is None:
            assert (status > 1).all()
        else:
            assert low - EPSILON <= true <= high + EPSILON
            assert score in (None, pytest.approx(true))
    if found.dfs is not None and found.coverage == 1:
        assert [a.entity for a in found.links] == [b.entity for b in truth.links]


@pytest.mark.parametrize(
    ("status", "fs", "dfs", "coverage"),
    [
        # Every fact is supported by a page that was read, and more than an unread page could be.
        ([["supported", "refused"], ["supported", "supported"]], 1.0, 1.0, 1.0),
        # The group may be about the page that was not read.
        ([["supported", "refused"], ["not_supported", "refused"]], (0.5, 1.0), (0.5, 1.0), 0.0),
        # As many facts as the linked page, and that page comes first.
        ([["not_supported", "refused"], ["supported", "not_supported"]], (0.5, 1.0), 0.5, 1.0),
        # The linked page itself was not read for one fact.
        ([["supported", "not_supported"], ["error", "not_supported"]], (0.5, 1.0), (0.5, 1.0), 0.5),
        # A single answer that cannot be read counts as unsupported.
        ([["supported", "unparsed"], *[["supported", "not_supported"]] * 4], 1.0, 1.0, 1.0),
    ],
)
def test_scores_and_bounds_of_pages_that_were_not_read(status, fs, dfs, coverage):
    scores = score_matrix(unread(status), [list(range(len(status)))])
    for score, bounds, expected in (
        (scores.fs, scores.fs_bounds, fs),
        (scores.dfs, scores.dfs_bounds, dfs),
    ):
        open_ = isinstance(expected, tuple)
        assert (score, bounds) == ((None, expected) if open_ else (expected, None))
    assert scores.coverage == coverage
    assert (scores.n_ent is None) == isinstance(dfs, tuple)
