"""The check of judges on invented pairs and texts."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from itertools import groupby
from typing import ClassVar

import pytest

from dfactscore._cli.app import main
from dfactscore._errors import RunError
from dfactscore._records import FactGroup, Verdict
from dfactscore.engines import Decomposer, Grouper, Verifier
from dfactscore.engines._llm.roles.judge_check import (
    JudgeCheck,
    _cases,
    check_judge,
    read_check,
    write_check,
)
from dfactscore.engines._roles import Engine, GroupingError

CASES = list(_cases())


class _Says(Verifier):
    settings: ClassVar = {}

    def __init__(self, says):
        self.says = says

    def verify(self, biography, facts, entity):
        case = next(c for c in CASES if c.biography == biography)
        letter = "AB"[[page.id for page in case.pages].index(entity.id)]
        return [Verdict(self.says(own == letter)) for own, _ in case.judged]


class _Groups(Grouper):
    settings: ClassVar = {}

    def __init__(self, key):
        self.key = key

    def group(self, biography, facts):
        case = next(c for c in CASES if c.biography == biography)
        rows = sorted((self.key(case, fact), i) for i, fact in enumerate(facts))
        grouped = groupby(rows, key=lambda row: row[0])
        return [FactGroup(tuple(i for _, i in rows)) for _, rows in grouped]


class _Fails(Grouper):
    settings: ClassVar = {}

    def group(self, biography, facts):
        raise GroupingError("no")


class _Never(Decomposer):
    settings: ClassVar = {}

    def decompose(self, biography):
        raise AssertionError


def _check(says, grouper):
    return asyncio.run(check_judge(Engine(_Never(), grouper, _Says(says))))


def _right(case, fact):
    return case.persons[fact.sentence]


def test_the_texts_are_well_formed():
    pairs = Counter(letter for case in CASES for letter, _ in case.judged)
    assert pairs == {"A": 10, "B": 5, "": 5}
    for case in CASES:
        assert len(case.pages) == 2
        assert all(case.persons[fact.sentence] for fact in case.facts)


def test_a_perfect_judge_passes():
    check = _check(lambda true: "supported" if true else "not_supported", _Groups(_right))
    assert check == JudgeCheck(10, 0, 10, 0, 5, 5, calls=4)
    assert check.passed


@pytest.mark.parametrize(
    ("says", "grouper", "line"),
    [
        (lambda true: "supported", _Groups(_right), "accepts 10 of 10 false facts, rejects 0"),
        (lambda true: "unparsed", _Groups(_right), "accepts 0 of 10 false facts, rejects 10"),
        (
            lambda true: "supported" if true else "not_supported",
            _Groups(lambda case, fact: 0),
            "groups 2 of 5 texts right",
        ),
        (
            lambda true: "supported" if true else "not_supported",
            _Groups(lambda case, fact: fact.text),
            "groups 0 of 5 texts right",
        ),
        (lambda true: "supported" if true else "refused", _Fails(), "groups 0 of 5 texts right"),
    ],
)
def test_a_poor_judge_fails_and_says_why(says, grouper, line):
    check = _check(says, grouper)
    assert not check.passed
    assert line in check.line()


def test_a_check_belongs_to_one_judge(tmp_path):
    judge = {"name": "llm-verifier", "model": "m", "endpoint": "http://x/v1", "seed": 1}
    check = JudgeCheck(10, 9, 10, 1, 5, 0, calls=4)
    assert read_check(tmp_path, judge) is None
    path = write_check(tmp_path, judge, check)
    assert read_check(tmp_path, judge) == check
    assert read_check(tmp_path, {**judge, "model": "n"}) is None
    path.write_text("{}")
    with pytest.raises(RunError, match="damaged"):
        read_check(tmp_path, {"name": None, "model": None, "endpoint": None} | {})


def test_tables_state_the_check_of_their_judge(job, stub, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["dfactscore", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code or 0, " ".join("".join(capsys.readouterr()).split())

    folder = job("run", limit=2)
    capsys.readouterr()
    address = ("--base-url", stub.base_url)
    code, said = run("doctor", "--judge", "--model", "stub-a", *address, "--run", folder)
    assert code == 0, said
    assert said.count("false facts, rejects") == 2
    content = json.loads((folder / "judge_check.json").read_text())
    accepted = f"accepts {content['false_accepted']} of 10 false facts"
    assert accepted in run("rescore", folder)[1]
    assert accepted in run("compare", folder, f"again={folder}")[1]
    code, said = run("doctor", "--judge", "--model", "stub-b", *address, "--run", folder)
    assert code == 1
    assert "judged by stub-a" in said
    assert run("doctor", "--judge")[0] == 2
