"""With a model: calls counted by a server, answers that cannot be read, a bad key."""

from __future__ import annotations

import json

import pytest
from counting_server import CountingServer

from dfactscore._asking.messages import ModelError
from dfactscore._asking.settings import OpenAIModel
from dfactscore._errors import InputError

PAGE = "Ann Lee is an English painter. She was born in 1950. " + "She paints. " * 300
TEXT = "Ann Lee is an English painter. She was born in 1871."
FACTS = ["Ann Lee is English.", "Ann Lee is a painter.", "Ann Lee was born in 1871."]


@pytest.fixture
def stub():
    made = CountingServer()

    def answer(prompt):
        if "Sentences to split" in prompt:
            return json.dumps({"1": FACTS[:2], "2": FACTS[2:]})
        return "False" if "1871" in prompt.rpartition("Statement:")[2] else "True"

    made.answer = answer
    yield made
    made.close()


@pytest.fixture
def ask(scorer, stub, tmp_path):
    def make(model="judge", **options):
        endpoint = OpenAIModel(model, base_url=stub.base_url, retries=0)
        return scorer({"Ann Lee": PAGE}, model_name="retrieval+ChatGPT", model=endpoint, **options)

    return make


def test_at_most_sentences_and_facts_calls_and_none_again(ask, stub):
    out = ask().get_score("Ann Lee", TEXT, 0, knowledge_source="mine")
    assert out["score"] == pytest.approx(2 / 3)
    assert stub.calls <= 2 + 3
    calls = stub.calls
    assert ask().get_score("Ann Lee", TEXT, 0, knowledge_source="mine") == out
    assert stub.calls == calls
    judged = [p for p in stub.prompts if "Statement: " in p]
    # The best passage stands last, next to the statement, and there are five of them.
    assert all(len(p) < 5 * 1500 for p in judged)


@pytest.mark.parametrize("answer", ["", "No.", "N/A", "Incorrect.", "This is untrue."])
def test_answers_that_are_neither_word_are_no_support(ask, stub, answer):
    stub.answer = lambda prompt: answer
    fs = ask()
    with pytest.warns(UserWarning, match="1 texts have no score: no verdict could be read"):
        out = fs.get_score("Ann Lee", "x", 0, FACTS[:1], "mine")
    assert out["score"] is None
    assert fs.results.summary.statuses == {"not_judged": 1}


def test_a_missing_topic_costs_nothing(ask, stub):
    topics = ["Ann Lee"] * 182 + ["Ann Lea"]
    with pytest.raises(InputError, match="1 of 2 topics have no page: no page 'Ann Lea'; near"):
        ask().get_score(topics, [TEXT] * 183, knowledge_source="mine")
    assert stub.calls == 0


def test_a_bad_key_ends_it(ask, stub, monkeypatch):
    stub.key = "right"
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    with pytest.raises(ModelError) as problem:
        ask().get_score(["Ann Lee"] * 50, [TEXT] * 50, knowledge_source="mine")
    assert stub.calls == 0
    assert "wrong" not in str(problem.value)


def test_openfactscores_names(ask, stub, monkeypatch):
    fs = ask(afg_model="maker", afv_model="checker")
    out = fs.get_score("Ann Lee", TEXT, 0, knowledge_source="mine")
    assert out["config_name"] == "retrieval+maker+checker"
    assert list(out)[-1] == "config_name"


def test_a_model_of_the_environment(scorer, stub, monkeypatch):
    monkeypatch.setenv("DFACTSCORE_MODEL", "judge")
    monkeypatch.setenv("DFACTSCORE_BASE_URL", stub.base_url)
    fs = scorer({"Ann Lee": PAGE}, model_name="retrieval+llama")
    assert fs.count_calls("Ann Lee", TEXT, None, "mine") >= 3
    assert fs.get_score("Ann Lee", TEXT, 0, knowledge_source="mine")["score"] > 0.5
    assert fs.count_calls("Ann Lee", TEXT, None, "mine") == 0  # all answers are kept
