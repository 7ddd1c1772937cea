from __future__ import annotations

import random

import pytest

from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval._errors import RecordError, SourceError
from dfactscore.retrieval._evaluate import (
    Question,
    evaluate,
    read_qrels,
    read_questions,
    trec_ids,
    trec_lines,
)


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


def test_questions_of_a_text(tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("Ann Lee\n\nTell me a bio of Jo Dee\nq 7\twho sang?\n")
    assert read_questions(path) == [
        Question(name="Ann Lee"), Question(name="Jo Dee"), Question(query="who sang?", id="q_7"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.jsonl", '{"query": "a", "id": "1"}\n{"query": " ", "id": "2"}\n'),
        ("q.jsonl", '{"name": "a", "id": "1"}\n{"name": "", "query": "\\t", "id": "2"}\n'),
        ("q.tsv", "1\ta\n2\t\n"),
        ("q.txt", "1\ta\n2\t  \n"),
    ],
)
def test_an_empty_query_is_refused_with_its_line(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(RecordError, match=f"{name}:2"):
        read_questions(tmp_path / name)


def test_two_questions_of_one_id_are_no_run():
    named = [Question(query="a", id="7"), Question(query="b"), Question(query="c")]
    assert trec_ids(named) == ["7", "2", "3"]
    for other in ("7", "2"):
        with pytest.raises(SourceError, match=rf"{other!r}.* 'id' of its own"):
            trec_ids([*named, Question(query="d", id=other)])


def test_judgments_in_trec_form(tmp_path):
    path = tmp_path / "qrels"
    path.write_text("q1 0 7 1\nq1 0 8 0\nq1 0 9 2\nq2 0 1 0\n")
    assert read_qrels(path) == {"q1": ("7", "9"), "q2": ()}
    path.write_text("q1 0 7\n")
    with pytest.raises(RecordError, match="not a TREC judgment"):
        read_qrels(path)
    path.write_text("")
    with pytest.raises(SourceError, match="no judgments"):
        read_qrels(path)


def test_a_run_keeps_the_order_of_equal_scores():
    ranking = [("b", 2.0), ("a", 2.0), ("c d", 2.0), ("e", 1.0), ("f", -3.5)]
    rows = [line.split() for line in trec_lines("q", ranking, tag="x")]
    assert [row[2] for row in rows] == ["b", "a", "c_d", "e", "f"]
    assert [row[3] for row in rows] == ["1", "2", "3", "4", "5"]
    scores = [float(row[4]) for row in rows]
    assert scores == sorted(set(scores), reverse=True)
    assert all(len(row) == 6 and row[1] == "Q0" for row in rows)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0, 1e6])
def test_trec_eval_sees_the_same_order(scale):
    """trec_eval uses single precision, in which a lost difference would reverse the order."""
    measures = pytest.importorskip("ir_measures", reason="trec_eval comes with ir_measures")
    rng = random.Random(7)
    lines, judged, ranks = [], [], {}
    for q in range(40):
        ids = [f"p{n}" for n in rng.sample(range(100), 12)]
        scores = sorted((rng.choice((1, 1.25, 2)) * scale for _ in ids), reverse=True)
        lines += trec_lines(f"q{q}", list(zip(ids, scores, strict=True)))
        ranks[f"q{q}"] = rng.randrange(12)
        judged.append(f"q{q} 0 {ids[ranks[f'q{q}']]} 1")
    run = list(measures.read_trec_run("\n".join(lines) + "\n"))
    qrels = list(measures.read_trec_qrels("\n".join(judged) + "\n"))
    found = {m.query_id: m.value for m in measures.iter_calc([measures.RR], qrels, run)}
    assert found == pytest.approx({q: 1 / (rank + 1) for q, rank in ranks.items()})
