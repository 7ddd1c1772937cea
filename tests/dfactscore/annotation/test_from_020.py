"""A study file of 0.2.0, which SQLAlchemy made and filled, is read and carried on."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest

from dfactscore.annotation._assigned_paragraphs import list_tasks
from dfactscore.annotation._exporting import export_answers
from dfactscore.annotation._gold import answered_items
from dfactscore.annotation._people import add_annotator, new_link, revoke
from dfactscore.annotation._schema import TABLES
from dfactscore.annotation._study import Study

OLD = Path(__file__).parent / "from_020"


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "study.db"
    path.write_bytes(gzip.decompress((OLD / "study.db.gz").read_bytes()))
    with Study(path) as study:
        yield study


def columns(db):
    """All that decides what a file takes: columns, keys, references, indexes, triggers."""
    found = {}
    for name, kind in db.execute("SELECT name, type FROM sqlite_master").fetchall():
        if kind == "table":
            found[name] = [
                db.execute(f"PRAGMA {what}({name})").fetchall()
                for what in ("table_info", "foreign_key_list", "index_list")
            ]
        elif kind == "trigger":
            found[name] = kind
    return found, db.execute("PRAGMA user_version").fetchone()


def test_the_tables_are_the_same(old):
    with old.read() as db, sqlite3.connect(":memory:") as new:
        new.executescript(TABLES)
        old_ones, new_ones = columns(db), columns(new)
    # 0.2.0 wrote FLOAT for REAL, which strict tables do not know.
    there = {name: str(has).replace("FLOAT", "REAL") for name, has in old_ones[0].items()}
    assert (there, old_ones[1]) == ({name: str(h) for name, h in new_ones[0].items()}, new_ones[1])


def test_its_answers_are_the_same(old, tmp_path):
    export_answers(old, tmp_path / "a.jsonl", with_events=True)
    assert (tmp_path / "a.jsonl").read_bytes() == (OLD / "answers.jsonl").read_bytes()


def test_it_is_carried_on(old, browse, worked):
    assert add_annotator(old, "cat") == 0
    new_link(old, "cat")
    assert revoke(old, "cat") == 1
    ben = browse(old, "ben")
    ben.counter = 100  # a real browser begins above what the page says
    (begun,) = [task for task in list_tasks(old, ben.person) if task.status == "open"]
    assert ben.state(begun.public).step == "B"
    assert ben.post(f"/item/{begun.public}", ("again", "Miscounted")).status_code == 303
    ben.annotate(begun.public, worked["b3"][1])
    judge = browse(old, "adjudicator")
    undecided = {a.item.record: a.item for a in answered_items(old) if a.gold[0] == "undecided"}
    assert set(undecided) == {"b1", "b3"}
    judge.counter = 100
    path = f"/case/{undecided['b1'].public}"
    judge.post(path, ("fact.3.decision", "0"))
    assert judge.post(path, ("confirm", "yes")).headers["location"] == "/"
    assert answered_items(old)[0].gold[0] == "adjudicated"
