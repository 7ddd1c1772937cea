"""`meta calibrate`: a map from labels, its figures out of fold, and what `score` makes of it."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from dfactscore import Scorer
from dfactscore._errors import InputError
from dfactscore._records import Verdict
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import CalibratedVerifier, read_calibration
from dfactscore.meta import evaluate, load_data
from dfactscore.meta._calibrating import fit
from dfactscore.meta._verifiers import VerifierEvaluator


class Sure(Verifier):
    """Says .9 for what is right in six of ten cases, .2 for what is right in one of ten."""

    settings = {"name": "sure", "model": "made"}
    threshold = 0.5

    def verify(self, biography, facts, entity):
        values = [0.9 if "good" in fact.text else 0.2 for fact in facts]
        return [Verdict("supported" if v >= 0.5 else "not_supported", v) for v in values]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    draw = random.Random(0)
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for i in range(2000):
            good = draw.random() < 0.5
            label = int(draw.random() < (0.6 if good else 0.1))
            claim = f"Claim {i} is {'good' if good else 'bad'}."
            row = {
                "claim": claim,
                "doc": f"Page {i // 4}.",
                "label": label,
                "cluster": f"c{i // 4}",
            }
            lines.write(json.dumps(row) + "\n")
    return path


@pytest.fixture(scope="module")
def fitted(pairs):
    sets = load_data(f"pairs={pairs}")
    judge = VerifierEvaluator(Sure(), name="sure")
    result = evaluate(sets, {"sure": judge})
    return fit(sets, result.opinions["sure"], judge.settings["verifier"])


def test_it_finds_the_shares_and_says_how_good_it_is(fitted, tmp_path):
    np.testing.assert_allclose(fitted.map.apply([0.2, 0.9]), [0.1, 0.6], atol=0.03)
    assert fitted.figures["before"]["ece"] == pytest.approx(0.2, abs=0.03)
    assert fitted.figures["after"]["ece"] < 0.03
    assert fitted.figures["after"]["brier"] < fitted.figures["before"]["brier"]
    assert (fitted.n, fitted.clusters) == (2000, 500)
    assert "clusters, out of fold: calibration error 0." in str(fitted)
    fitted.write(tmp_path / "calibration.json")
    found = read_calibration(tmp_path / "calibration.json")
    assert (found.judge, found.map) == (Sure.settings, fitted.map)


def test_scores_add_up_what_it_says_and_verdicts_stay(fitted, tmp_path):
    path = tmp_path / "calibration.json"
    fitted.write(path)
    verifier = CalibratedVerifier(Sure(), path)
    record = {"name": "Ann Lee", "text": "x", "facts": ["This is good.", "This is bad."]}
    plain, mapped = (
        Scorer(verifier=one, pages={"Ann Lee": "A page."}).score_many([record])[0]
        for one in (Sure(), verifier)
    )
    assert (plain.record.options.counts, mapped.record.options.counts) == ("verdicts", "expected")
    assert plain.fs == mapped.scores.fs_verdicts == 0.5
    assert mapped.fs == pytest.approx(0.35, abs=0.03)
    assert verifier.threshold == pytest.approx(float(fitted.map.apply(0.5)), abs=1e-6)
    assert verifier.settings["calibration"] == fitted.map.to_dict()


def test_a_file_of_another_judge_is_refused(fitted, tmp_path):
    class Other(Sure):
        settings = {"name": "sure", "model": "other"}

    path = tmp_path / "calibration.json"
    fitted.write(path)
    with pytest.raises(InputError, match=r"with model 'made', not for that with 'other'"):
        CalibratedVerifier(Other(), path)
    for content in ("{}", "[1]", '{"format": 9}', "{"):
        path.write_text(content, "utf-8")
        with pytest.raises(InputError, match=r"calibration.json"):
            read_calibration(path)


def test_a_judge_without_probabilities_and_few_labels_are_refused(pairs):
    class Silent(Sure):
        def verify(self, biography, facts, entity):
            return [Verdict("supported") for _ in facts]

    sets = load_data(f"pairs={pairs}")
    judge = VerifierEvaluator(Silent(), name="silent")
    said = evaluate(sets, {"silent": judge}).opinions["silent"]
    with pytest.raises(InputError, match=r"0 labels with a probability"):
        fit(sets, said, {})


def test_the_command(pairs, command, tmp_path):
    out = tmp_path / "calibration.json"
    status, said, _ = command("meta", "calibrate", pairs, "--judge", "builtin", "-o", out)
    assert status == 0
    assert "2000 labeled segments of 500 clusters, out of fold: calibration error" in said
    bios = tmp_path / "bios.jsonl"
    passages = [{"title": "Ann Lee", "text": "Ann Lee is a painter."}]
    row = {"name": "Ann Lee", "text": "Ann Lee is a painter.", "passages": passages}
    bios.write_text(json.dumps(row), "utf-8")
    command("score", bios, "--calibration", out, "--out", tmp_path / "run", "--quiet")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["scores"]["counts"] == "expected"
    assert manifest["settings"]["verifier"]["calibration"] == json.loads(out.read_text())["map"]
    status, _, problem = command("meta", "calibrate", pairs, "--judge", "prompt:cot")
    assert status == 2
    assert "--judge 'prompt:cot' is not a verifier" in problem
