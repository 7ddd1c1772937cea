"""The coefficient file: its contents, and the rejection of invalid files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dfactscore._errors import InputError
from dfactscore.engines._builtin.verify.binding import UNIT_FEATURES
from dfactscore.engines._builtin.verify.features import FEATURES
from dfactscore.engines._builtin.verify.model import DEFAULT_MODEL, EVIDENCE_KINDS, load_model
from dfactscore.engines._builtin.verify.summary import BOUND

STAGES = {"first": FEATURES, "units": UNIT_FEATURES, "second": (*FEATURES, *BOUND)}
TREE = {"base": 0.0, "linear": {}}


def record() -> dict:
    return json.loads(DEFAULT_MODEL.read_text(encoding="utf-8"))


def small() -> dict:
    """A record with few trees, which is fast to write and read."""
    held = record()
    for stage in STAGES:
        held[stage]["trees"] = held[stage]["trees"][:3]
    return held


def write(folder: Path, content: object) -> Path:
    path = folder / "model.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_the_shipped_file_is_small_and_readable() -> None:
    assert DEFAULT_MODEL.stat().st_size < 1_500_000
    held = record()
    assert {"about", "thresholds", "gate", "calibration", "idf", "training"} <= set(held)
    for stage, names in STAGES.items():
        assert {name for tree in held[stage]["trees"] for name, _ in tree["if"]} <= set(names)


@pytest.mark.parametrize("stage", STAGES)
def test_log_odds_are_what_the_file_says_in_plain_python(stage: str) -> None:
    names = STAGES[stage]
    held = record()[stage]
    table = np.random.default_rng(0).normal(1, 2, (7, len(names))).astype(np.float32)
    for line, value in zip(table, getattr(load_model(), stage).log_odds(table), strict=True):
        score = held["base"]
        score += sum(
            weight * float(line[names.index(name)]) for name, weight in held["linear"].items()
        )
        for tree in held["trees"]:
            place = 0
            for name, limit in tree["if"]:
                place = 2 * place + int(line[names.index(name)] > np.float32(limit))
            score += tree["add"][place]
        assert value == pytest.approx(score, abs=1e-9)


def test_a_calibrated_probability_is_the_logistic_of_a_line() -> None:
    model = load_model()
    for stage in ("first", "second"):
        intercept, slope = record()["calibration"][stage]
        found = model.probability(stage, np.array([-2.0, 0.0, 3.0]))
        assert found == pytest.approx(
            [1 / (1 + np.exp(-(intercept + slope * x))) for x in (-2.0, 0.0, 3.0)]
        )
        assert slope > 0


def test_the_digest_names_the_content(tmp_path: Path) -> None:
    changed = small() | {"thresholds": dict.fromkeys(EVIDENCE_KINDS, 0.5)}
    other = load_model(write(tmp_path, changed))
    assert other.thresholds["page"] == 0.5
    assert other.digest != load_model().digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 99}, "format"),
        ({"format": 1}, "train_verifier"),
        ({"first": TREE | {"trees": [{"if": [["unheard_of", 1.0]], "add": [0, 1]}]}}, "unheard_of"),
        ({"units": TREE | {"trees": [{"if": [["sort", 1.0]], "add": [0.0]}]}}, "depth"),
        ({"second": TREE | {"trees": [{"if": [["worst", 1.0]] * 9, "add": [0.0] * 512}]}}, "depth"),
        ({"second": TREE | {"trees": [{"if": [], "add": [0.0]}]}}, "depth"),
        ({"first": TREE | {"trees": []}}, "not a verifier model"),
        ({"first": TREE | {"trees": 3}}, "not a verifier model"),
        ({"thresholds": {"passages": 2, "page": 0.5, "citation": 0.5}}, "threshold"),
        ({"thresholds": {"passages": 0.5}}, "not a verifier model"),
        ({"gate": 1}, "gate"),
        ({"calibration": {"first": [0, 1]}}, "not a verifier model"),
        ({"idf": {"x": "word"}}, "not a verifier model"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, change: dict, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        load_model(write(tmp_path, small() | change))
    assert "model.json" in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "null"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="not a verifier model"):
        load_model(write(tmp_path, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        load_model(tmp_path / "nowhere.json")
