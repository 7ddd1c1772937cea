from __future__ import annotations

import asyncio

import pytest

from dfactscore.llm.cache import AnswerCache
from dfactscore.llm.client import ChatClient
from dfactscore.llm.errors import ModelError
from dfactscore.llm.messages import Answer, TokenLogprob
from dfactscore.llm.probe import Capabilities, probe
from dfactscore.llm.settings import OpenAIModel
from dfactscore.llm.transport import Rejected

GOOD = Answer('{"1": true, "2": false}', logprobs=(TokenLogprob("x", -0.1),))


def run(model: OpenAIModel, send) -> Capabilities:
    return asyncio.run(probe(model, send))


@pytest.fixture
def model() -> OpenAIModel:
    return OpenAIModel("m", base_url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    ("forms", "found"),
    [
        (["json_schema", "json_object"], "json_schema"),
        (["json_object"], "json_object"),
        ([], "text"),
    ],
)
def test_the_best_form_that_the_endpoint_takes(stub, forms: list[str], found: str) -> None:
    stub.set(forms=forms)
    client = ChatClient(OpenAIModel("stub-a", base_url=stub.base_url))
    able = asyncio.run(client.capabilities())
    assert (able.form, able.logprobs) == (found, True)


def test_an_endpoint_with_its_own_words(stub) -> None:
    stub.set(limit_field="max_completion_tokens", logprobs=False)
    client = ChatClient(OpenAIModel("stub-a", base_url=stub.base_url))
    able = asyncio.run(client.capabilities())
    assert able == Capabilities("json_schema", False, "max_completion_tokens")


def test_what_was_found_out_is_kept(stub, tmp_path) -> None:
    path = tmp_path / "c.sqlite"
    model = OpenAIModel("stub-a", base_url=stub.base_url)
    first = asyncio.run(ChatClient(model, cache=AnswerCache(path)).capabilities())
    second = asyncio.run(ChatClient(model, cache=AnswerCache(path)).capabilities())
    assert first == second
    assert stub.stats()["requests"] == 1


def test_rejected_fields_are_left_out_one_by_one(model: OpenAIModel) -> None:
    asked = []

    async def send(body):
        asked.append(body)
        for field in ("temperature", "logprobs"):
            if field in body:
                raise Rejected(f"Unsupported value: {field}", field)
        return GOOD

    able = run(model, send)
    assert able.without == ("temperature",)
    assert not able.logprobs
    assert able.form == "json_schema"
    assert len(asked) == 3


def test_a_slip_is_not_a_missing_ability_but_two_are(model: OpenAIModel) -> None:
    answers = [Answer("I'm sorry"), GOOD]

    async def once(body):
        return answers.pop(0)

    assert run(model, once).form == "json_schema"

    async def ignores_forms(body):
        return Answer("no idea") if "response_format" in body else GOOD

    assert run(model, ignores_forms).form == "text"

    async def never(body):
        return Answer("no idea")

    assert run(model, never) == Capabilities("text", False)


def test_an_endpoint_that_rejects_everything(model: OpenAIModel) -> None:
    async def send(body):
        raise Rejected("x answered 400 (bad weather)")

    with pytest.raises(ModelError, match="every request is rejected: x answered 400"):
        run(model, send)


def test_what_the_user_sets_is_not_probed() -> None:
    model = OpenAIModel("m", base_url="http://x/v1", structured="json_object", logprobs=False)

    async def send(body):
        assert body["response_format"] == {"type": "json_object"}
        assert "logprobs" not in body
        return GOOD

    assert run(model, send) == Capabilities("json_object", False)


def test_capabilities_survive_the_cache() -> None:
    able = Capabilities("json_object", True, "max_completion_tokens", ("seed",))
    assert Capabilities.from_json(able.to_json()) == able
