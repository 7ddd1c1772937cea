from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, ModelError, Request, TokenLogprob
from dfactscore._asking.probe import Capabilities, build_body, probe
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.structured import boolean_schema
from dfactscore._asking.transport import Rejected
from dfactscore.engines._llm.roles.verifier import read_word

QUESTION = (
    'Decide a statement about X by the text below, taken from the page "X".\n'
    "Anna painted.\nStatement: Anna painted.\nIs it so?"
)
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


def test_prose_is_not_probed_with_json(model: OpenAIModel) -> None:
    asked = []

    async def send(body):
        asked.append(body)
        return Answer("The sea is wide.")

    able = run(replace(model, structured="text", logprobs=False), send)
    assert able == Capabilities("text", False)
    assert len(asked) == 1
    assert "response_format" not in asked[0]
    assert "logprobs" not in asked[0]
    assert "JSON" not in str(asked)


def test_capabilities_survive_the_cache() -> None:
    able = Capabilities("json_object", True, "max_completion_tokens", ("seed",))
    assert Capabilities.from_json(able.to_json()) == able


def test_a_model_that_thinks_first_gets_room_for_it(model: OpenAIModel) -> None:
    limits = []

    async def thinks(body):
        limits.append(body["max_tokens"])
        if body["max_tokens"] < 1000:
            return Answer("", "length", thought=True)
        return Answer(GOOD.text, thought=True)

    able = run(model, thinks)
    assert (able.form, able.room) == ("json_schema", 8192)
    assert limits == [400, 400 + 8192]

    async def narrow(body):
        if body["max_tokens"] > 4096:
            raise Rejected(
                "max_tokens=8592 is larger than the context of 4096 tokens", "max_tokens"
            )
        return await thinks(body)

    assert run(model, narrow).room == 2048
    asked = Request("strict", (), "v1", 50)
    body = build_body(model, able, asked)
    assert body["max_tokens"] == 50 + 8192
    capped = replace(model, max_answer_tokens=256)
    body = build_body(capped, able, asked)
    assert body["max_tokens"] == 256
    more = replace(model, parameters={"temperature": None, "top_k": 5})
    body = build_body(more, able, asked)
    assert ("temperature" in body, body["top_k"]) == (False, 5)


def test_a_model_without_system_messages_gets_the_same_words(model: OpenAIModel) -> None:
    async def send(body):
        if body["messages"][0]["role"] == "system":
            raise Rejected("x answered 400 (System role not supported)")
        return GOOD

    able = run(model, send)
    assert (able.system, able.form, able.logprobs) == (False, "json_schema", True)
    rest = (("assistant", "Ann."), ("user", "And?"))
    asked = Request("x", (("system", "Be brief."), ("user", "Who?"), *rest), "v1", 5)
    said = [(one["role"], one["content"]) for one in build_body(model, able, asked)["messages"]]
    assert said == [("user", "Be brief.\n\nWho?"), *rest]


def test_an_endpoint_that_changed_since_it_was_probed(stub, tmp_path) -> None:
    path = tmp_path / "c.sqlite"
    model = OpenAIModel("stub-a", base_url=stub.base_url)
    request = Request("strict", (("user", QUESTION),), "v1", 16, schema=boolean_schema(["1"]))

    def ask(client: ChatClient):
        return asyncio.run(client.ask(request, read_word))

    ask(ChatClient(model, cache=AnswerCache(path)))
    stub.set(forms=[])
    again = ChatClient(model, cache=AnswerCache(path))
    request = replace(request, version="v2")
    ask(again)
    assert again.known_capabilities().form == "text"
    before = stub.stats()["requests"]
    request = replace(request, version="v3")
    ask(ChatClient(model, cache=AnswerCache(path)))
    assert stub.stats()["requests"] == before + 1


@pytest.mark.parametrize(
    "said",
    [
        "You are not allowed to request logprobs from this model",
        "log probs are disabled for this deployment",
    ],
)
def test_a_forbidden_field_is_left_out(model: OpenAIModel, said: str) -> None:
    async def send(body):
        if "logprobs" in body:
            raise Rejected(f"x answered 403 ({said})")
        return GOOD

    assert run(model, send) == Capabilities("json_schema", False)


@pytest.mark.parametrize("taken", [{"temperature"}, set()])
def test_parameters_that_are_refused_without_a_name_go_one_by_one(taken) -> None:
    model = OpenAIModel("m", base_url="http://x/v1", seed=3)
    optional = {"response_format", "logprobs", "temperature", "seed"} - taken

    async def send(body):
        if optional & set(body):
            raise Rejected("x answered 404 (No endpoints can handle the requested parameters)")
        return GOOD

    able = run(model, send)
    assert (able.form, set(able.without)) == ("text", {"seed", "temperature"} - taken)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_answers_that_come_as_thoughts_only_are_said_once(model: OpenAIModel, field: str) -> None:
    asked = []

    async def send(body):
        asked.append(body)
        return Answer("", thought=True, aside=field)

    with pytest.raises(ModelError, match=rf"field '{field}'.*--reasoning-parser"):
        run(model, send)
    assert len(asked) == 6

    async def only_in_a_form(body):
        return await send(body) if "response_format" in body else GOOD

    assert run(model, only_in_a_form).form == "text"
