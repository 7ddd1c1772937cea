"""Few calls by default, where the judge passes the check."""

from __future__ import annotations

import json
import re

import pytest
from counting_server import CountingServer

from dfactscore._cli.score import run_job
from dfactscore._jobs.engines import settled_calls
from dfactscore._jobs.settings import Config
from dfactscore.engines._llm.roles.judge_check import _cases

CASES = {case.biography.name: case for case in _cases()}
NAMES = [
    f"Ann {first}{second}" for first in "BCDF" for second in ("ale", "olt", "ire", "und", "yle")
]


def _read(prompt):
    """Answers a request for facts and persons: each sentence is a fact of its person."""
    name, _, text = prompt.rpartition("Name: ")[2].partition("\n")
    sentences = dict(re.findall(r"^(\d+)\. (.*)$", text, re.MULTILINE))
    case = CASES.get(name)
    persons = case.persons if case else [1] * len(sentences)
    listed = [{"label": name, "target": True}] * max(persons)
    facts = {n: [f"[{persons[int(n) - 1]}] {s}"] for n, s in sentences.items()}
    return json.dumps({"persons": listed, "facts": facts})


def _judge(prompt):
    facts = re.findall(r"^(\d+)\. (.*)$", prompt.rpartition("Facts:\n")[2], re.MULTILINE)
    letters = {fact.text: letter for case in CASES.values() for letter, fact in case.judged}
    return json.dumps({number: list(letters.get(fact, "A")) for number, fact in facts})


def _group(prompt):
    facts = re.findall(r"^(\d+)\. ", prompt.rpartition("Facts:\n")[2], re.MULTILINE)
    person = {"label": "Ann", "target": True, "facts": [int(number) for number in facts]}
    return json.dumps({"persons": [person]})


def perfect(prompt):
    if prompt.startswith("Read a paragraph"):
        return _read(prompt)
    if prompt.startswith("Judge numbered facts by several"):
        return _judge(prompt)
    if prompt.startswith("A paragraph may tell"):
        return _group(prompt)
    if prompt.startswith("Split sentences"):
        text = re.findall(r"^(\d+)\. (.*)$", prompt.rpartition("Name: ")[2], re.MULTILINE)
        return json.dumps({number: [sentence] for number, sentence in text})
    facts = re.findall(r"^(\d+)\. ", prompt.rpartition("Facts:\n")[2], re.MULTILINE)
    return json.dumps(dict.fromkeys(facts, True))


def credulous(prompt):
    said = perfect(prompt)
    joint = "several documents" in prompt
    return json.dumps({key: ["A", "B"] for key in json.loads(said)}) if joint else said


@pytest.fixture
def server():
    server = CountingServer()
    server.answer = perfect
    yield server
    server.close()


@pytest.fixture
def job(server, tmp_path):
    def run(folder, texts=20, **settings):
        path = tmp_path / f"{texts}.jsonl"
        rows = [
            {"id": n, "name": n, "text": f"{n} is a painter.",
             "passages": [{"title": n, "text": f"{n} is a painter."}]}
            for n in NAMES[:texts]
        ]  # fmt: skip
        path.write_text("\n".join(map(json.dumps, rows)))
        options = {"cache": tmp_path / f"{folder}.sqlite", "out": tmp_path / folder} | settings
        options |= {"engine": "llm", "model": "m", "base_url": server.base_url, "input": path}
        run_job(Config(**options), form="json", quiet=True)
        return tmp_path / folder

    return run


def _names(folder):
    settings = json.loads((folder / "manifest.json").read_text())["settings"]
    return settings["decomposer"]["name"], settings["verifier"]["name"]


def test_a_good_judge_is_asked_with_few_calls(job, server, capsys):
    folder = job("run")
    assert _names(folder) == ("llm-reader", "llm-verifier-together")
    assert server.calls == 10 + 2 * len(NAMES)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["total"]["calls"] == server.calls + 1  # and the probe
    assert json.loads((folder / "judge_check.json").read_text())["false_accepted"] == 0
    assert "which accepts 0 of 25 false facts" in capsys.readouterr().out
    server.answer = credulous
    job("run", no_cache=True, cache=None)  # a finished run keeps its form
    assert _names(folder) == ("llm-reader", "llm-verifier-together")


@pytest.mark.parametrize("case", ["poor judge", "few texts", "no schemas", "probabilities"])
def test_otherwise_each_page_has_a_call(case, job, server):
    if case == "poor judge":
        server.answer = credulous
    server.forms = case != "no schemas"
    texts = 4 if case == "few texts" else len(NAMES)
    chosen = {"threshold": 0.5} if case == "probabilities" else {}
    folder = job("run", texts, **chosen)
    assert _names(folder) == ("llm-decomposer", "llm-verifier")
    assert server.calls == 3 * texts + (10 if case == "poor judge" else 0)
    assert not (folder / "judge_check.json").exists()


def test_a_dry_run_counts_the_check(job, server, capsys, tmp_path):
    def total(**settings):
        capsys.readouterr()
        job("run", dry_run=True, **settings)
        said = capsys.readouterr()
        return json.loads(said.out)[-1]["calls"], said.err

    calls, said = total()
    assert calls == 1 + 10 + 3 * len(NAMES)
    assert f"with few calls, if the model passes the check: {1 + 10 + 2 * len(NAMES)} calls" in said
    assert server.calls == 0
    job("run", limit=1)
    job("other", cache=tmp_path / "run.sqlite")
    assert total(out=tmp_path / "third")[0] == 0  # all answers are in the cache, the check too
    assert total(out=tmp_path / "third", calls="few")[0] == 0


def test_a_run_without_a_model_is_not_checked():
    config = Config(input="x")
    assert settled_calls(config, None, 100, None) == (config, None)
