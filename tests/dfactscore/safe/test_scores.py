"""F1@K and D-SAFE as formulas: the paper's values, invariants on random matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._metrics import f1_at_k
from dfactscore._records import Biography, Entity, Fact, FactGroup
from dfactscore._scoring import Record, score_record
from dfactscore._scoring.record import count_facts
from dfactscore.engines._wrapping import OPEN
from dfactscore.linking import STATUSES, SupportMatrix
from dfactscore.safe import safe_scores
from dfactscore.safe._safe_scores import safe_table

TABLE = [
    (0, 5, 0, 0, 0),
    (1, 0, 0.030769, 0.019802, 0.011173),
    (10, 8, 0.243902, 0.169492, 0.102041),
    (63, 1, 0.984375, 0.768293, 0.520661),
    (64, 0, 1, 0.780488, 0.528926),
    (64, 64, 0.666667, 0.561404, 0.418301),
    (177, 3, 0.991597, 0.991597, 0.988827),
    (1, 99, 0.012195, 0.010000, 0.007194),
]


@pytest.mark.parametrize("row", TABLE)
def test_f1_at_k(row):
    s, n, *expected = row
    for k, value in zip((64, 100, 178), expected, strict=True):
        assert f1_at_k(s, n, k) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("bad", [(-1, 0, 64), (0, -1, 64), (1, 1, 0), (1, 1, -3), (1, 1, np.nan)])
def test_f1_at_k_refuses(bad):
    with pytest.raises(ValueError, match="expected"):
        f1_at_k(*bad)


def record(matrix, groups, named, *, texts=None):
    """A judged record; the last column is the open search."""
    facts, columns = np.asarray(matrix).shape
    ids = [f"{'Ann Lee' if name else 'Ben Kay'} ({i})" for i, name in enumerate(named)]
    entities = tuple(Entity(id, id, (), i) for i, id in enumerate((*ids, OPEN)))
    assert columns == len(entities)
    texts = texts or [f"Fact {i}." for i in range(facts)]
    made = Record(
        Biography("0", "Ann Lee", "x"),
        entities=entities,
        facts=tuple(map(Fact, texts)),
        groups=tuple(FactGroup(tuple(g)) for g in groups),
        matrix=SupportMatrix.from_support(matrix, [e.id for e in entities]),
        status="scored",
    )
    return score_record(made)


def test_each_kind_of_open_support():
    #          a  b  c(other name)  open
    matrix = [[1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1], [1, 0, 0, 0]]
    scores = safe_scores(record(matrix, [[0, 1, 2, 3, 4, 5]], [True, True, False]))
    kinds = (scores.linked, scores.namesake, scores.other, scores.unplaced, scores.restricted)
    assert kinds == (2, 1, 1, 1, 1)
    assert scores.safe == pytest.approx(5 / 6)
    assert scores.d_safe == pytest.approx(3 / 6)
    assert scores.any == 1.0
    assert scores.d_f1_at(3) == f1_at_k(3, 3, 3)


@st.composite
def cases(draw):
    facts, entities = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    cell = st.booleans()
    matrix = draw(st.lists(st.lists(cell, min_size=entities + 1, max_size=entities + 1),
                           min_size=facts, max_size=facts))  # fmt: skip
    part = draw(st.lists(st.integers(0, 3), min_size=facts, max_size=facts))
    named = draw(st.lists(st.booleans(), min_size=entities, max_size=entities))
    return matrix, part, named


def groups_of(part):
    return [[i for i, p in enumerate(part) if p == g] for g in dict.fromkeys(part)]


@given(cases(), st.randoms(use_true_random=False))
def test_invariants(case, rng):
    matrix, part, named = case
    groups = groups_of(part)
    scores = safe_scores(record(matrix, groups, named))
    assert 0 <= scores.d_safe <= scores.any <= 1
    assert scores.safe <= scores.any
    supported = round(scores.safe * scores.n)
    assert scores.linked + scores.namesake + scores.other + scores.unplaced == supported
    one = safe_scores(record(matrix, [list(range(len(matrix)))], named))
    assert scores.d_safe >= one.d_safe - 1e-12  # refining groups never lowers it
    order = list(range(len(matrix)))
    rng.shuffle(order)
    moved = [matrix[i] for i in order]
    again = safe_scores(record(moved, groups_of([part[i] for i in order]), named))
    assert (again.safe, again.any) == (pytest.approx(scores.safe), pytest.approx(scores.any))
    assert again.d_safe == pytest.approx(scores.d_safe)


def test_equal_facts_count_once_unless_repeats_are_kept():
    texts = ["Ann Lee sang.", "ann  lee SANG", "Ann Lee left.", "Ann Lee left!"]
    made = record([[1, 1], [0, 0], [0, 0], [0, 0]], [[0, 1, 2, 3]], [True], texts=texts)
    counts = count_facts(made, made.decided.support[:, 1].tolist())
    assert (counts.supported, counts.others, counts.repeats) == (1, 1, 2)
    assert (counts.all_supported, counts.all_others) == (1, 3)
    assert counts.f1_at(2) == f1_at_k(1, 1, 2)
    assert counts.f1_at(2, keep_repeats=True) == f1_at_k(1, 3, 2)


def test_without_a_verdict_on_what_was_found_there_is_no_safe():
    made = record([[1, 0], [0, 0]], [[0, 1]], [True])
    status = made.matrix.status.copy()
    status[:, -1] = STATUSES.index("error")
    table = safe_table([score_record(replace(made, matrix=replace(made.matrix, status=status)))])
    (row,) = table.rows
    assert (row["safe"], row["f1_at_64"]) == (None, None)
    assert (row["d_safe"], row["unreadable"]) == (0.5, 2)
    assert (table.summary["scored"], table.summary["safe"]) == (0, None)
