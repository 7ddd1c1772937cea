from __future__ import annotations

import csv
import math
import sys
from collections import defaultdict

import pytest
import yaml

from dfactscore._errors import MissingExtraError
from dfactscore._runs import load_run
from dfactscore._scorer.scorer import Scorer
from dfactscore._scoring import ScoreOptions
from dfactscore.examples import example
from dfactscore.integrations._run_dataset import export_run

pytest.importorskip("pyarrow", reason="needs the extra [parquet]")
datasets = pytest.importorskip("datasets", reason="datasets is not installed")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    people = example("people")
    folder = tmp_path_factory.mktemp("runs") / "example"
    return Scorer().score_many(str(people.biographies)).save(folder)


@pytest.fixture
def load(tmp_path):
    def load(folder, *config):
        cache = str(tmp_path / "cache")
        return datasets.load_dataset(str(folder), *config, split="test", cache_dir=cache)

    return load


def scores(folder):
    with (folder / "scores.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def recomputed(facts):
    """FS and D-FS by text, from the exported facts alone."""
    by_text = defaultdict(list)
    for row in facts:
        if row["counted"]:
            by_text[row["id"]].append(row)
    return {
        id: tuple(
            None if rows[0][key] is None else math.fsum(row[key] for row in rows) / len(rows)
            for key in ("fs", "dfs")
        )
        for id, rows in by_text.items()
    }


def same(value, shown):
    return value is None if shown == "" else value == pytest.approx(float(shown), abs=1e-12)


def test_the_dataset_is_the_run(run, tmp_path, load):
    rows = export_run(load_run(run), tmp_path / "out")
    table = scores(run)
    own = load(tmp_path / "out")
    assert rows["biographies"] == len(table) == len(own)
    assert own.features["n_facts"].dtype == "int64"
    assert own.features["dfs"].dtype == "float64"
    assert own.features["off_target"].dtype == "bool"
    for mine, row in zip(own, table, strict=True):
        for column, shown in row.items():
            value = mine[column]
            if isinstance(value, bool) or own.features[column].dtype == "string":
                assert (value if value is not None else "") == shown or str(value).lower() == (
                    shown.lower()
                )
            else:
                assert same(value, shown), column
    frames = load_run(run).frames()
    facts = load(tmp_path / "out", "facts")
    assert len(facts) == rows["facts"] == len(frames.facts)
    for column in ("id", "text", "group", "standing", "start"):
        theirs = frames.facts[column].astype(object)
        assert facts[column] == theirs.where(theirs.notna(), None).tolist()
    assert isinstance(facts.features["supported_by"].feature.dtype, str)
    entities = load(tmp_path / "out", "entities")
    assert len(entities) == rows["entities"]
    linked = {(row["id"], row["entity"]) for row in entities if row["linked_groups"]}
    links = frames.links.dropna(subset=["entity"])
    assert linked == set(zip(links["id"], links["entity"], strict=True))


def test_scores_can_be_recomputed_from_the_facts(run, tmp_path, load):
    export_run(load_run(run), tmp_path / "out")
    facts = load(tmp_path / "out", "facts")
    found = recomputed(facts)
    scored = [row for row in scores(run) if row["fs"]]
    assert len(found) == len(scored) > 20
    for row in scored:
        assert same(found[row["id"]][0], row["fs"])
        assert same(found[row["id"]][1], row["dfs"])
    assert all(0 < row["fs"] < 1 for row in facts if row["counted"])  # probabilities


@pytest.mark.parametrize(
    "options",
    [
        ScoreOptions(counts="expected"),
        ScoreOptions(irrelevant="exclude"),
        ScoreOptions(link="hungarian", threshold=0.95),
    ],
)
def test_with_other_options_too(options, make_scored, make_run, tmp_path, load):
    labeled = make_scored(labels=(1,), options=options, id="labeled")
    split = make_scored(groups=((0, 1), (2, 3, 4)), options=options, id="split")
    failed = make_scored(groups=None, options=options, id="failed")
    silent = make_scored(status="abstained", options=options, id="silent")
    folder = make_run([labeled, split, failed, silent])
    rows = export_run(load_run(folder), tmp_path / "out")
    assert rows["biographies"] == 4
    found = recomputed(load(tmp_path / "out", "facts"))
    for row in scores(folder):
        if row["id"] == "silent":
            assert row["id"] not in found
        else:
            assert same(found[row["id"]][0], row["fs"])
            assert same(found[row["id"]][1], row["dfs"])


def test_the_card(run, tmp_path):
    export_run(load_run(run), tmp_path / "out", license="cc-by-4.0")
    _, front, body = (tmp_path / "out" / "README.md").read_text("utf-8").split("---\n", 2)
    data = yaml.safe_load(front)
    assert data["license"] == "cc-by-4.0"
    assert [c["config_name"] for c in data["configs"]] == ["biographies", "facts", "entities"]
    assert data["configs"][0]["default"] is True
    headings = [line[3:] for line in body.splitlines() if line.startswith("## ")]
    assert headings == ["Metrics", "Intervals", "Fields", "Settings", "Limits", "Licenses"]
    assert "response rate" in body.lower()
    assert "| example | 27/30 |" in body.replace("| a |", "|")
    assert "link: argmax" in body
    assert "CC BY-SA 4.0" in body


def test_the_command_refuses_a_folder_with_other_files(run, tmp_path, monkeypatch, capsys):
    from dfactscore._cli.app import main

    def call(*words):
        monkeypatch.setattr("sys.argv", ["dfactscore", "export", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code, capsys.readouterr()

    code, said = call(run, "--format", "hf", "--out", tmp_path / "ds")
    assert code == 0
    assert said.out.startswith("30 biographies, ")
    assert call(run, "--out", tmp_path / "ds")[0] == 0  # what it wrote itself is replaced
    for left in ("ds/README.md", "ds/facts/test-00000-of-00001.parquet"):  # as after a kill
        (tmp_path / left).unlink()
    (tmp_path / "ds" / "facts" / ".test-00000-of-00001.parquet.0123abcd.tmp").write_text("half")
    assert call(run, "--out", tmp_path / "ds")[0] == 0
    assert not list(tmp_path.rglob("*.tmp"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("x")
    code, said = call(run, "--out", tmp_path / "mine")
    assert code == 2
    assert "contains files that were not written by this command" in said.err
    assert call(run, "--out", run)[0] == 2
    assert call(run, "--out", run / "scores.csv")[0] == 2


def test_without_pyarrow_the_extra_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"\[parquet\]"):
        export_run(load_run(run), tmp_path / "out")
