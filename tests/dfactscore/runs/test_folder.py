"""Run folders refuse what would overwrite or mislead."""

from __future__ import annotations

import json

import pytest
from dfactscore.retrieval import Passage

from dfactscore.errors import RunError
from dfactscore.records import (
    Biography,
    Citation,
    Document,
    Entity,
    Evidence,
    Fact,
    FactGroup,
    Verdict,
)
from dfactscore.runs import Run, execute, load_run, new_manifest
from dfactscore.runs.journal import Journal
from dfactscore.scorer import Scorer
from dfactscore.scoring.matrix import support_matrix
from dfactscore.scoring.stages import Judged

SETTINGS = {"scores": {"gamma": None}, "candidates": "retrieved"}


def manifest(**settings):
    return new_manifest(
        command="score", source={"file": "x.jsonl", "bad": 0}, settings={**SETTINGS, **settings}
    )


def complete(id="a"):
    biography = Biography(
        id,
        "Ann Lee",
        "Ann sang. She ran.",
        citations=(Citation(9, (1, 2)),),
        passages=(Passage("Ann Lee", "Ann Lee sang."),),
        raw="Ann sang [1][2]. She ran.",
        links=("Ann Lee",),
    )
    entities = (Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", "Ann Lee sang."),), 0, ("A",)),)
    verdicts = (
        Verdict("supported", 0.9, Evidence(0, 0, 13), sent=True),
        Verdict("refused", conflict=Evidence(0, 8, 12)),
    )
    return Judged(
        biography,
        "scored",
        facts=(Fact("Ann sang.", 0, (0, 9)), Fact("Ann ran.", label="irrelevant")),
        groups=(FactGroup((0, 1), "Ann", True),),
        entities=entities,
        matrix=support_matrix(entities, [verdicts]),
    )


def save(run, judged):
    stages = run.stages(judged.biography)
    stages.save_facts(judged.facts)
    stages.save_groups(judged.groups, "")
    stages.save_matrix(judged)
    run.save(stages.key, judged)
    return stages.key


def test_everything_comes_back(tmp_path):
    judged = complete()
    with Run(tmp_path / "run", manifest()) as run:
        save(run, judged)
        assert run.done(run.stages(judged.biography).key)
    (again,) = load_run(tmp_path / "run").judged()
    assert again == judged


def test_a_failed_grouping_comes_back(tmp_path):
    judged = complete()
    with Run(tmp_path / "run", manifest()) as run:
        stages = run.stages(judged.biography)
        assert stages.groups() is None
        stages.save_groups(None, "no answer")
        assert stages.groups() == (None, "no answer")


def test_an_error_is_tried_again(tmp_path):
    biography = complete().biography
    with Run(tmp_path / "run", manifest()) as run:
        key = run.stages(biography).key
        run.save(key, Judged(biography, "error", "timeout"))
        assert not run.done(key)
        run.save(key, Judged(biography, "abstained"))
        assert run.done(key)


def test_another_run_is_not_overwritten(tmp_path):
    def open_run(biographies, sha256, **settings):
        about = manifest(**settings)
        about["input"]["sha256"] = sha256
        return Run(tmp_path / "run", about, biographies)

    first, second = complete("a"), complete("b")
    with open_run([first.biography], "1", link="argmax") as run:
        save(run, first)
    with pytest.raises(RunError, match=r"settings\.link was 'argmax' and is now 'hungarian'"):
        open_run([first.biography], "1", link="hungarian")
    with pytest.raises(RunError, match=r"it has judged 'a', and the input has no such biography"):
        open_run([second.biography], "2", link="argmax")
    with pytest.raises(RunError, match=r"settings\.limit was None and is now 3"):
        open_run([second.biography], "2", link="argmax", limit=3)
    with open_run([second.biography, first.biography], "3", link="argmax") as run:
        assert run.done(run.stages(first.biography).key)


def test_other_files_are_not_overwritten(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(RunError, match=r"is no run and not empty \(thesis\.tex\)"):
        Run(tmp_path, manifest())


def test_one_writer_at_a_time(tmp_path):
    with Run(tmp_path, manifest()), pytest.raises(RunError, match="another process is writing"):
        Run(tmp_path, manifest())
    with Run(tmp_path, manifest()):
        pass
    assert not (tmp_path / ".lock").exists()


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
    with Run(tmp_path / "run", manifest()) as run:
        save(run, complete())
    (tmp_path / "run" / "documents.jsonl").write_text("")
    with pytest.raises(RunError, match=r"documents\.jsonl: lacks document"):
        list(load_run(tmp_path / "run").judged())


def test_a_mistaken_run_names_what_is_near(tmp_path, make_scored, make_run):
    make_run([make_scored()], "first-run")
    with pytest.raises(RunError, match=r"no such run folder; did you mean first-run\?$"):
        load_run(tmp_path / "first-rum")
    file = tmp_path / "bios.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    with pytest.raises(RunError, match="is a file, not a run; 'dfactscore score' makes"):
        load_run(file)


def test_a_lost_journal_is_no_score(tmp_path):
    with Run(tmp_path / "run", manifest()) as run:
        save(run, complete())
    for name in ("facts", "groups", "verdicts"):
        path = tmp_path / "run" / f"{name}.jsonl"
        kept = path.read_bytes()
        path.unlink()
        with pytest.raises(RunError, match=rf"{name}\.jsonl: lacks biography 'a'"):
            list(load_run(tmp_path / "run").judged(texts=False))
        path.write_bytes(kept)


@pytest.mark.parametrize("name", ["facts", "groups", "verdicts", "documents"])
def test_what_was_lost_is_made_again(tmp_path, name):
    with Run(tmp_path / "run", manifest()) as run:
        save(run, complete())
    (tmp_path / "run" / f"{name}.jsonl").unlink()
    with Run(tmp_path / "run", manifest()) as run:
        judged = complete()
        stages = run.stages(judged.biography)
        assert not run.done(stages.key)
        assert (stages.facts() is None) == (name == "facts")
        if name == "facts":
            stages.save_facts(judged.facts)
            assert stages.groups() is None
            assert stages.matrix() is None
        if name in ("facts", "groups"):
            stages.save_groups(judged.groups, "")
        if name in ("facts", "verdicts"):
            stages.save_matrix(judged)
        run.save(stages.key, judged)
        run.settle([stages.key])
        assert run.done(stages.key)
    (again,) = load_run(tmp_path / "run").judged()
    assert again == complete()


def test_a_run_of_another_version_is_not_resumed(tmp_path):
    other = manifest() | {"versions": {"dfactscore": "0.0.1"}}
    Run(tmp_path / "run", other).close()
    with pytest.raises(RunError, match=r"made by dfactscore 0\.0\.1, this is"):
        Run(tmp_path / "run", manifest())


def test_a_refused_run_leaves_the_folder_free(tmp_path):
    Run(tmp_path / "run", manifest(link="argmax")).close()
    with pytest.raises(RunError, match="holds another run"):
        Run(tmp_path / "run", manifest(link="hungarian"))
    Run(tmp_path / "run", manifest(link="argmax")).close()


def test_what_stopped_a_run_is_told(tmp_path, monkeypatch):
    def full(*_, **__):
        raise RunError("facts.jsonl: No space left on device")

    def also_full(*_, **__):
        raise RunError("timing.json: No space left on device")

    biography = Biography("a", "Ann Lee", "Ann Lee sang.", passages=(Passage("Ann Lee", "Ann."),))
    monkeypatch.setattr(Journal, "append", full)
    monkeypatch.setattr(Run, "note_session", also_full)
    with Run(tmp_path / "run", manifest()) as run, pytest.raises(RunError, match="facts"):
        execute(run, [biography], Scorer().engine, None)
