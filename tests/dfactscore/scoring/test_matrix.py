"""Verdicts, the matrix they are packed into, and its line in the journal say the same."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._records import Biography, Document, Entity, Evidence, Fact, Verdict
from dfactscore._runs import record_json
from dfactscore._scoring.matrix import support_matrix
from dfactscore._scoring.record import Record
from dfactscore._util.files import dump_json
from dfactscore.linking import STATUSES

PLACE = st.none() | st.builds(
    Evidence, st.integers(0, 3), st.integers(0, 2**20), st.integers(0, 2**20)
)
VERDICT = st.builds(
    Verdict,
    st.sampled_from(STATUSES),
    st.none() | st.floats(0, 1).map(lambda p: round(p, 6)),
    PLACE,
    PLACE,
    st.booleans(),
)


@st.composite
def rows(draw):
    n_facts = draw(st.integers(1, 4))
    row = st.lists(VERDICT, min_size=n_facts, max_size=n_facts)
    return draw(st.lists(row, min_size=1, max_size=4))


@given(rows())
def test_round_trip(verdicts):
    entities = tuple(
        Entity(f"e{i}", f"E {i}", (Document(f"E {i}", "text"),), 9 - i, ("x\u2028",))
        for i in range(len(verdicts))
    )
    matrix = support_matrix(entities, verdicts)
    for e, row in enumerate(verdicts):
        for f, verdict in enumerate(row):
            assert STATUSES[matrix.status[f, e]] == verdict.status
            probability = matrix.probability[f, e]
            assert (None if np.isnan(probability) else probability) == verdict.probability
            assert matrix.evidence_at(f, e) == verdict.evidence
            assert matrix.conflict_at(f, e) == verdict.conflict
            assert bool(matrix.sent is not None and matrix.sent[f, e]) == verdict.sent
    facts = tuple(Fact(f"{i}") for i in range(len(verdicts[0])))
    record = Record(Biography("1", "E", "t"), entities=entities, facts=facts, matrix=matrix)
    line = json.loads(dump_json(record_json.matrix_to_json(record, lambda text: text)))
    assert record_json.matrix_from_json(line) == matrix
    assert record_json.entities_from_json(line, lambda text: text) == entities
    other = support_matrix(entities, [[Verdict("error")] * len(facts)] * len(verdicts))
    assert (other == matrix) == all(v == Verdict("error") for row in verdicts for v in row)
