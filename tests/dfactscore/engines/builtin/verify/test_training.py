"""Training: the shipped coefficients record their data; training is deterministic."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from contrast import SORTS, contrast_pairs
from human_labels import fool_me_twice, human_pairs
from verifier_data import Pair

from dfactscore.engines._builtin.verify.model import DEFAULT_MODEL, load_model

ROOT = Path(__file__).resolve().parents[5]


def rows(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


PAGE = (
    "Ann Lee (1901–1980) was a Scottish poet. She taught at Fettes College from 1930 to 1938 and "
    "read at Leith Academy. Later she wrote three plays with the painter Hugh Bain."
)


def changed(fact: str, sort: str) -> dict[str, tuple[str, ...]]:
    """A fact after one kind of change, with the words that are wrong then."""
    pairs = [
        Pair("Ann Lee", text, (("Ann Lee", PAGE),), 1, 0, "Ann Lee")
        for text in (fact, "Hugh Bain was a painter.")
    ]
    return {
        pair.fact: pair.wrong
        for seed in range(30)
        for pair in contrast_pairs(pairs, seed, share=1.0)
        if pair.sort == sort and not pair.label and pair.fact != fact
    }


def test_a_fact_is_changed_to_what_the_page_says_of_something_else() -> None:
    taught = "She taught at Fettes College from 1930 to 1938."
    assert set(changed(taught, "range")) == {"She taught at Fettes College from 1938 to 1930."}
    found = changed(taught, "organization")
    assert set(found) == {"She taught at Leith Academy from 1930 to 1938."}
    assert set(*found.values()) == {"leith", "academy"}
    found = changed("Ann Lee was a poet.", "role elsewhere")
    assert found == {"Ann Lee was a painter.": ("paint",)}


@pytest.mark.data
def test_the_shipped_file_was_trained_on_the_two_sets(data: Path) -> None:
    training = load_model(DEFAULT_MODEL).training
    facts = rows(data / "dfactscore" / "fact_entity_pairs.jsonl")
    claims = rows(data / "dfactscore" / "nli_pairs.jsonl")
    assert training["names"] == len({row["name"] for row in facts + claims})
    assert training["pairs"]["fact_entity"] == len(facts)
    assert training["pairs"]["nli"] == len(claims)
    assert training["contrast"].keys() == set(SORTS)
    assert 0 < training["lengthened"] < sum(training["pairs"].values())


@pytest.mark.data
def test_what_is_kept_for_measuring_is_not_trained_on(data: Path) -> None:
    held = {pair.own for pair in fool_me_twice(data, trained=False)}
    used = human_pairs(data)
    assert not held & {pair.own for pair in used if pair.sort == "fool"}
    assert {pair.sort for pair in used} == {"wice", "factcheck", "fool"}
    assert load_model(DEFAULT_MODEL).training["people"] == {
        sort: sum(pair.sort == sort for pair in used) for sort in ("factcheck", "fool", "wice")
    }


@pytest.mark.slow
@pytest.mark.data
def test_training_twice_gives_the_same_bytes(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("catboost")
    script = ROOT / "training" / "train_verifier.py"
    outputs = []
    for number in (1, 2):
        out = tmp_path / f"{number}.json"
        command = [sys.executable, str(script), "--data", str(data), "--out", str(out)]
        subprocess.run([*command, "--names", "24", "--trees", "8"], check=True, timeout=400)
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    assert load_model(tmp_path / "1.json").training["names"] == 24
