"""Published aggregates, to the last digit."""

from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore._readers.released_labels import human_factscore, read_annotations
from dfactscore._scoring.released_scores import read_released, recompute

KEYS = (
    "init_score",
    "init_global_score",
    "num_supporting_topics",
    "respond_ratio",
    "num_facts_per_response",
)


@pytest.mark.parametrize("name", ["llama13b", "llama13b-no-ambig", "tulu"])
def test_aggregates(data, name):
    released = read_released(data / "dfactscore" / "released" / f"{name}.json")
    values = recompute(released)
    assert set(values) == set(KEYS)
    for key in KEYS:
        assert values[key] == pytest.approx(released.stored[key], abs=1e-12), key


def test_length_penalty_is_on_facts(data):
    released = read_released(data / "dfactscore" / "released" / "tulu.json")
    values = recompute(released, gamma=10)
    assert values["score"] == pytest.approx(released.stored["score"], abs=1e-12)
    # The stored global_score penalised groups: nearly nothing was left of it.
    assert values["global_score"] > 0.8 > released.stored["global_score"]


@pytest.mark.parametrize(
    ("file", "plain", "with_sentences"),
    [("ChatGPT", 58.30, 58.28), ("InstructGPT", 42.81, 42.58)],
)
def test_human_factscores(data, file, plain, with_sentences):
    records = read_annotations(data / "factscore_labels" / f"{file}.jsonl")
    assert round(100 * human_factscore(records), 2) == plain
    both = human_factscore(records, irrelevant_sentences=True)
    assert round(100 * both, 2) == with_sentences


def test_verdict_lines(data):
    released = read_released(data / "dfactscore" / "verdicts_tulu.jsonl")
    assert len(released.names) == len(released.decisions) == 140


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "x.json:1: not valid JSON"),
        ("[]", "no list 'decisions'"),
        (json.dumps({"decisions": [[{"atom": "x"}]]}), "decisions\\[0\\]"),
        (json.dumps({"decisions": [5]}), "decisions\\[0\\]"),
        (json.dumps({"decisions": [], "global_decisions": 3}), "global_decisions"),
    ],
)
def test_bad_files(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_released(path)
    with pytest.raises(InputError):
        read_annotations(path)


def test_biographies_are_no_evaluation(tmp_path):
    path = tmp_path / "bios.jsonl"
    path.write_text(json.dumps({"name": "Ann Lee", "text": "She paints."}) + "\n")
    with pytest.raises(InputError, match=r"no 'decisions'.*scored first, with 'dfactscore score'"):
        read_released(path)


def test_nothing_answered():
    assert human_factscore([{"annotations": None}]) is None


def test_a_line_separator_within_a_text_is_no_new_line(tmp_path):
    path = tmp_path / "labels.jsonl"
    row = {"topic": "Ann", "output": "a\u2028b", "annotations": None}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    assert len(read_annotations(path)) == 1
    path = tmp_path / "released.jsonl"
    fact = {"atom": "a\u2028b", "is_supported": True, "supporting_topic": "Ann"}
    row = {"name": "Ann", "decisions": [fact], "global_decisions": [fact]}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    assert recompute(read_released(path))["init_score"] == 1


@pytest.mark.parametrize("content", ["[1]\n", '{"decisions": []}\n', "1\n", "x\n"])
def test_other_json_lines_are_one_line_of_error(tmp_path, content):
    path = tmp_path / "x.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=r"x\.jsonl:1: not (a released evaluation|valid JSON)"):
        read_released(path)


def test_an_empty_labeled_file(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("\n")
    with pytest.raises(InputError, match="contains no records"):
        read_annotations(path)


@pytest.mark.parametrize("annotations", ["x", ["x"], [{"human-atomic-facts": [{"text": "x"}]}]])
def test_labels_of_another_shape(tmp_path, annotations):
    path = tmp_path / "x.jsonl"
    path.write_text(
        json.dumps({"annotations": None}) + "\n" + json.dumps({"annotations": annotations})
    )
    with pytest.raises(InputError, match=r"x\.jsonl:2: field 'annotations': expected null or"):
        read_annotations(path)
