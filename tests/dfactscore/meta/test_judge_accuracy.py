"""The accuracy of a verifier in reports and comparisons, from the card or a given folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dfactscore._errors import RunError
from dfactscore._runs.judge_accuracy import CARD, MIN_UNITS, accuracy_line
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.examples import example

OWN = BuiltinVerifier().settings


@pytest.fixture
def judged(command, felm, tmp_path):
    """Makes a folder of an evaluation of so many responses, of three segments each."""

    def make(responses, name="judged", *options):
        out = tmp_path / name
        given = ("-e", "builtin", "--resamples", 100, *options, "-o", out)
        assert command("meta", "run", f"felm={felm(responses)}", *given)[0] == 0
        return out

    return make


def test_the_card_is_of_the_verifier_that_is_shipped():
    """After a training: python benchmarks/meta.py --card."""
    card = json.loads(CARD.read_text())
    assert card["verifier"] == OWN
    assert all(row["n"] >= MIN_UNITS for row in card["rows"])
    (people,) = [row for row in card["rows"] if row["level"] == "fact"]
    share = f"is right on {100 * people['balanced_accuracy']:.0f} % of facts about people"
    assert accuracy_line(OWN).startswith(share)


def test_an_evaluation_changes_nothing_but_its_own_folder(judged, command, tmp_path, monkeypatch):
    """One that was made on this machine is in no report unless it is named."""
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    before = accuracy_line(OWN)
    folder = judged(40)
    assert not list((tmp_path / "home").rglob("*"))
    assert accuracy_line(OWN) == before
    assert {path for path, _, files in os.walk(tmp_path) if files} == {str(tmp_path), str(folder)}


@pytest.mark.parametrize(
    ("responses", "said"), [(40, "% of 120 segments of"), (12, "fewer than 100")]
)
def test_few_units_are_not_shown(judged, responses, said):
    line = accuracy_line(OWN, judged(responses))
    assert said in line


def test_another_verifier_is_not_measured(judged):
    folder = judged(40)
    other = {**OWN, "threshold": 0.123}
    assert accuracy_line(other).startswith("is not measured")
    assert accuracy_line(other, folder) == "is not measured (judged is about builtin)"
    assert accuracy_line({**OWN, "fs_scope": "corpus", "sample": 2}, folder).startswith(
        "is right on"
    )
    assert accuracy_line(None, folder).startswith("is not measured")


def test_commands_take_the_folder(judged, command, tmp_path):
    folder, run = judged(40), tmp_path / "run"
    given = (example().biographies, "--pages", example().pages, "--limit", 2, "--out", run)
    assert command("score", *given)[0] == 0
    shown = accuracy_line(OWN, folder)
    code, out, _ = command("compare", run, "--format", "json", "--judged-by", folder)
    assert (code, shown in json.dumps(json.loads(out)["notes"], ensure_ascii=False)) == (0, True)
    assert accuracy_line(OWN) in command("compare", run, "--format", "json")[1]
    page = tmp_path / "page.html"
    assert command("report", run, "--out", page, "--judged-by", folder)[0] == 0
    code, _, err = command("compare", run, "--judged-by", run)
    assert code == 2
    assert str(run) in err
    with pytest.raises(RunError, match="nothere"):
        accuracy_line(OWN, Path("nothere"))
