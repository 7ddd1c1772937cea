"""`meta calibrate`: a map from labels, its figures out of fold, and what `score` makes of it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from dfactscore import Scorer
from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._util.tasks import run_sync
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import CalibratedVerifier, read_calibration
from dfactscore.meta import evaluate, load_data
from dfactscore.meta._calibrating import UselessCalibration, fit
from dfactscore.meta._data_sets import DataSet, Item, Segment
from dfactscore.meta._judgements import Judgement, Opinion
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
    assert set(fitted.maps) == {"any"}
    one = fitted.maps["any"]
    np.testing.assert_allclose(one.map.map.apply([0.2, 0.9]), [0.1, 0.6], atol=0.03)
    assert one.map.base_rate == pytest.approx(0.35, abs=0.03)
    assert one.figures["before"]["ece"] == pytest.approx(0.2, abs=0.03)
    assert one.figures["after"]["ece"] < 0.03
    assert one.figures["after"]["brier"] < one.figures["before"]["brier"]
    assert (one.n, one.clusters) == (2000, 500)
    assert "% supported, out of fold: calibration error 0." in str(fitted)
    fitted.write(tmp_path / "calibration.json")
    found = read_calibration(tmp_path / "calibration.json")
    assert (found.judge, found.maps) == (Sure.settings, {"any": one.map})


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
    assert verifier.threshold == pytest.approx(
        float(fitted.maps["any"].map.map.apply(0.5)), abs=1e-6
    )
    assert verifier.settings["calibration"] == {"any": fitted.maps["any"].map.to_dict()}


def test_a_file_of_another_judge_is_refused(fitted, tmp_path):
    class Other(Sure):
        settings = {"name": "sure", "model": "other"}

    path = tmp_path / "calibration.json"
    fitted.write(path)
    with pytest.raises(InputError, match=r"with model 'made', not for that with 'other'"):
        CalibratedVerifier(Other(), path)
    huge = re.sub(r"0\.\d+", str(10**400), path.read_text("utf-8"), count=1)
    for content in ("{}", "[1]", '{"format": 9}', "{", huge):
        path.write_text(content, "utf-8")
        with pytest.raises(InputError, match=r"calibration.json"):
            read_calibration(path)


def test_a_file_without_a_base_rate_is_refused_in_one_line(fitted, tmp_path):
    path = tmp_path / "calibration.json"
    old = {"format": 1, "judge": Sure.settings, "map": fitted.maps["any"].map.map.to_dict()}
    path.write_text(json.dumps(old), "utf-8")
    with pytest.raises(InputError, match=r"calibration.json: has no base rate.* fit it again"):
        CalibratedVerifier(Sure(), path)


def labeled(rows):
    """Data and opinions of rows: probability, label, cluster and number of words of the page."""
    items = [
        Item(
            str(i),
            cluster,
            (Segment("A claim.", not label),),
            documents=(Document("Page", "word " * words),),
        )
        for i, (_, label, cluster, words) in enumerate(rows)
    ]
    opinions = [Opinion((Judgement(p < 0.5, p),)) for p, _, _, _ in rows]
    return [DataSet("pairs", Path("made.jsonl"), tuple(items), (), "0")], [opinions]


def drawn(n, share, *, seed, sure=1.0, words=10):
    """Rows of a judge that gives p to facts of which p to the power of `sure` are supported."""
    draw = random.Random(seed)
    rows = []
    for i in range(n):
        p = draw.betavariate(4 * share, 4 * (1 - share))
        rows.append((p, draw.random() < p**sure, f"c{i // 4}", words))
    return rows


REFUSED = {
    "199 of one kind and 1 of the other": (
        [(0.9, i != 7, f"c{i}", 10) for i in range(200)],
        r"199 of them supported: a calibration needs 20 supported and 20 unsupported",
    ),
    "few clusters": (
        [(0.9 if i % 2 else 0.1, i % 2 == 0, f"c{i % 9}", 10) for i in range(200)],
        r"200 labels with a probability in 9 clusters",
    ),
    "one value": (
        [(0.9, i % 3 > 0, f"c{i}", 10) for i in range(300)],
        r"the probabilities say nothing about these labels.*no map was written",
    ),
    "the reverse of the labels": (
        [(0.2 if i % 2 else 0.8, i % 2 == 1, f"c{i}", 10) for i in range(200)],
        r"say nothing",
    ),
    "chance": (
        [(random.Random(i).random(), random.Random(-i).random() < 0.5, f"c{i}", 10)
         for i in range(1, 200)],
        r"say nothing",
    ),
    "a judge that is calibrated": (
        [(0.05 + 0.1 * (i % 10), i // 10 % 20 < 1 + 2 * (i % 10), f"c{i}", 10)
         for i in range(400)],
        r"the map makes the probabilities worse.*no map was written",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_map_that_does_not_help_is_refused(case):
    rows, problem = REFUSED[case]
    with pytest.raises(UselessCalibration, match=problem):
        fit(*labeled(rows), {})


def test_each_kind_of_evidence_gets_a_map_if_that_helps(tmp_path):
    short, long = drawn(1500, 0.7, seed=1), drawn(1500, 0.7, seed=2, sure=4, words=900)
    fitted = fit(*labeled(short + long), Sure.settings)
    assert set(fitted.maps) == {"passages", "page"}
    passages, page = (fitted.maps[kind].map for kind in ("passages", "page"))
    assert passages.map.apply(0.7) > page.map.apply(0.7) + 0.2
    assert passages.base_rate > page.base_rate + 0.2
    fitted.write(tmp_path / "calibration.json")
    verifier = CalibratedVerifier(Sure(), tmp_path / "calibration.json")
    pages = [
        Entity(title, title, (Document(title, "A page. " * n),))
        for title, n in (("S", 1), ("L", 900))
    ]
    facts = [Fact("This is good.")]
    rows = run_sync(
        verifier.verify_together(Biography("1", "Ann Lee", "x"), [(facts, page) for page in pages])
    )
    found = np.array([[row[0].probability for row in rows]])
    np.testing.assert_allclose(found, [[passages.map.apply(0.9), page.map.apply(0.9)]], atol=1e-6)
    odds = [one.base_rate / (1 - one.base_rate) for one in (passages, page)]
    evidence = found / (1 - found) / odds  # what each says beyond its base rate
    weighed = verifier.weigh(pages, found)
    np.testing.assert_allclose(
        np.divide(*(weighed / (1 - weighed))[0]), np.divide(*evidence[0]), rtol=1e-3
    )
    few = drawn(40, 0.7, seed=3, sure=4, words=900)
    alike = fit(*labeled(drawn(1500, 0.7, seed=1, sure=3) + few), {})
    assert set(alike.maps) == {"any"}


def test_scores_on_the_pages_of_the_labels_have_their_mean(fitted, tmp_path):
    path = tmp_path / "calibration.json"
    fitted.write(path)
    verifier, draw = CalibratedVerifier(Sure(), path), random.Random(1)
    texts = [
        {"name": "Ann Lee", "text": "x",
         "facts": [f"It is {'good' if draw.random() < 0.5 else 'bad'}." for _ in range(10)]}
        for _ in range(200)
    ]  # fmt: skip
    results = Scorer(verifier=verifier, pages={"Ann Lee": "A page."}).score_many(texts)
    base_rate = fitted.maps["any"].map.base_rate
    assert np.mean([result.fs for result in results]) == pytest.approx(base_rate, abs=0.03)


def test_a_judge_without_probabilities_is_refused(pairs):
    class Silent(Sure):
        def verify(self, biography, facts, entity):
            return [Verdict("supported") for _ in facts]

    sets = load_data(f"pairs={pairs}")
    judge = VerifierEvaluator(Silent(), name="silent")
    said = evaluate(sets, {"silent": judge}).opinions["silent"]
    with pytest.raises(InputError, match=r"0 labels with a probability"):
        fit(sets, said, {})


@pytest.fixture
def lives(tmp_path):
    """Pairs of a claim with the right or a wrong year; one label in ten is wrong."""
    draw, path = random.Random(4), tmp_path / "lives.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for i in range(300):
            year, right = 1900 + i % 90, draw.random() < 0.6
            told = year if right else year + 7
            row = {
                "claim": f"Ann Lee was born in {told}.",
                "doc": f"Ann Lee was born in {year} in Leeds and died at sea.",
                "label": int(right == (draw.random() < 0.9)),
                "cluster": f"c{i // 3}",
            }
            lines.write(json.dumps(row) + "\n")
    return path


def test_the_command(pairs, lives, command, tmp_path):
    out = tmp_path / "calibration.json"
    status, said, problem = command("meta", "calibrate", pairs, "--judge", "builtin", "-o", out)
    assert (status, said, out.exists()) == (1, "", False)
    assert "the probabilities say nothing about these labels" in problem
    status, said, _ = command("meta", "calibrate", lives, "--judge", "builtin", "-o", out)
    assert status == 0
    assert "300 labeled segments of 100 clusters, " in said
    assert "% supported, out of fold: calibration error" in said
    bios = tmp_path / "bios.jsonl"
    passages = [{"title": "Ann Lee", "text": "Ann Lee is a painter."}]
    row = {"name": "Ann Lee", "text": "Ann Lee is a painter.", "passages": passages}
    bios.write_text(json.dumps(row), "utf-8")
    command("score", bios, "--calibration", out, "--out", tmp_path / "run", "--quiet")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["scores"]["counts"] == "expected"
    assert manifest["settings"]["verifier"]["calibration"]["any"].items() <= (
        json.loads(out.read_text())["maps"]["any"].items()
    )
    status, _, problem = command("meta", "calibrate", pairs, "--judge", "prompt:cot")
    assert status == 2
    assert "--judge 'prompt:cot' is not a verifier" in problem
