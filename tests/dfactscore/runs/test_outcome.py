"""The files of a run are the same however many biographies are read and scored at a time."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest
from run_records import WritableRun

from dfactscore import Scorer
from dfactscore._cli.app import main
from dfactscore._cli.output import print_scores
from dfactscore._errors import RunError
from dfactscore._jobs.job import Job
from dfactscore._readers import read_biographies
from dfactscore._results.tables import f1_means, scores_csv
from dfactscore._runs import begin_records, finish_run, load_run
from dfactscore._runs.biography_spool import BiographySpool
from dfactscore._runs.run_manifest import read_manifest
from dfactscore._scorer.run_folder import run_job
from dfactscore.examples import example


def scored(out: Path, *, spool: bool = True, **options):
    shipped = example()
    reading = read_biographies(shipped.biographies, into=BiographySpool() if spool else None)
    job = Job(Scorer(pages=str(shipped.pages), **options).engine)
    return run_job(job, begin_records(reading.biographies), out, name="x.jsonl", bad=reading.bad)


def files(folder: Path) -> dict[str, bytes]:
    left = ("timing.json", ".lock", "report.html")
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name not in left}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of the shipped texts, held in memory."""
    return scored(tmp_path_factory.mktemp("whole") / "run", spool=False)


@pytest.mark.parametrize("block", [1, 7, 50])
def test_blocks(tmp_path, whole, block):
    records = begin_records(read_biographies(example().biographies).biographies)
    manifest = {**read_manifest(whole.folder), "status": "running"}
    manifest.pop("evidence_words")
    engine = Scorer().engine
    with WritableRun(tmp_path / "run", manifest) as run:
        run.judge(records, engine)
        outcome = finish_run(run.files, records, block=block)
    assert files(tmp_path / "run") == files(whole.folder)
    assert outcome == whole.outcome


def test_rows_of_a_large_run_stay_in_their_file(tmp_path, whole, monkeypatch, capsys):
    monkeypatch.setattr("dfactscore._runs.outcome.MAX_HELD", 3)
    monkeypatch.setattr("dfactscore._scorer.run_folder.MAX_HELD", 3)
    large = scored(tmp_path / "run")
    assert "not written for more than 3" in large.report
    assert not (tmp_path / "run" / "report.html").exists()
    assert files(tmp_path / "run") == files(whole.folder)
    rows, held = large.outcome.rows, whole.outcome.rows
    assert not isinstance(rows, tuple)
    assert len(rows) == len(held) == 30
    assert list(rows) == list(held) == list(rows)
    for row, other in zip(rows, held, strict=True):
        assert [type(v) for v in row.values()] == [type(v) for v in other.values()]
    assert rows[2] == held[2]
    assert rows[-1] == held[-1]
    assert list(rows[3:9:2]) == list(held[3:9:2])
    with pytest.raises(IndexError):
        rows[30]
    assert f1_means(rows, [64]) == f1_means(held, [64])
    for form in ("json", "csv", "table"):
        print_scores(rows, large.outcome.summary, form, {"run": "r"}, [64.0])
        ours = capsys.readouterr().out
        print_scores(held, whole.outcome.summary, form, {"run": "r"}, [64.0])
        assert capsys.readouterr().out == ours
        if form == "json":
            assert json.loads(ours)["biographies"] == list(held)
            assert ours == json.dumps(json.loads(ours), indent=2, ensure_ascii=False) + "\n"
        if form == "csv":
            assert ours == scores_csv(held)


def test_a_report_of_a_large_run_is_written_with_a_warning(tmp_path, whole, monkeypatch, capsys):
    monkeypatch.setattr("dfactscore._runs.outcome.MAX_HELD", 29)
    monkeypatch.setattr("sys.argv", ["d", "report", str(whole.folder), "-o", f"{tmp_path}/r.html"])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    assert "warning: 30 biographies; browsers open a page of 29" in capsys.readouterr().err
    assert (tmp_path / "r.html").read_bytes() == (whole.folder / "report.html").read_bytes()


def test_printed_json_without_a_row(whole, capsys):
    print_scores([], whole.outcome.summary, "json", {"run": "r"})
    text = capsys.readouterr().out
    assert json.loads(text)["biographies"] == []
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_the_length_of_the_evidence(whole):
    words = [
        sum(len(document.text.split()) for document in entity.documents)
        for record in load_run(whole.folder).records()
        for entity in record.entities
    ]
    assert whole.manifest["evidence_words"] == statistics.median(words)


def test_a_document_that_was_lost(tmp_path, whole):
    records = begin_records(read_biographies(example().biographies).biographies)
    manifest = {**read_manifest(whole.folder), "status": "running"}
    with WritableRun(tmp_path / "run", manifest) as run:
        run.judge(records, Scorer().engine)
        first = next(run.document_lines())
        run._journals["documents"].forget(json.loads(first)["key"])
        with pytest.raises(RunError, match=r"documents\.jsonl: lacks document [0-9a-f]{32}"):
            finish_run(run.files, records)
    assert not (tmp_path / "run" / "scores.csv").exists()
