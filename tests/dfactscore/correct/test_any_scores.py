"""Corrections of scores of other tools: any column, grades, several judges, and in memory."""

from __future__ import annotations

import csv
import random

import pytest

from dfactscore._cli.app import main
from dfactscore._errors import InputError
from dfactscore.correct import correct


@pytest.fixture
def table(tmp_path, monkeypatch, capsys):
    rng = random.Random(3)
    with (tmp_path / "all.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["qid", "score", "verdict", "grade", "human", "human_grade"])
        for i in range(120):
            true, grade = rng.random() < 0.6, rng.randint(1, 5)
            judge = round(rng.betavariate(5, 2) if true else rng.betavariate(2, 3), 2)
            verdict = "yes" if true or rng.random() < 0.4 else "no"
            labels = (int(true), grade) if i % 3 == 0 else ("", "")
            rows.writerow([f"q{i}", judge, verdict, min(5, grade + i % 2), *labels])
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["dfactscore", "correct", "all.csv", *arguments])
        with pytest.raises(SystemExit) as exit_:
            main()
        return (exit_.value.code or 0, *capsys.readouterr())

    return call


def test_several_judges_of_one_table(table):
    given = ("--field", "id=qid", "--column", "score=human", "--column", "verdict=human")
    code, out, _ = table(*given, "--column", "grade=human_grade", "-f", "csv")
    assert code == 0
    rows = {row["measure"]: row for row in csv.DictReader(out.splitlines())}
    assert {m: (row["labels"], row["texts"]) for m, row in rows.items()} == dict.fromkeys(
        ("score", "verdict", "grade"), ("40", "120")
    )
    assert float(rows["verdict"]["bias"]) > 0.05
    assert 2 < float(rows["grade"]["corrected"]) < 4
    code, out, _ = table(*given, "-f", "latex")
    assert (code, out.count(r"\toprule"), "verdict" in out) == (0, 1, True)


def test_a_plan_of_a_grade_is_in_its_unit(table):
    code, out, _ = table(
        "--field", "id=qid", "--column", "grade=human_grade", "--by", "all.csv", "--plan",
        "--width", "0.4",
    )  # fmt: skip
    assert code == 0
    assert "±0.4 of the score" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--column", "nosuch=human", "--field", "id=qid"], "has no scores (nosuch): it has qid"),
        (["--column", "score=human"], "--field id=COLUMN"),
        (["--column", "qid=human", "--field", "id=qid"], "qid is 'q0', neither a number nor"),
    ],
)
def test_mistakes(table, arguments, said):
    code, _, err = table(*arguments)
    assert code == 2
    assert said in err


def test_values_in_memory():
    judge = {f"a{i}": i % 10 / 10 for i in range(100)}
    labels = {f"a{i}": i % 10 > 5 for i in range(0, 100, 3)}
    (run,) = correct(judge, labels).runs
    assert (run.measures["score"].labels, run.measures["score"].texts) == (34, 100)
    both = correct({"one": judge, "two": {k: 1 - v for k, v in judge.items()}}, labels)
    assert set(both.runs[0].measures) == {"one", "two"}
    aligned = correct([*judge.values()], [labels.get(key) for key in judge])
    assert aligned.rows()[0]["corrected"] == pytest.approx(run.measures["score"].corrected.value)
    with pytest.raises(InputError, match="labels: has no value"):
        correct(judge, {})
    with pytest.raises(InputError, match="labels for no text"):
        correct(judge, {"b1": 1})


def test_few_differing_verdicts_are_mentioned():
    judge = [float(i % 3 > 0) for i in range(100)]
    correction = correct(judge, [*judge[:29], 1 - judge[29], *[None] * 70])
    assert any("differs from 1 label of 30" in note for note in correction.notes)
