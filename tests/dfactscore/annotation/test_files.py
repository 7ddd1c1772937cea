"""A study file that is damaged, full or on a read-only disk."""

from __future__ import annotations

import os
import sqlite3
import sys

import pytest

from dfactscore._errors import RunError
from dfactscore.annotation._answer_files import export_answers
from dfactscore.annotation._report import study_status
from dfactscore.annotation._study import Study

COLUMNS = [
    ("item", "id", "'x'"), ("fact", "sentence", "'two'"), ("assignment", "position", "'x'"),
    ("answer", "counter", "'x'"), ("answer", "saved", "'now'"), ("item", "name", "x'00ff'"),
    ("annotator", "revoked", "0.5"),
]  # fmt: skip


@pytest.fixture
def study(make_study):
    return make_study(annotators=["ann"])


@pytest.mark.parametrize(("table", "column", "value"), COLUMNS)
def test_tables_take_no_text_for_a_number(study, table, column, value):
    with pytest.raises(RunError, match="cannot be used"), study.write() as db:
        db.execute(f"INSERT INTO {table} ({column}) VALUES ({value})")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE item SET id = 1.5 WHERE 0", ""),
        ("UPDATE fact SET sentence = 'two'", "fact.sentence of row 1 is text, not integer"),
        ("UPDATE fact SET text = x'00ff'", "fact.text of row 1 is blob, not text"),
        ("UPDATE annotator SET revoked = 'no'", "annotator.revoked of row 1 is text"),
        ("UPDATE assignment SET position = 0.5", "assignment.position of row 1 is real"),
        ("UPDATE study SET schema = 1, created = x'00'", "study.created of row 1 is blob"),
    ],
)
def test_an_older_file_is_checked_when_it_is_opened(make_study, loosen, change, words):
    study = make_study(annotators=["ann"])
    study.close()
    loosen(study.path)
    with sqlite3.connect(study.path) as db:
        db.execute(change)
    db.close()
    if words:
        with pytest.raises(RunError, match=rf"study\.db: cannot be used \({words}"):
            Study(study.path)
    else:
        Study(study.path).close()


def test_a_study_on_a_read_only_disk_can_be_read(make_study, tmp_path, monkeypatch):
    study = make_study(annotators=["ann"])
    study.close()
    ours, there = {study.path, study.path.parent}, os.access
    monkeypatch.setattr(
        os, "access", lambda at, mode, **more: (at, mode) not in {(p, os.W_OK) for p in ours}
        and there(at, mode, **more)
    )  # fmt: skip
    (tmp_path / "elsewhere").mkdir()
    with Study(study.path) as read:
        assert study_status(read)
        export_answers(read, tmp_path / "elsewhere" / "out.jsonl")
        with pytest.raises(RunError, match="readonly"), read.write() as db:
            db.execute("UPDATE study SET address = 'x'")


def test_a_full_disk_is_said_in_one_line(make_study, browse, monkeypatch, capsys):
    study = make_study(annotators=["ann"])
    ann = browse(study, "ann")

    def full(*_: object, **__: object) -> None:
        raise RunError(f"{study.path}: cannot be used (database or disk is full)")

    monkeypatch.setattr(sys.modules["dfactscore.annotation._web.app"], "save", full)
    answer = ann.post(f"/item/{ann.tasks()[0].public}", ("confirm", "A"))
    assert answer.status_code == 507
    assert "the study cannot be used (database or disk is full); earlier answers" in answer.text
    assert str(study.path) not in answer.text
    said = capsys.readouterr().err
    assert said == f"dfactscore: {study.path}: cannot be used (database or disk is full)\n"
