"""Recall and precision, sentence by sentence, against answers written out by hand."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._errors import InputError
from dfactscore._readers import biography_from_record
from dfactscore.citations import (
    CitationScore,
    CitedSentence,
    Judgment,
    Query,
    score_citations,
    score_paragraphs,
    summarize,
)
from dfactscore.retrieval import Passage

PASSAGES = tuple(Passage(f"P{i}", f"text {i}") for i in range(1, 6))


class Oracle:
    """Entails what the given sets of passage numbers, or more than them, cover."""

    def __init__(self, *sufficient):
        self.sufficient = [set(s) for s in sufficient]
        self.asked: list[Query] = []
        self.settings = {"entailer": "oracle"}

    def judge(self, queries):
        self.asked += queries
        return [Judgment(self.covers(q)) for q in queries]

    def covers(self, query):
        numbers = {int(p.title[1:]) for p in query.passages}
        return any(s <= numbers for s in self.sufficient)


def sentence(*numbers):
    return CitedSentence("Al swam.", numbers, (0, 8))


def one(numbers, *sufficient):
    scores = asyncio.run(
        score_paragraphs([("1", "Al", [sentence(*numbers)], PASSAGES)], Oracle(*sufficient))
    )
    return scores[0][0]


@pytest.mark.parametrize(
    ("numbers", "sufficient", "outcome", "precise"),
    [
        ((), [{1}], "uncited", ()),
        ((1,), [{1}], "entailed", (True,)),
        ((1,), [{2}], "not_entailed", (False,)),
        ((1, 2), [{1}], "entailed", (True, False)),
        ((1, 2), [{1}, {2}], "entailed", (True, True)),
        ((1, 2), [{1, 2}], "entailed", (True, True)),
        ((1, 2, 3), [{1, 2}], "entailed", (True, True, False)),
        ((1, 2, 3), [{1, 2}, {3}], "entailed", (False, False, True)),
        ((1, 2, 3, 4), [{4}], "not_entailed", (False, False, False)),
        ((1, 2, 1), [{1}], "entailed", (True, False, True)),
        ((0,), [{5}], "no_such_passage", (False,)),
        ((6, 1), [{1}], "no_such_passage", (False, False)),
        ((1, 2, 3, 9), [{1}], "no_such_passage", (False, False, False)),
    ],
)
def test_sentences(numbers, sufficient, outcome, precise):
    found = one(numbers, *sufficient)
    assert (found.outcome, found.precise) == (outcome, precise)
    assert found.recall == (outcome == "entailed")


def test_zero_is_not_the_last_passage():
    assert one((0,), {1}, {2}, {3}, {4}, {5}).recall == 0


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.lists(st.sets(st.integers(1, 5), min_size=1, max_size=3), max_size=3),
)
def test_definition(numbers, sufficient):
    """The rule once more, naively: imprecise if useless alone and not missed by the rest."""
    oracle = Oracle(*sufficient)

    def entails(cited):
        return oracle.covers(Query("Al swam.", tuple(PASSAGES[n - 1] for n in cited)))

    read = numbers[:3]
    found = one(tuple(numbers), *sufficient)
    assert found.recall == entails(read)
    expected = [
        bool(
            entails(read)
            and (
                len(read) == 1 or entails([n]) or not entails(list(read[:i]) + list(read[i + 1 :]))
            )
        )
        for i, n in enumerate(read)
    ]
    assert list(found.precise) == expected


def test_all_paragraphs_are_asked_together_and_once():
    oracle = Oracle({1})
    paragraphs = [("a", "Al", [sentence(1, 2), sentence(1, 2)], PASSAGES)] * 3
    scores = asyncio.run(score_paragraphs(paragraphs, oracle))
    assert [[s.recall for s in row] for row in scores] == [[1, 1]] * 3
    assert len(oracle.asked) == len(set(oracle.asked)) + 1 == 4  # P1 is also what P2's rest is
    scores = asyncio.run(score_paragraphs(paragraphs, oracle, precision=False))
    assert scores[0][0].precise is None
    assert CitationScore("a", "Al", scores[0]).precision is None


def test_awaited_and_unreadable_answers():
    class Slow(Oracle):
        async def judge(self, queries):
            await asyncio.sleep(0)
            return [Judgment(None) for _ in queries]

    scores = asyncio.run(score_paragraphs([("1", "Al", [sentence(1)], PASSAGES)], Slow()))
    assert (scores[0][0].outcome, scores[0][0].recall) == ("unreadable", 0)


def test_a_paragraph_without_an_answer_that_could_be_read_has_no_score():
    class Mute(Oracle):
        async def judge(self, queries):
            return [Judgment(None) for _ in queries]

    outputs = ["Al swam [1]. Al won.", "Al won.", "Al left [9]."]
    scores = score_citations([biography(text, str(i)) for i, text in enumerate(outputs)], Mute())
    assert [s.status for s in scores] == ["not_judged", "scored", "scored"]
    assert [s.recall for s in scores] == [None, 0.0, 0.0]


def biography(output, identity):
    docs = [{"title": p.title, "text": p.text} for p in PASSAGES]
    return biography_from_record(
        {"id": identity, "question": "Tell me a bio of Al", "output": output, "docs": docs}
    )


def test_biographies():
    outputs = [
        "Al swam [1]. Al won.",
        "Al swam [1][2]. Al won [1, 2]. Al left [9].",
        "",
        "I'm sorry, I could not find any information about Al.",
        "Al swam (1).",
    ]
    biographies = [biography(text, str(i)) for i, text in enumerate(outputs)]
    scores = score_citations(biographies, Oracle({1}))
    assert [s.recall for s in scores] == [0.5, 2 / 3, None, None, 1.0]
    assert [s.precision for s in scores] == [1.0, 2 / 5, None, None, 1.0]
    assert [s.status for s in scores] == ["scored", "scored", "empty", "abstained", "scored"]
    summary = summarize(scores)
    assert summary.citation_recall == pytest.approx((0.5 + 2 / 3 + 1) / 3)
    assert summary.citation_recall_all == pytest.approx((0.5 + 2 / 3 + 1) / 5)
    assert summary.citation_precision == pytest.approx((1 + 0.4 + 1) / 3)
    assert (summary.n_paragraphs, summary.n_scored, summary.n_sentences) == (5, 3, 6)
    assert summary.n_citations == 7
    assert dict(summary.outcomes) == {
        "entailed": 4,
        "not_entailed": 0,
        "uncited": 1,
        "no_such_passage": 1,
        "unreadable": 0,
    }


def test_nothing_to_average():
    assert summarize([]).citation_recall is None


@pytest.mark.parametrize(
    ("entailer", "message"),
    [
        (Oracle, "entailer: Oracle is a class, not an Entailer"),
        (lambda queries: [], "entailer: <lambda> is a function; expected an Entailer"),
        (object(), "entailer: object was given; expected an Entailer: an object with settings and"),
    ],
)
def test_what_is_no_entailer(entailer, message):
    with pytest.raises(InputError) as caught:
        asyncio.run(score_paragraphs([("1", "Al", [sentence(1)], PASSAGES)], entailer))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([True], "Mine.judge (role Entailer) gave True as number 0; expected a list of Judg"),
        ([], "Mine.judge (role Entailer) gave 0 answers; expected 1"),
        (None, "Mine.judge (role Entailer) gave None; expected a list of Judgment"),
    ],
)
def test_wrong_judgments(answer, message):
    mine = type("Mine", (), {"settings": {}, "judge": lambda self, queries: answer})()
    with pytest.raises(InputError) as caught:
        asyncio.run(score_paragraphs([("1", "Al", [sentence(1)], PASSAGES)], mine))
    assert message in str(caught.value)
