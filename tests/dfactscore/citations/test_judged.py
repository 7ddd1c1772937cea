"""Judged sentences: the released judgements recompute, and what we write we read."""

from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore.citations import citation_record, read_judged, summarize


@pytest.mark.data
def test_released_judgements(data):
    scores = read_judged(data / "dfactscore" / "citations_vicuna.jsonl")
    summary = summarize(scores)
    assert summary.n_scored == 273
    assert 100 * summary.citation_recall == pytest.approx(60.8734, abs=5e-5)
    assert summary.citation_precision is None  # it is not in that file


@pytest.mark.data
def test_missing_paragraphs_of_the_released_judgements(data):
    """The definition by hand: judged paragraphs' recalls summed, over all there were."""
    file = data / "dfactscore" / "citations_vicuna.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    recalls = []
    for row in rows:
        right = [
            bool(s["citations"]) and all(1 <= n <= 5 for n in s["citations"]) and s["entailed"]
            for s in row["sentences"]
        ]
        recalls.append(sum(right) / len(right))
    for there_were in (len(rows), 300, 304, 500):
        summary = summarize(read_judged(file), paragraphs=there_were)
        assert summary.citation_recall == pytest.approx(sum(recalls) / there_were, abs=1e-9)
        assert summary.n_missing == there_were - len(rows)
        assert summary.citation_recall == pytest.approx(summary.citation_recall_all)


def test_fewer_paragraphs_than_there_are(tmp_path):
    scores = read_judged(write(tmp_path / "a", *({"sentences": [cited([1], True)]},) * 3))
    assert summarize(scores, paragraphs=6).citation_precision == 0.5
    with pytest.raises(InputError, match="paragraphs=2: there are 3 already"):
        summarize(scores, paragraphs=2)


def write(path, *lines):
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
    return path


def cited(citations, entailed, **more):
    return {"text": "Al swam.", "citations": citations, "entailed": entailed, **more}


def test_rules(tmp_path):
    sentences = [
        cited([], None),
        cited([], True),
        cited([1], True),
        cited([0], True),
        cited([6], True),
        cited([1], None),
        cited([1, 2], False),
    ]
    score = read_judged(write(tmp_path / "a", {"name": "Al", "sentences": sentences}))[0]
    assert [s.outcome for s in score.sentences] == [
        "uncited",
        "uncited",
        "entailed",
        "no_such_passage",
        "no_such_passage",
        "unreadable",
        "not_entailed",
    ]
    assert score.precision == 1 / 6
    six = read_judged(tmp_path / "a", n_passages=6)[0]
    assert six.sentences[4].outcome == "entailed"


def test_round_trip(tmp_path):
    line = {
        "id": "7",
        "name": "Al",
        "n_passages": 3,
        "sentences": [cited([1, 2], True, precise=[True, False]), cited([4], True)],
    }
    first = read_judged(write(tmp_path / "a", line, "", {"name": "Bo", "sentences": []}))
    assert [s.precision for s in first] == [1 / 3, None]
    again = read_judged(write(tmp_path / "b", *(dict(citation_record(s)) for s in first)))
    assert again == first


def test_line_separators_inside_a_text(tmp_path):
    line = {"name": "Al", "sentences": [{**cited([1], True), "text": "Al\u2028swam\x85."}]}
    file = tmp_path / "a"
    file.write_text("\ufeff" + json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    assert read_judged(file)[0].sentences[0].text == "Al\u2028swam\x85."


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", ":1: not valid JSON"),
        ("[]", 'expected an object with a list "sentences"'),
        ({"name": "Al", "sentence": []}, "found keys ['name', 'sentence']"),
        ({"sentences": [3]}, "sentence 1: expected an object"),
        ({"sentences": [{"text": "x"}]}, 'field "citations": expected a list of numbers'),
        ({"sentences": [cited(["1"], True)]}, "'1' is not a whole number"),
        ({"sentences": [cited([True], True)]}, "True is not a whole number"),
        ({"sentences": [cited([1], "yes")]}, "'yes' is not true, false or null"),
        ({"sentences": [cited([1], True, precise=[])]}, 'field "precise"'),
        ({"sentences": [cited([1], True, precise=["false"])]}, "needs true or false"),
        ({"sentences": [], "status": "scored"}, '"sentences" is empty'),
        ({"sentences": [], "status": "done"}, "'done' is not scored, abstained or empty"),
        ("", "no judged paragraphs"),
    ],
)
def test_bad_lines(tmp_path, line, words):
    with pytest.raises(InputError) as error:
        read_judged(write(tmp_path / "judged.jsonl", line))
    assert words in str(error.value)
    assert "judged.jsonl" in str(error.value)


def test_no_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_judged(tmp_path / "missing.jsonl")
