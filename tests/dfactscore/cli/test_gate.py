from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dfactscore import load_run
from dfactscore._cli.app import main
from dfactscore._cli.gate import failures, parse_condition
from dfactscore._errors import InputError

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["Ann Lee (born 1950) is an English painter.",
         "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996."]  # fmt: skip
ANSWERS = {
    "mixed": "Ann Lee is an English painter. She rowed for Canada in 1996.",
    "clean": "Ann Lee is a rower who rowed for Canada in 1996.",
    "declined": "I'm sorry, I do not know.",
}


@pytest.fixture
def answers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": id, "question": "Who is Ann Lee?", "response": text, "contexts": PAGES}
        for id, text in ANSWERS.items()
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def run(answers, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(
            sys, "argv", ["dfactscore", "score", "answers.jsonl", "--quiet", *arguments]
        )
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


def test_a_condition_fails_and_its_texts_are_listed(run):
    status, _, said = run("--fail-if", "mixed > 2%", "--out", "o")
    assert status == 1
    assert (
        "failed: mixed > 2%: 50.0 % (1 of 2 texts)\n  mixed (Ann Lee): told as one: Ann Lee" in said
    )
    assert "asked: Who is Ann Lee?" in said
    status, _, said = run("--fail-if", "mixed > 50%", "--fail-if", "dfs < 10", "--out", "o")
    assert (status, "failed" in said) == (0, False)
    status, _, said = run("--fail-if", "lower(dfs) < 75", "--out", "o")
    assert (status, "an interval needs two names" in said) == (1, True)
    record = next(iter(load_run(Path("o")).records()))
    assert record.biography.question == "Who is Ann Lee?"
    assert "Who is Ann Lee?" in Path("o/report.html").read_text("utf-8")


def test_formats(run):
    status, out, _ = run("--fail-if", "mixed > 2%", "--format", "github")
    assert status == 1
    lines = out.splitlines()
    assert lines[0] == (
        "::error title=dfactscore%3A mixed > 2%25::mixed > 2%25: 50.0 %25 (1 of 2 texts)"
    )
    assert lines[1].startswith("::error file=answers.jsonl,title=dfactscore")
    assert len(lines) == 2
    status, out, _ = run("--fail-if", "mixed > 2%", "--fail-if", "dfs < 1", "--format", "junit")
    suite = ElementTree.fromstring(out)
    assert status == 1
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("5", "2", "1")
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["mixed > 2%", "mixed"]
    assert run("--fail-if", "dfs < 1", "--format", "junit")[0] == 0
    status, out, said = run("--fail-if", "mixed > 2%", "--format", "json")
    assert (status, len(json.loads(out)["biographies"]), "failed:" in said) == (1, 3, True)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("mixt > 2%", "unknown measure 'mixt'"),
        ("mixt > 2%", "did you mean mixed?"),
        ("dfs < 0.8", "shares are in percent; write 80% or 0.8%"),
        ("lowr(dfs) < 3", "did you mean lower?"),
        ("dfs", "expected MEASURE"),
        ("dfs = 3", "expected MEASURE"),
        ("dfs < 80 and fs < 3", "expected MEASURE"),
        ("dfs < -1", "expected MEASURE"),
        ("dfs < 101", "more than 100 %"),
        ("n_facts > 3%", "is a number, not a share"),
        ("__import__('os') > 3", "expected MEASURE"),
    ],
)
def test_mistakes(condition, said):
    with pytest.raises(InputError, match="--fail-if") as error:
        parse_condition(condition)
    assert said in str(error.value)


def test_mistakes_of_options(run):
    assert run("--format", "junit")[0] == 2
    assert run("--fail-if", "dfs << 3")[0] == 2


@pytest.mark.parametrize(
    ("text", "measure", "end", "bound"),
    [
        ("mixed>2%", "mixed", "", 0.02), (" D-FS <= 80 ", "dfs", "", 0.8),
        ("upper( gap ) >= 12.5%", "gap", "upper", 0.125), ("n_facts < 3", "n_facts", "", 3),
        ("people > 2", "n_bio", "", 2), ("lower(FS)<0", "fs", "lower", 0),
    ],
)  # fmt: skip
def test_forms(text, measure, end, bound):
    found = parse_condition(text)
    assert (found.measure, found.end, found.bound) == (measure, end, pytest.approx(bound))


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.uuids().map(str),
            "name": st.sampled_from("abc"),
            "fs": st.none() | st.floats(0, 1),
            "dfs": st.none() | st.floats(0, 1),
            "mixed_groups": st.none() | st.integers(0, 2),
        }
    ),
    max_size=6,
)


@given(ROWS, st.sampled_from(["dfs < 50", "mixed > 20%", "gap >= 0", "upper(fs) <= 60"]))
def test_nothing_that_has_no_value_passes(rows, text):
    condition = parse_condition(text)
    found = failures([condition], rows)
    if not any(row["dfs"] is not None and row["fs"] is not None for row in rows):
        assert condition.measure != "gap" or found
    for failure in found:
        assert failure.value is None or condition.holds(failure.value)
        assert len(failure.texts) <= failure.n
        if failure.value is not None and not condition.end:
            assert failure.texts  # a mean on the wrong side has a text on it


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_action_runs_the_command(answers):
    action = yaml.safe_load((ROOT / "docs/github_action/action.yml").read_text("utf-8"))
    step = action["runs"]["steps"][-1]
    given = {name: str(field.get("default", "")) for name, field in action["inputs"].items()}
    given |= {"answers": answers.name, "out": "o", "fail-if": "mixed > 2%\ndfs < 1\n"}
    values = {
        key: given[value.removeprefix("${{ inputs.").removesuffix(" }}")]
        for key, value in step["env"].items()
    }
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", step["run"]], cwd=answers.parent, text=True,
        env={**os.environ, **values, "PATH": path}, capture_output=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout.startswith("::error title=dfactscore%3A mixed > 2%25::")
    assert (answers.parent / "o" / "report.html").exists()
