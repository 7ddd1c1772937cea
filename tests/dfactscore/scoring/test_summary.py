"""Tallies of parts of a run give the means of the whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dfactscore import Scorer
from dfactscore._scoring import summarize_records
from dfactscore._scoring.summary import SummaryTally, tally_of_bad
from dfactscore.examples import example


@pytest.fixture(scope="module")
def records():
    shipped = example()
    scorer = Scorer(pages=str(shipped.pages), unreadable="bounds")
    scored = [r.record for r in scorer.score_many(str(shipped.biographies))]
    models = [
        replace(r, biography=replace(r.biography, model="ba"[i % 2])) for i, r in enumerate(scored)
    ]
    failed = [replace(scored[0], status=s, scores=None) for s in ("error", "abstained")]
    return models + failed


@pytest.mark.parametrize("size", [1, 7, 50])
def test_blocks(records, size):
    whole = summarize_records(records, n_bad=2)
    total = tally_of_bad(2)
    for start in range(0, len(records), size):
        part = SummaryTally()
        for record in records[start : start + size]:
            part.add(record)
        total.merge(part)
    assert total.summary() == whole
    assert list(total.summary().models) == list(whole.models)
    assert whole.statuses["error"] == 3
    assert whole.fs_bounds is not None
    why = [w for record in records if record.scores for w in record.why_not]
    assert whole.contradicted == why.count("contradicted") > 0
    assert whole.not_stated == why.count("not_stated") > 0


def test_means_by_hand(make_scored):
    ones = [
        make_scored(id=str(n), support=((1, 0),) * n, groups=(tuple(range(n)),)) for n in (1, 2, 3)
    ]
    found = summarize_records([*ones, make_scored(status="abstained")])
    assert (found.fs, found.dfs, found.fs_micro, found.n_facts) == (1.0, 1.0, 1.0, 2.0)
    assert (found.n, found.n_scored, found.response_rate) == (4, 3, 0.75)
