from __future__ import annotations

import pytest

from dfactscore.retrieval.documents import Passage
from dfactscore.retrieval.errors import RecordError, SourceError
from dfactscore.retrieval.evaluate import Question, evaluate, read_questions


def hits(*titles):
    return [Passage(title, "x", id=f"id-{title}") for title in titles]


def test_measures_by_hand():
    questions = [
        Question(name="Ann Lee", relevant=("Ann Lee (a)", "Ann Lee (b)")),
        Question(query="q", relevant=("id-Z",)),
        Question(name="Bob"),
    ]
    found = [
        hits("Other", "Ann Lee (a)", "Ann Lee (a)", "Ann Lee (c)", "Ann Lee (b)"),
        hits("Y", "X", "Z"),
        hits("Bob (x)", "Bobby"),
    ]
    result = evaluate(questions, found, k=4)
    assert (result.questions, result.judged, result.k) == (3, 2, 4)
    assert result.recall == pytest.approx((0.5 + 1) / 2)
    assert result.mrr == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert result.namesakes == pytest.approx((2 + 1) / 2)
    nothing = evaluate([Question(query="q")], [[]])
    assert (nothing.recall, nothing.mrr, nothing.namesakes) == (None, None, None)
    with pytest.raises(ValueError, match="zip"):
        evaluate(questions, found[:2])


def test_questions_from_a_file(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"name": "A", "relevant": [3, "T", "T"]}\n\n{"query": "q"}\n')
    assert read_questions(path) == [Question(name="A", relevant=("3", "T")), Question(query="q")]
    for text, message in {
        "": "contains no questions",
        "{": "1: not valid JSON",
        '{"relevant": []}': "needs 'name' or 'query'",
        '{"name": "A", "relevant": "T"}': "'relevant' must be a list",
    }.items():
        path.write_text(text)
        with pytest.raises((RecordError, SourceError), match=message):
            read_questions(path)
    with pytest.raises(SourceError, match="no such file"):
        read_questions(tmp_path / "none.jsonl")


def test_a_line_separator_in_a_question_is_content(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('\ufeff{"query": "one\u2028two\x85three"}\r\n', "utf-8")
    assert read_questions(path) == [Question(query="one\u2028two\x85three")]
