"""The agreement of two runs."""

from __future__ import annotations

import json

import pytest

from dfactscore._errors import RunError
from dfactscore._jobs.settings import Config
from dfactscore._scorer.command import score
from dfactscore.meta._compare import run_agreement

FACTS = ["Ann Lee sang.", "Ann Lee rowed.", "Ann Lee is Irish.", "Ann Lee sang."]


def run(tmp_path, name, verdicts, facts=FACTS, groups=((0, 1, 2, 3),)):
    row = {
        "id": "a", "name": "Ann Lee", "text": "Ann Lee sang and rowed.",
        "facts": facts, "groups": [list(group) for group in groups],
        "verdicts": {"Ann Lee": verdicts},
        "passages": [{"title": "Ann Lee", "text": "Ann Lee sang."}],
    }  # fmt: skip
    path = tmp_path / f"{name}.jsonl"
    path.write_text(json.dumps(row))
    return score(Config(input=path, out=tmp_path / name)).folder


def test_verdicts_are_compared_fact_by_fact(tmp_path):
    first = run(tmp_path, "first", [True, True, False, False])
    second = run(tmp_path, "second", [True, False, True, False], groups=((0, 1), (2, 3)))
    found = run_agreement(first, second)
    counts = (found.texts, found.pairs, found.both, found.only_first, found.only_second)
    assert counts == (1, 4, 1, 1, 1)
    assert (found.agree, found.kappa) == (0.5, 0.0)
    assert (found.same_facts, found.same_groups) == (1, 0)
    same = run_agreement(first, first)
    assert (same.agree, same.kappa, same.same_groups) == (1.0, 1.0, 1)
    assert "equal verdicts: 50.0 %, kappa 0.00" in found.to_text()
    assert json.loads(found.to_json())["kappa"] == 0.0
    assert found.to_csv().splitlines()[0].startswith("first,second,texts,pairs")


def test_other_facts_cannot_be_compared(tmp_path):
    first = run(tmp_path, "first", [True] * 4)
    second = run(tmp_path, "second", [True], facts=["Ann Lee ran."], groups=((0,),))
    with pytest.raises(RunError, match="no fact was judged against the same page"):
        run_agreement(first, second)
