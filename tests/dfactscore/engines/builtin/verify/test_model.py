"""The coefficient file: what it holds, and how a bad one is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dfactscore.engines.builtin.verify.features import FEATURES
from dfactscore.engines.builtin.verify.model import DEFAULT_MODEL, load_model
from dfactscore.errors import InputError


def record() -> dict:
    return json.loads(DEFAULT_MODEL.read_text(encoding="utf-8"))


def write(folder: Path, content: object) -> Path:
    path = folder / "model.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_the_shipped_file_is_small_and_readable() -> None:
    assert DEFAULT_MODEL.stat().st_size < 200_000
    held = record()
    assert {"about", "threshold", "trees", "idf", "training"} <= set(held)
    assert {name for tree in held["trees"] for name, _ in tree["if"]} <= set(FEATURES)


def test_probability_is_what_the_file_says_in_plain_python() -> None:
    model = load_model()
    held = record()
    table = np.random.default_rng(0).normal(1, 2, (7, len(FEATURES))).astype(np.float32)
    for line, value in zip(table, model.probability(table), strict=True):
        score = held["base"]
        score += sum(
            value * float(line[FEATURES.index(name)]) for name, value in held["linear"].items()
        )
        for tree in held["trees"]:
            place = 0
            for name, limit in tree["if"]:
                place = 2 * place + int(line[FEATURES.index(name)] > np.float32(limit))
            score += tree["add"][place]
        assert value == pytest.approx(1 / (1 + np.exp(-score)), abs=1e-12)


def test_the_digest_names_the_content(tmp_path: Path) -> None:
    changed = record() | {"threshold": 0.5}
    other = load_model(write(tmp_path, changed))
    assert other.threshold == 0.5
    assert other.digest != load_model().digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 99}, "format"),
        ({"trees": [{"if": [["unheard_of", 1.0]], "add": [0.0, 1.0]}]}, "unheard_of"),
        ({"trees": [{"if": [["key_all", 1.0]], "add": [0.0]}]}, "depth"),
        ({"trees": []}, "not a verifier model"),
        ({"trees": 3}, "not a verifier model"),
        ({"threshold": 2}, "threshold"),
        ({"idf": {"x": "word"}}, "not a verifier model"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, change: dict, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        load_model(write(tmp_path, record() | change))
    assert "model.json" in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "null"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="not a verifier model"):
        load_model(write(tmp_path, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        load_model(tmp_path / "nowhere.json")
