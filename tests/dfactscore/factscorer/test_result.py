"""Aggregates: given verdicts, released files, people's labels, the penalty."""

from __future__ import annotations

import json

import pytest

from dfactscore.factscorer._result import aggregate

CLOSE = 1e-10


def of(verdicts):
    return [None if v is None else [{"atom": "x", "is_supported": y} for y in v] for v in verdicts]


def test_given_verdicts_through_the_class(scorer):
    facts = [["a", "b", "c"], None, list("abcdefghijkl")]
    fs = scorer({"A": "A page."}, {0: [1, 0, 1], 2: [1] * 9 + [0] * 3})
    out = fs.get_score(["A"] * 3, ["text"] * 3, 10, facts, "mine")
    assert list(out) == ["score", "respond_ratio", "decisions", "num_facts_per_response",
                         "init_score"]  # fmt: skip
    assert out["score"] == pytest.approx(0.407323989288, abs=1e-12)
    assert out["init_score"] == pytest.approx(0.708333333333, abs=1e-12)
    assert out["respond_ratio"] == pytest.approx(2 / 3)
    assert out["num_facts_per_response"] == 7.5
    assert out["decisions"][1] is None
    assert out["decisions"][0][1] == {"atom": "b", "is_supported": False, "support": 0.0}
    json.dumps(out)
    for gamma in (0, None):
        out = fs.get_score(["A"] * 3, ["text"] * 3, gamma, facts, "mine")
        assert "init_score" not in out
        assert out["score"] == pytest.approx(0.708333333333, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "score", "init", "ratio", "facts"),
    [
        ("llama13b", 0.941464979856, 0.945969389192, 0.998, 20.384769539078),
        ("tulu", 0.936673311839, 0.941652852845, 0.912, 22.434210526316),
    ],
)
def test_released_decisions(data, name, score, init, ratio, facts):
    path = data / "dfactscore" / "released" / f"{name}.json"
    found = aggregate(json.loads(path.read_text())["decisions"])
    keys = ("score", "init_score", "respond_ratio", "num_facts_per_response")
    assert [found[k] for k in keys] == pytest.approx([score, init, ratio, facts], abs=CLOSE)


@pytest.mark.parametrize(
    ("name", "score", "ratio", "facts", "twenty", "model_facts"),
    [
        pytest.param(
            *("ChatGPT", 0.5829906177, 0.8579234973, 34.5605095541, 0.5803285832, (157, 5622)),
            marks=pytest.mark.slow,
        ),
        ("InstructGPT", 0.4281105925, 0.9945355191, 26.1104972376, 0.4109681323, (182, 4987)),
    ],
)
def test_what_people_labeled(data, scorer, name, score, ratio, facts, twenty, model_facts):
    path = data / "factscore_labels" / f"{name}.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]

    def of(kind):
        return [
            None if r["annotations"] is None
            else [f for s in r["annotations"] for f in s.get(kind) or ()]
            for r in records
        ]  # fmt: skip

    people, models = of("human-atomic-facts"), of("model-atomic-facts")
    verdicts = {
        i: [f["label"] == "S" for f in own if f["text"].strip()]
        for i, own in enumerate(people)
        if own is not None
    }
    fs = scorer({r["topic"]: "page" for r in records}, verdicts)
    args = ([r["topic"] for r in records], [r["output"] for r in records])
    atoms = [None if own is None else [f["text"] for f in own] for own in people]
    out = fs.get_score(*args, 10, atoms, "mine")
    keys = ("score", "respond_ratio", "num_facts_per_response")
    assert [out[k] for k in keys] == pytest.approx([score, ratio, facts], abs=CLOSE)
    assert fs.get_score(*args, 20, atoms, "mine")["score"] == pytest.approx(twenty, abs=CLOSE)
    assert (sum(map(bool, models)), sum(len(m) for m in models if m)) == model_facts


@pytest.mark.parametrize(
    ("n", "penalty"),
    [(1, 1.2340980409e-4), (5, 0.3678794412), (9, 0.8948393168), (10, 1), (11, 1)],
)
def test_the_penalty(n, penalty):
    assert aggregate(of([[True] * n]))["score"] == pytest.approx(penalty, abs=CLOSE)


def test_nothing_answered(scorer):
    fs = scorer({"A": "A page."})
    with pytest.warns(UserWarning, match="no score: no text contains facts"):
        out = fs.get_score(["A"], [""], knowledge_source="mine")
    assert out == {"score": None, "respond_ratio": 0.0, "decisions": [None],
                   "num_facts_per_response": None, "init_score": None}  # fmt: skip
