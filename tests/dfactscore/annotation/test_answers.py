from __future__ import annotations

import pytest

from dfactscore.annotation import FactAnswer, ItemAnswer, score_answer
from dfactscore.annotation._answers import number_biographies


def of(worked, measure, **options):
    return [
        [getattr(score_answer(both[who], **options), measure) for both in worked.values()]
        for who in (0, 1)
    ]


def test_worked_example(worked):
    near = lambda *rows: [pytest.approx(row, abs=1e-6) for row in rows]  # noqa: E731
    assert of(worked, "dfs") == near([0.625, 0.5, 0.9], [0.5, 0.5, 0.8])
    assert of(worked, "fs") == near([0.75, 0.666667, 1], [0.75, 0.5, 0.9])
    assert of(worked, "n_bio") == [[1, 2, 1], [1, 2, 2]]
    assert of(worked, "n_ent") == [[2, 2, 2], [2, 2, 3]]
    assert of(worked, "dfs", irrelevant="drop") == near([0.714286, 0.5, 0.9], [0.571429, 0.6, 0.8])


def test_no_fact_left():
    only = ItemAnswer((FactAnswer(1, "irrelevant"),), ("P",))
    assert score_answer(only, irrelevant="drop").dfs is None
    assert score_answer(only).dfs == 0


def test_links_and_groups():
    made = ItemAnswer(tuple(FactAnswer(b) for b in (1, 2, 1)), ("P", None))
    assert made.groups == ((0, 2), (1,))
    assert [made.link(i) for i in range(3)] == ["P", None, "P"]
    assert number_biographies([2, 5, 2]) == ((1, 2, 1), (2, 5))
