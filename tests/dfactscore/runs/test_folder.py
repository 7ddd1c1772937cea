"""Run folders refuse what would overwrite or mislead."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from run_records import WritableRun, complete, manifest, opened

from dfactscore._errors import RunError
from dfactscore._records import Biography, Verdict
from dfactscore._runs import begin_records, load_run
from dfactscore._runs.biography_json import biography_key
from dfactscore._runs.scoring_work import record_work
from dfactscore._scorer.scorer import Scorer
from dfactscore._scoring.matrix import support_matrix
from dfactscore._scoring.record import STAGES
from dfactscore.retrieval import Passage
from dfactscore.work import in_folder
from dfactscore.work import run as run_work
from dfactscore.work._journal import Journal
from dfactscore.work._work_folder import WorkFolder


def test_everything_comes_back(tmp_path):
    record = complete()
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(record)
        assert run.writer.resume(opened(record)).status == "scored"
    (again,) = load_run(tmp_path / "run").records()
    assert again == record
    assert (again.key, again.usage) == (record.key, record.usage)
    (bare,) = load_run(tmp_path / "run").records(texts=False)
    assert bare.scores == record.scores
    assert bare.matrix == record.matrix
    assert bare.entities[0].documents[0].text == ""


def test_only_what_is_done_comes_back(tmp_path):
    record = complete()
    with WritableRun(tmp_path / "run", manifest()) as run:
        assert run.writer.resume(opened(record)) == opened(record)
        run.writer.write_stage("groups", record)
        assert run.writer.resume(opened(record)) == opened(record)  # groups of facts that are gone
        run.writer.write_stage("facts", record)
        found = run.writer.resume(opened(record))
        assert (found.facts, found.groups, found.matrix) == (record.facts, None, None)
        run.writer.write_stage("groups", record)
        run.writer.write_stage("verdicts", record)
        found = run.writer.resume(opened(record))
        assert (found.groups, found.matrix) == (record.groups, record.matrix)


def test_what_failed_is_asked_for_again(tmp_path):
    record = complete()
    lost = support_matrix(record.entities, [[Verdict("supported"), Verdict("error")]])
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(
            replace(record, groups=None, status="grouping_failed", reason="no answer")
        )
        found = run.writer.resume(opened(record))
        assert (found.status, found.groups, found.matrix) == (None, None, record.matrix)
        run.writer.write_record(replace(record, matrix=lost))
        found = run.writer.resume(opened(record))
        assert (found.status, found.groups, found.matrix) == (None, record.groups, None)
        given = replace(record.biography, verdicts={"Ann Lee": (Verdict("error"),) * 2})
        kept = replace(record, biography=given, key=biography_key(given), matrix=lost)
        run.writer.write_record(kept)
        assert run.writer.resume(opened(kept)).status == "scored"


def test_an_error_is_tried_again(tmp_path):
    record = opened(complete())
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_end(replace(record, status="error", reason="timeout"))
        assert run.writer.resume(record).status is None
        run.writer.write_end(replace(record, status="abstained"))
        assert run.writer.resume(record).status == "abstained"


def test_another_run_is_not_overwritten(tmp_path):
    def open_run(records, sha256, **settings):
        about = manifest(**settings)
        about["input"]["sha256"] = sha256
        return WritableRun(tmp_path / "run", about, [record.key for record in records])

    first, second = complete("a"), complete("b")
    with open_run([first], "1", link="argmax") as run:
        run.writer.write_record(first)
    with pytest.raises(RunError, match=r"settings\.link was 'argmax' and is now 'hungarian'"):
        open_run([first], "1", link="hungarian")
    with pytest.raises(RunError, match=r"it has done 'a', which the input does not have"):
        open_run([second], "2", link="argmax")
    with pytest.raises(RunError, match=r"the limit was None and is now 3"):
        open_run([second], "2", link="argmax", limit=3)
    with open_run([second, first], "3", link="argmax") as run:
        assert run.writer.resume(opened(first)).status == "scored"


def test_a_folder_without_an_answer_is_taken_over(tmp_path):
    record = complete()
    free = replace(record, usage={})
    with WritableRun(tmp_path / "run", manifest(model="wrong")) as run:
        run.writer.write_stage("facts", free)  # by the built-in engine
        run.writer.write_end(replace(opened(record), status="error", reason="timeout"))
    with WritableRun(tmp_path / "run", manifest(model="right")) as run:
        assert run.writer.resume(opened(record)) == opened(record)
    assert (tmp_path / "run" / "facts.jsonl").read_bytes() == b""
    with WritableRun(tmp_path / "run", manifest(model="right")) as run:
        run.writer.write_stage(
            "facts", replace(record, usage={"facts": {"decompose": {"m": {"answers": 1}}}})
        )
    with pytest.raises(RunError, match="holds another run"):
        WritableRun(tmp_path / "run", manifest(model="other"))


def test_other_files_are_not_overwritten(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(RunError, match=r"holds something else \(thesis\.tex\)"):
        WritableRun(tmp_path, manifest())


def test_one_writer_at_a_time(tmp_path):
    with (
        WritableRun(tmp_path, manifest()),
        pytest.raises(RunError, match="another process is writing"),
    ):
        WritableRun(tmp_path, manifest())
    with WritableRun(tmp_path, manifest()):
        pass
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == [".lock"]
    assert not (tmp_path / ".lock").read_bytes()


def test_unreadable_runs(tmp_path):
    with pytest.raises(RunError, match="no such run folder"):
        load_run(tmp_path / "no")
    with pytest.raises(RunError, match=r"not a run folder \(it has no manifest\.json\)"):
        load_run(tmp_path)
    path = tmp_path / "manifest.json"
    path.write_text("{")
    with pytest.raises(RunError, match="not valid JSON"):
        load_run(tmp_path)
    path.write_text(json.dumps({"schema": 99, "versions": {"dfactscore": "9.1"}}))
    with pytest.raises(RunError, match=r"schema 99, this version reads 1 \(made by 9\.1"):
        load_run(tmp_path)
    path.write_text("[]")
    with pytest.raises(RunError, match="schema None"):
        load_run(tmp_path)


def test_a_missing_document_is_named(tmp_path):
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(complete())
    (tmp_path / "run" / "documents.jsonl").write_text("")
    with pytest.raises(RunError, match=r"documents\.jsonl: lacks document"):
        list(load_run(tmp_path / "run").records())


def test_a_mistaken_run_names_what_is_near(tmp_path, make_scored, make_run):
    make_run([make_scored()], "first-run")
    with pytest.raises(RunError, match=r"no such run folder; did you mean first-run\?$"):
        load_run(tmp_path / "first-rum")
    file = tmp_path / "bios.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    with pytest.raises(RunError, match="is a file, not a run; 'dfactscore score' makes"):
        load_run(file)


def test_a_lost_journal_is_no_score(tmp_path):
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(complete())
    for name in ("facts", "groups", "verdicts"):
        path = tmp_path / "run" / f"{name}.jsonl"
        kept = path.read_bytes()
        path.unlink()
        with pytest.raises(RunError, match=rf"{name}\.jsonl: lacks biography 'a'"):
            list(load_run(tmp_path / "run").records(texts=False))
        path.write_bytes(kept)


@pytest.mark.parametrize("name", [*STAGES, "documents"])
def test_what_was_lost_is_made_again(tmp_path, name):
    record = complete()
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(record)
    (tmp_path / "run" / f"{name}.jsonl").unlink()
    with WritableRun(tmp_path / "run", manifest()) as run:
        found = run.writer.resume(opened(record))
        assert found.status is None
        assert (found.facts == ()) == (name == "facts")
        assert (found.groups is None) == (name in ("facts", "groups"))
        assert (found.matrix is None) == (name in ("facts", "verdicts"))
        run.writer.write_record(record)
        run.settle([record.key])
        assert run.writer.resume(opened(record)).status == "scored"
    (again,) = load_run(tmp_path / "run").records()
    assert again == record


def test_a_run_of_another_version_is_not_resumed(tmp_path):
    other = manifest() | {"versions": {"dfactscore": "0.0.1"}}
    with WritableRun(tmp_path / "run", other) as run:
        run.writer.write_record(complete())
    with pytest.raises(RunError, match=r"made by dfactscore 0\.0\.1, this is"):
        WritableRun(tmp_path / "run", manifest())


def test_a_refused_run_leaves_the_folder_free(tmp_path):
    with WritableRun(tmp_path / "run", manifest(link="argmax")) as run:
        run.writer.write_record(complete())
    with pytest.raises(RunError, match="holds another run"):
        WritableRun(tmp_path / "run", manifest(link="hungarian"))
    WritableRun(tmp_path / "run", manifest(link="argmax")).close()


def test_what_stopped_a_run_is_told(tmp_path, monkeypatch):
    def full(*_, **__):
        raise RunError("facts.jsonl: No space left on device")

    def also_full(*_, **__):
        raise RunError("timing.json: No space left on device")

    biography = Biography("a", "Ann Lee", "Ann Lee sang.", passages=(Passage("Ann Lee", "Ann."),))
    monkeypatch.setattr(Journal, "append", full)
    monkeypatch.setattr(WorkFolder, "note_session", also_full)
    records = begin_records([biography])
    about = manifest()
    work = record_work(
        records, Scorer().engine, None, lambda found: None,
        settings=about["settings"], input_entry=about["input"],
    )  # fmt: skip
    with pytest.raises(RunError, match="facts"):
        run_work(work, in_folder(tmp_path / "run"))


def test_the_manifest_says_how_long_the_evidence_is(tmp_path):
    """Whole pages and passages of them support different facts: `compare` has to know."""
    import json

    from dfactscore import Scorer, compare

    page = "Ann Lee (born 1950) is a painter. " + "She paints by the sea. " * 40
    text = {"name": "Ann Lee", "text": "Ann Lee is a painter. She was born in 1950."}
    short = [{"title": "Ann Lee", "text": page[:34]}]
    scorers = {"pages": Scorer(pages={"Ann Lee": page}), "passages": Scorer()}
    runs = {
        label: scorer.score_many([{**text, "passages": short}] * 1).save(tmp_path / label)
        for label, scorer in scorers.items()
    }
    words = {
        label: json.loads((run / "manifest.json").read_text())["evidence_words"]
        for label, run in runs.items()
    }
    assert words == {"pages": len(page.split()), "passages": len(page[:34].split())}
    assert any(note.startswith("warning: the evidence has") for note in compare(runs).notes)
