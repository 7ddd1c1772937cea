"""Several judges, of which most decide."""

from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config
from dfactscore._records import Verdict
from dfactscore._runs import load_run
from dfactscore._scorer.command import score
from dfactscore.engines._llm.roles.joint_verifier import _majority

YES, NO, UNREAD = Verdict("supported", 0.9), Verdict("not_supported", 0.2), Verdict("unparsed")


@pytest.mark.parametrize(
    ("votes", "status", "share"),
    [
        ((YES, YES, NO), "supported", 0.666667),
        ((NO, YES, NO), "not_supported", 0.333333),
        ((YES, NO), "not_supported", 0.5),
        ((YES, YES, UNREAD), "supported", 1.0),
        ((YES, UNREAD), "unparsed", None),
        ((UNREAD, NO, UNREAD), "unparsed", None),
    ],
)
def test_most_judges_decide(votes, status, share):
    found = _majority(votes)
    assert (found.status, found.probability) == (status, share)


def test_a_file_names_the_judges(stub, tmp_path):
    names = ["stub-a", "stub-b", "stub-c"]
    path, judges = tmp_path / "bios.jsonl", tmp_path / "judges.yaml"
    text = "Ann Lee was born in 1950. Ann Lee painted ships. Ann Lee sang in Oslo and Bergen."
    page = {"title": "Ann Lee", "text": "Ann Lee, born in 1950, painted ships in Oslo."}
    path.write_text(json.dumps({"name": "Ann Lee", "text": text, "passages": [page]}))

    def run(out, **settings):
        options = {"input": path, "base_url": stub.base_url, "verifier": "llm", "no_cache": True}
        return score(Config(**options, out=tmp_path / out, **settings))

    judges.write_text("".join(f"- model: {name}\n" for name in names))
    done = run("all", judges=judges)
    (record,) = load_run(done.folder).records()
    alone = []
    for name in names:
        (one,) = load_run(run(name, model=name).folder).records()
        alone.append(one.matrix.support)
    assert (record.matrix.support == (sum(support.astype(int) for support in alone) >= 2)).all()
    assert done.manifest["settings"]["verifier"]["name"] == f"majority of {', '.join(names)}"
    assert [model["model"] for model in done.manifest["llm"]["models"]] == names
    for wrong in ("- model: a\n", "model: a\n", "- modell: a\n- model: b\n"):
        judges.write_text(wrong)
        with pytest.raises(InputError, match=r"judges\.yaml"):
            run("wrong", judges=judges)
