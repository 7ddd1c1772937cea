"""Reads records with a function of the user's own."""

from __future__ import annotations

import json
import re
import sys

import pytest

from dfactscore import InputError, Scorer, read_biographies
from dfactscore._cli.app import main
from dfactscore._records import Biography

ROWS = [{"who": "Ann Lee", "draft": {"v2": "Ann Lee sang."}}, {"who": "Bob Roe", "draft": None}]
MODULE = """
from dfactscore import Biography

LIMIT = 5

def biography(record):
    return Biography(record["who"], record["who"], record["draft"]["v2"])

def several(record):
    yield {"name": record["who"], "text": "First."}
    yield {"name": record["who"], "text": "Second [1]."}

def number(record):
    return 7
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_reader.py").write_text(MODULE, "utf-8")
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    monkeypatch.delitem(sys.modules, "my_reader", raising=False)
    return tmp_path


def test_a_function_makes_biographies(here):
    def read(record):
        return Biography(record["who"], record["who"], str(record["draft"]))

    assert [one.name for one in read_biographies("x.jsonl", reader=read).biographies] == [
        "Ann Lee", "Bob Roe"]  # fmt: skip
    results = Scorer(pages={"Ann Lee": "Ann Lee sang."}).score_many(
        ROWS[:1], reader=lambda row: {"name": row["who"], "text": row["draft"]["v2"]}
    )
    assert results[0].name == "Ann Lee"


def test_a_function_may_make_several(here):
    found = read_biographies("x.jsonl", reader=lambda row: [{"name": row["who"], "text": "A."}] * 2)
    assert [one.id for one in found.biographies] == ["0.1", "0.2", "1.1", "1.2"]


def test_the_whole_object_of_a_file_is_given(here):
    (here / "x.json").write_text(json.dumps({"people": ROWS}), "utf-8")
    found = read_biographies(
        "x.json", reader=lambda value: [{"name": r["who"], "text": "A."} for r in value["people"]]
    )
    assert [one.name for one in found.biographies] == ["Ann Lee", "Bob Roe"]


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        ("my_readr:biography", "no module 'my_readr' .*did you mean my_reader?"),
        ("my_reader:biografy", "'biografy' is missing; my_reader has biography, several, number"),
        ("my_reader:biografy", "did you mean biography"),
        ("my_reader:LIMIT", "'LIMIT' is int, not a function"),
        ("my_reader.py", "give module:function"),
        ("my_reader:number", "record 0: reader my_reader:number returned int 7, expected a Bio"),
        ("broken:f", "importing 'broken' raised ValueError: at once"),
        ("json:loads", "record 0: reader json:loads raised TypeError"),
    ],
)
def test_mistakes_are_one_line(here, reader, message, capsys, monkeypatch):
    (here / "broken.py").write_text("raise ValueError('at once')\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["dfactscore", "explain", "x.jsonl", "--reader", reader])
    with pytest.raises(SystemExit) as stopped:
        main()
    line = capsys.readouterr().err
    assert stopped.value.code == 2
    assert line.count("\n") == 1
    assert re.search(message, line), line


def test_a_record_on_which_the_function_fails_is_named(here):
    with pytest.raises(InputError, match=r"no usable record; .* raised KeyError: 'none'"):
        read_biographies("x.jsonl", reader=lambda row: row["none"])
    (bad,) = read_biographies(
        "x.jsonl", reader=lambda row: {"name": row["who"], "text": row["draft"]["v2"]}
    ).bad
    assert str(bad).startswith("x.jsonl:2: record 1: reader <lambda> raised TypeError")
