"""Training: the shipped coefficients say what they were trained on; the same run gives the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dfactscore.engines.builtin.verify.model import DEFAULT_MODEL, load_model

ROOT = Path(__file__).resolve().parents[5]


def rows(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.data
def test_the_shipped_file_was_trained_on_the_two_sets(data: Path) -> None:
    training = load_model(DEFAULT_MODEL).training
    facts = rows(data / "dfactscore" / "fact_entity_pairs.jsonl")
    claims = rows(data / "dfactscore" / "nli_pairs.jsonl")
    assert training["names"] == len({row["name"] for row in facts + claims})
    assert training["pairs"]["fact_entity"] == len(facts)
    assert training["pairs"]["nli"] == len(claims)
    assert training["supported"] == {
        "fact_entity": sum(row["supported"] for row in facts),
        "nli": sum(row["label"] for row in claims),
    }


@pytest.mark.data
def test_training_twice_gives_the_same_bytes(data: Path, tmp_path: Path) -> None:
    script = ROOT / "benchmarks" / "train_verifier.py"
    outputs = []
    for number in (1, 2):
        out = tmp_path / f"{number}.json"
        command = [sys.executable, str(script), "--data", str(data), "--out", str(out)]
        subprocess.run([*command, "--names", "24", "--trees", "8"], check=True, timeout=120)
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    assert load_model(tmp_path / "1.json").training["names"] == 24
