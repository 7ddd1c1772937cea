"""Reasons beside verdicts: asked for, kept and shown."""

from __future__ import annotations

import json
import re

import pytest
from counting_server import CountingServer

from dfactscore import OpenAIModel, Scorer
from dfactscore._asking.messages import Answer
from dfactscore._jobs.settings import Config
from dfactscore._runs import load_run
from dfactscore._scorer.command import score
from dfactscore.engines._llm.roles.verifier import read_verdicts

WHY = 'The page says "1950" & nothing else.'


def said(prompt):
    facts = re.findall(r"^(\d+)\. (.*)$", prompt.rpartition("Facts:\n")[2], re.MULTILINE)
    return json.dumps({n: {"why": WHY, "supported": "1950" in fact} for n, fact in facts})


@pytest.fixture
def server():
    server = CountingServer()
    server.answer = said
    yield server
    server.close()


def test_reasons_are_kept_and_shown(server, tmp_path):
    path = tmp_path / "bios.jsonl"
    row = {"id": "a", "name": "Ann Lee", "text": "Ann Lee was born in 1950. Ann Lee sang."}
    page = {"title": "Ann Lee", "text": "Ann Lee (born 1950)."}
    path.write_text(json.dumps({**row, "passages": [page]}))
    run = {"input": path, "out": tmp_path / "run", "model": "m", "base_url": server.base_url}
    config = Config(**run, verifier="llm", reasons=True, calls="few", no_cache=True)
    folder = score(config).folder
    assert server.calls == 1
    (record,) = load_run(folder).records()
    assert record.matrix.reason.tolist() == [[WHY]] * 2
    assert record.matrix.support.tolist() == [[True], [False]]
    assert json.loads((folder / "manifest.json").read_text())["settings"]["verifier"]["reasons"]
    assert "nothing else" in (folder / "report.html").read_text()
    score(config)
    assert server.calls == 1


def test_reasons_are_asked_for_in_memory_too(server):
    model = OpenAIModel("m", base_url=server.base_url)
    options = {"no_cache": True, "reasons": True}
    scorer = Scorer(model=model, decomposer="builtin", grouper="builtin", llm=options)
    found = scorer.score("Ann Lee sang.", name="Ann Lee", pages={"Ann Lee": "Ann Lee rows."})
    assert found.record.matrix.reason.tolist() == [[WHY]]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"why": "It says so.", "supported": True}, "It says so."),
        ({"supported": "yes", "reason": "It\nsays so."}, "It says so."),
        ({"supported": True}, ""),
        (True, ""),
    ],
)
def test_a_reason_is_the_text_beside_the_verdict(item, reason):
    (verdict,) = read_verdicts(Answer(json.dumps({"1": item})), 1)
    assert (verdict.status, verdict.reason) == ("supported", reason)
