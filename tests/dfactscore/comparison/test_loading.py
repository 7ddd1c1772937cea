from __future__ import annotations

import json

import pandas as pd
import pytest

from dfactscore._errors import InputError
from dfactscore.comparison import compare
from dfactscore.comparison._loading import load_scores


def test_near_misses_are_named(tmp_path):
    (tmp_path / "tulu.json").write_text("{}")
    with pytest.raises(InputError, match=r"no such run or file; did you mean tulu\.json"):
        load_scores(tmp_path / "tula.json")


def test_a_folder_that_is_no_run(tmp_path):
    with pytest.raises(InputError, match=r"not a run, it has no scores\.csv"):
        load_scores(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="an unfinished run"):
        load_scores(tmp_path)


def test_a_table_without_the_columns(tmp_path):
    (tmp_path / "scores.csv").write_text("name,fs\nA,1\n")
    with pytest.raises(InputError, match="no column dfs; it has name, fs"):
        load_scores(tmp_path / "scores.csv")


def test_another_kind_of_file(tmp_path):
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(InputError, match=r"cannot compare a \.txt file"):
        load_scores(tmp_path / "x.txt")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "x.json:1: not valid JSON"),
        ("[]", "not a released evaluation"),
        (json.dumps({"decisions": [None], "global_decisions": []}), "needs both for each"),
        (json.dumps({"decisions": [[{"atom": "x"}]], "global_decisions": [[]]}), "decisions.0"),
    ],
)
def test_broken_released_files(tmp_path, content, words):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InputError, match=words):
        load_scores(tmp_path / "x.json")


def test_released_records(tmp_path):
    fact = {"atom": "f", "is_supported": True, "supporting_topic": "T"}
    no = {"atom": "f", "is_supported": False, "supporting_topic": None}
    stored = {
        "decisions": [None, [], [fact, no]],
        "global_decisions": [None, [], [fact]],
        "num_groups": 1.5,
    }
    (tmp_path / "x.json").write_text(json.dumps(stored))
    (run,) = load_scores(tmp_path / "x.json")
    assert run.names == ("#1", "#2", "#3")
    assert run.values["fs"].tolist()[2] == 0.5
    assert run.values["dfs"].tolist()[2] == 1.0
    assert run.values["response_rate"].tolist() == [0, 1, 1]
    assert run.aggregates == {"n_bio": 1.5}


def test_released_lines_hold_names(tmp_path):
    fact = {"atom": "f", "is_supported": True, "supporting_topic": "T"}
    lines = [
        {"name": "A", "decisions": [fact], "global_decisions": [fact]},
        {"name": "B", "decisions": None, "global_decisions": None},
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (run,) = load_scores(tmp_path / "x.jsonl")
    assert (run.names, run.positional) == (("A", "B"), False)
    assert run.values["response_rate"].tolist() == [1, 0]


def test_results_of_a_scorer_are_a_source():
    class Results:
        def to_frame(self):
            return pd.DataFrame({"name": ["A", "B"], "fs": [1.0, None], "dfs": [0.5, None]})

    (run,) = load_scores(Results(), label="x")
    assert run.values["dfs"][0] == 0.5
    assert run.answered == 1


MODELS = [
    {"name": f"n{i}", "model": "big" if i % 2 else "small", "fs": 0.9, "dfs": 0.8 if i % 2 else 0.4}
    for i in range(20)
]


def test_each_model_of_a_run_is_a_row_of_its_own():
    found = compare({"run": MODELS}, resamples=100)
    assert [m.label for m in found.models] == ["small", "big"]
    assert [m.levels["dfs"].mean for m in found.models] == pytest.approx([0.4, 0.8])
    assert [m.n for m in found.models] == [10, 10]
    two = compare({"a": MODELS, "b": MODELS[:10]}, resamples=100)
    assert [m.label for m in two.models] == ["a/small", "a/big", "b/small", "b/big"]
    one = compare({"run": [r for r in MODELS if r["model"] == "big"]}, resamples=100)
    assert [m.label for m in one.models] == ["run"]
    one = compare({"run": [r for r in MODELS if r["model"] == "big"]}, resamples=100, by="model")
    assert [m.label for m in one.models] == ["big"]


def test_what_is_averaged_over_models_says_so():
    found = compare({"run": MODELS}, resamples=100, by="run")
    assert found.models[0].levels["dfs"].mean == pytest.approx(0.6)
    said = (
        "run: the scores of 2 models are averaged together; --rows model separates them: small, big"
    )
    assert said in found.notes
    assert "averaged" not in " ".join(compare({"run": MODELS}, resamples=100).notes)
    with pytest.raises(InputError, match="by='name' is unknown; choose auto, model, run"):
        compare({"run": MODELS}, by="name")


def test_a_note_on_a_file_of_several_models_stands_once(tmp_path):
    rows = "".join(f"n{i},n{i},{m},1,1\n" for i in range(3) for m in "ab")
    (tmp_path / "scores.csv").write_text("id,name,model,fs,dfs\n" + rows)
    (tmp_path / "manifest.json").write_text('{"status": "running", "settings": {}}')
    notes = compare({"run": tmp_path}, resamples=100).notes
    assert [note for note in notes if "the run is running" in note] == [
        "run: the run is running, some biographies are not scored"
    ]


def test_pages_of_unlike_length_are_warned_of(tmp_path):
    for label, words in (("short", 104), ("long", 1850), ("longer", 2000), ("unknown", None)):
        (tmp_path / label).mkdir()
        (tmp_path / label / "scores.csv").write_text("name,fs,dfs\nA,1,1\nB,1,0.5\n")
        manifest = {"settings": {"evidence": "page"}, "status": "complete"}
        manifest |= {} if words is None else {"evidence_words": words}
        (tmp_path / label / "manifest.json").write_text(json.dumps(manifest))
    paths = [tmp_path / label for label in ("short", "long", "unknown")]
    (warning,) = [n for n in compare(paths, resamples=100).notes if n.startswith("warning")]
    assert "1,850 words in long and 104 in short" in warning
    paths = [tmp_path / label for label in ("longer", "long", "unknown")]
    assert not any("warning" in n for n in compare(paths, resamples=100).notes)


def test_rules_and_versions_that_differ_are_named(make_run, make_scored):
    scored = [make_scored(id=str(n)) for n in range(2)]
    runs = {}
    for name, rules, version in (("old", "1a", "0.1.0"), ("new", "2b", "0.2.0")):
        folder = make_run(scored, name)
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["settings"]["decomposer"]["rules"] = rules
        manifest["versions"]["dfactscore"] = version
        (folder / "manifest.json").write_text(json.dumps(manifest))
        runs[name] = folder
    said = "\n".join(compare(runs, resamples=100).notes)
    assert "decomposer: rules 1a in old; 2b in new" in said
    assert "version: dfactscore 0.1.0 in old; 0.2.0 in new" in said
