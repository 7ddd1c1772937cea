"""The scripts under ``examples/`` run as they stand and print what they promise."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAYS = {
    "factscore_basic": "respond ratio 100%",
    "factscore_custom_source": "2 of 3 facts, with penalty 0.070600",
    "factscore_json": "keys: score, respond_ratio, decisions, num_facts_per_response, init_score",
    "factscore_numpy": "supported: [[True], [False]]",
    "factscore_single": "Mill: 1.00 of",
    "not_about_people": "1 biography of 2 entities (mixed)",
    "own_evaluator": "better than not reading: True",
    "own_knowledge_source": "Ann Lee: FActScore 1.00 (5 of 5 facts), D-FActScore 0.66 (3.3 of 5)",
    "own_verifier": "words      FS 0.",
    "score_text": "Dick Hanley: FActScore 1.00 (5 of 5 facts), D-FActScore 0.60 (3 of 5)",
}


def test_every_script_is_tested():
    there = {p.stem for p in (ROOT / "examples").glob("*.py")}
    taking_arguments = {"count_words", "own_command"}  # tests/dfactscore/work
    assert there - taking_arguments == set(SAYS)


@pytest.mark.parametrize("script", sorted(SAYS))
def test_a_script_runs(script, tmp_path, monkeypatch, capsys):
    path = ROOT / "examples" / f"{script}.py"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert SAYS[script] in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
