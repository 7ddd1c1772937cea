"""Pairs in every file format, claims by their best evidence, and an own evaluator."""

from __future__ import annotations

import asyncio
import json

import pytest

from dfactscore._errors import InputError
from dfactscore.meta import Judgement, Options, evaluate, load_data
from dfactscore.meta._verifiers import builtin_evaluator

ROWS = [
    {"claim": f"The mill {i} is in Leeds.", "doc": f"The mill {i} is in {place}.",
     "label": int(place == "Leeds"), "dataset": f"set {i % 2}", "cluster": f"c{i % 5}"}
    for i, place in enumerate(["Leeds", "York", "York"] * 8)
]  # fmt: skip
FEW = Options(resamples=100)


def write(path):
    if path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, ROWS)))
        return path
    import pandas as pd

    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow (extra parquet)")
        pd.DataFrame(ROWS).to_parquet(path)
    else:
        pd.DataFrame(ROWS).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_every_format_gives_the_same_items(tmp_path, suffix):
    (plain,) = load_data(("pairs", write(tmp_path / "p.jsonl")))
    (found,) = load_data(("pairs", write(tmp_path / f"q{suffix}")))
    assert found.items == plain.items


def test_means_over_datasets(tmp_path):
    result = evaluate(load_data(("pairs", write(tmp_path / "p.jsonl"))), ["builtin"], options=FEW)
    blocks = ["pairs set 0", "pairs set 1"]
    each = [result.row("builtin", block=b).figures["balanced_accuracy"] for b in blocks]
    assert result.means()["builtin", "all"] == pytest.approx(sum(each) / 2)
    assert json.loads(result.to_json())["means"][-1]["evaluator"] == "builtin"
    assert len({item.cluster for item in load_data(("pairs", tmp_path / "p.jsonl"))[0].items}) == 5


def test_title_and_name_reach_the_verifier(tmp_path):
    path = tmp_path / "p.jsonl"
    row = {"claim": "Ann Lee was a judge.", "doc": "She was a judge in Leeds.", "label": 1}
    named = {"title": "Ann Lee (judge)", "name": "Ann Lee"}
    path.write_text("\n".join(map(json.dumps, [row, {**row, **named}])))
    plain, full = load_data(("pairs", path))[0].items
    assert (plain.documents[0].title, plain.name) == ("", "")
    assert (full.documents[0].title, full.name) == ("Ann Lee (judge)", "Ann Lee")
    judge = builtin_evaluator().judge
    bare, known = (asyncio.run(judge(item))[0].probability for item in (plain, full))
    assert bare < known


def test_a_label_that_is_neither_is_refused(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({**ROWS[0], "label": 2}))
    with pytest.raises(InputError, match=r"p\.jsonl:1: record 0: field 'label': expected 1"):
        load_data(("pairs", path))


def test_claims_take_their_best_evidence(tmp_path):
    stance, claims = tmp_path / "s.jsonl", tmp_path / "c.jsonl"
    rows = [
        ("The mill is in Leeds.", text, "refute") for text in ("It rains.", "The mill is in Leeds.")
    ]
    stance.write_text("\n".join(
        json.dumps({"claim": c, "evidence": e, "stance": s}) for c, e, s in rows))  # fmt: skip
    claims.write_text("\n".join(json.dumps({"claim": rows[0][0], "label": label})
                                for label in ("true", "not_enough_evidence")))  # fmt: skip
    (found,) = load_data(("factcheck-claims", claims), evidence=stance)
    assert len(found.items) == 1
    assert len(found.items[0].documents) == 2
    result = evaluate(found, ["builtin"], options=FEW)
    (judgement,) = result.opinions["builtin"][0][0].judgements
    assert not judgement.error
    (bare,) = load_data(("factcheck-claims", claims))
    assert bare.needs.startswith("evidence:")


class Own:
    """Answers later, as an evaluator of one's own may."""

    def __init__(self, judgement: Judgement) -> None:
        self.settings = {"name": "own"}
        self._judgement = judgement

    async def judge(self, item):
        return [self._judgement] * len(item.segments)


def test_an_evaluator_of_ones_own(tmp_path):
    data = load_data(("pairs", write(tmp_path / "p.jsonl")))
    result = evaluate(data, [Own(Judgement(True, 0.25))], options=FEW)
    row = result.row("own", block="pairs all")
    brier = (16 * 0.25**2 + 8 * 0.75**2) / 24
    assert (row.figures["recall"], row.figures["brier"]) == (1, pytest.approx(brier))
    assert row.better is False
    assert "own°" in str(result)


@pytest.mark.parametrize(
    ("judgement", "message"),
    [
        (Judgement(None), "gave error None with the status 'read'"),
        (Judgement(True, 1.5), "gave the probability 1.5"),
        (Judgement(True, 0.5, "maybe"), "gave the status 'maybe'"),
        ("yes", "gave 'yes' as number 0"),
    ],
)
def test_wrong_answers_name_the_role(tmp_path, judgement, message):
    data = load_data(("pairs", write(tmp_path / "p.jsonl")))
    with pytest.raises(InputError, match=rf"Own\.judge \(role Evaluator\) {message}"):
        evaluate(data, [Own(judgement)], options=FEW)


def test_thresholds(tmp_path):
    data = load_data(("pairs", write(tmp_path / "p.jsonl")))

    class Ranks(Own):
        async def judge(self, item):
            return [Judgement(False, 0.9 if not item.segments[0].error else 0.8)]

    for threshold, recall in (("own", 0), (0.85, 1), (0.8, 0)):
        options = Options(threshold=threshold, resamples=100)
        result = evaluate(data, [Ranks(Judgement(True))], options=options)
        assert result.row("own", block="pairs all").figures["recall"] == recall
