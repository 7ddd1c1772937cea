"""Whole jobs against a server that misbehaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dfactscore._results.summary import summary_table
from dfactscore._runs import load_run
from dfactscore._scoring.summary import summarize_records
from dfactscore._text.sentences import split_sentences
from dfactscore.linking import STATUSES
from dfactscore.measures._table import aligned

Job = Callable[..., Path]
SCORES = ("scores.csv", "summary.json", "facts.jsonl", "groups.jsonl", "verdicts.jsonl")
TRANSPORT = [
    "429",
    "500",
    "503",
    "reset",
    "html",
    "half-json",
    *(
        pytest.param(kind, marks=pytest.mark.slow)
        for kind in ("429-date", "429-seconds", "timeout")
    ),
]
CONTENT = ["truncated", "broken", "count", "refusal", "duplicate", "unknown", "empty"]


def without_usage(path: Path) -> Any:
    if path.suffix != ".jsonl":
        return path.read_bytes()
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{k: v for k, v in row.items() if k not in ("usage", "crc32")} for row in rows]


def summary(folder: Path) -> Any:
    return json.loads((folder / "summary.json").read_text("utf-8"))


@pytest.fixture
def clean(job: Job) -> Path:
    return job("clean")


def test_passing_faults_change_no_score(job: Job, stub, clean: Path) -> None:
    stub.set(rate=0.2, hang=20.0)
    faulty = job("faulty", timeout=1.5, retries=6)
    faults = stub.stats()["faults"]
    assert sum(faults.values()) > 10, faults
    for name in SCORES:
        assert without_usage(faulty / name) == without_usage(clean / name), name


@pytest.mark.parametrize("kind", TRANSPORT)
def test_each_transport_fault_is_ridden_out(job: Job, stub, clean: Path, kind: str) -> None:
    stub.set(rate=0.1, kinds=[kind], hang=20.0)
    faulty = job("faulty", timeout=1.5, retries=6)
    assert stub.stats()["faults"][kind] > 0
    assert (faulty / "scores.csv").read_bytes() == (clean / "scores.csv").read_bytes()


@pytest.mark.parametrize("kind", CONTENT)
def test_each_content_fault_is_repaired_once(job: Job, stub, clean: Path, kind: str) -> None:
    stub.set(rate=0.5, kinds=[kind])
    faulty = job("faulty")
    stats = stub.stats()
    assert stats["faults"][kind] > 10
    assert (faulty / "scores.csv").read_bytes() == (clean / "scores.csv").read_bytes()
    expected = 12 * 4 + 1 + sum(stats["faults"].values())
    assert stats["requests"] == expected


@pytest.mark.parametrize("verifier", ["llm", pytest.param("strict", marks=pytest.mark.slow)])
def test_lasting_faults_cost_exactly_their_own_cells(job: Job, stub, verifier: str) -> None:
    clean = job("clean", verifier=verifier)
    stub.set(rate=0.3, unbounded=True, stages=["verify", "strict"], hang=20.0)
    # Some texts lose all of their verdicts, and have no score.
    faulty = job("faulty", verifier=verifier, timeout=1.0, retries=1, fails=True)
    unreadable = same = 0
    for left, right in zip(load_run(clean).records(), load_run(faulty).records(), strict=True):
        assert left.facts == right.facts
        assert left.groups == right.groups
        read = right.matrix.readable
        assert (left.matrix.status[read] == right.matrix.status[read]).all()
        assert (left.matrix.probability[read] == right.matrix.probability[read]).all()
        same += int(read.sum())
        unreadable += int((~read).sum())
    assert unreadable > 5
    assert same > 5


@pytest.mark.parametrize("stage", ["verify", "group"])
def test_what_failed_is_asked_for_again(
    job: Job, stub, clean: Path, stage: str, caplog, contents
) -> None:
    caplog.set_level("INFO")
    before = stub.stats()["requests"]
    stub.set(rate=0.3, kinds=["500"], unbounded=True, stages=[stage])
    folder = job("run", retries=1, fails=True)
    assert contents(folder)["scores.csv"] != contents(clean)["scores.csv"]
    assert "the same command" in caplog.text
    caplog.clear()
    stub.set()
    job("run", retries=1)
    asked = stub.stats()["requests"]
    assert 0 < asked < before / 2
    assert contents(folder) == contents(clean)
    assert "the same command" not in caplog.text
    job("run", retries=1)
    assert stub.stats()["requests"] == asked


def test_a_server_that_never_answers_well_gives_nothing_readable(job: Job, stub) -> None:
    stub.set(rate=1.1, kinds=["refusal"], unbounded=True)
    folder = job("bad", decomposer="builtin", grouper="builtin", structured="text", fails=True)
    found = summary(folder)
    assert (found["fs"], found["dfs"], found["statuses"]) == (None, None, {"not_judged": 12})
    statuses = {
        STATUSES[code] for one in load_run(folder).records() for code in one.matrix.status.flat
    }
    assert statuses == {"refused"}


def test_a_decomposition_that_fails_makes_the_biography_an_error(job: Job, stub) -> None:
    stub.set(rate=1.1, kinds=["broken"], unbounded=True, stages=["decompose"])
    folder = job("bad", fails=True)
    assert summary(folder)["statuses"] == {"error": 12}
    rows = (folder / "errors.jsonl").read_text("utf-8").splitlines()
    assert len(rows) == 12
    assert "decomposition unparsed" in rows[0]
    # No bad answer was stored: the same command asks again and succeeds.
    stub.set()
    job("bad")
    assert summary(folder)["n_scored"] == 12


def test_a_failed_grouping_gives_fs_and_no_dfs(job: Job, stub) -> None:
    stub.set(rate=1.1, kinds=["broken"], unbounded=True, stages=["group"])
    folder = job("bad", fails=True)
    found = summary(folder)
    assert found["fs"] > 0
    assert found["dfs"] is None
    assert found["statuses"] == {"grouping_failed": 12}


def test_what_a_model_loses_is_in_record_summary_and_warning(
    job: Job, stub, biographies: Path, caplog
) -> None:
    data = json.loads(biographies.read_text("utf-8"))["data"][:2]
    biographies.write_text(json.dumps({"data": data}), "utf-8")
    texts = [one.biography.text for one in load_run(job("clean")).records()]
    sentences = [sentence.text for sentence in split_sentences(texts[0])]
    stub.set(facts={sentences[0]: [[sentences[0], "Mara Voss won two medals."], [], []]})
    caplog.clear()
    folder = job("lossy")
    said = caplog.text
    assert "2 sentences" in said
    assert "dropped 1 fact whose words" in said
    first, second = load_run(folder).records()
    assert (first.faults, second.faults) == ({"lost_sentences": 2, "not_in_text": 1}, {})
    assert [fact.text for fact in first.facts] == [sentences[0]]
    found = summary(folder)
    assert found["faults"] == {"lost_sentences": 2, "not_in_text": 1}
    assert found["text_coverage"] == (1 + 3) / (1 + 3 + 2)
    assert "66.7" in aligned(summary_table(summarize_records(load_run(folder).records())))
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["total"]["lost_sentences"] == 2
    assert "faults" not in summary(folder.parent / "clean")


@pytest.mark.parametrize("kind", ["unknown", "count", "duplicate"])
def test_a_grouping_that_stays_wrong_is_repaired_and_counted(job: Job, stub, kind: str) -> None:
    stub.set(rate=1.1, kinds=[kind], unbounded=True, stages=["group"])
    folder = job("bad", limit=2)
    found = summary(folder)
    assert (found["statuses"], found["faults"]) == ({"scored": 2}, {"repaired": 2})
    assert found["dfs"] is not None
    for one in load_run(folder).records():
        assert sorted(f for g in one.groups for f in g.facts) == list(range(len(one.facts)))


def test_a_run_remembers_in_which_form_the_first_text_was_read(
    job: Job, stub, contents, caplog
) -> None:
    caplog.set_level("INFO")
    stub.set(paragraphs=False)
    folder = job("parts", limit=2)
    assert stub.stats()["by_stage"]["decompose"] == 2 + 2 * 3
    assert "stub-a: its answers about a paragraph cannot be read" in caplog.text
    caplog.clear()
    folder = job("parts", limit=5)
    assert stub.stats()["by_stage"]["decompose"] == 2 + 5 * 3
    assert summary(folder)["faults"] == {"by_sentence": 5}
    assert "cannot be read" not in caplog.text
    assert contents(job("whole", limit=5)) == contents(folder)
