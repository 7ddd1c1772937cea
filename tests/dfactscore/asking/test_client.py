from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from dfactscore._asking.budget import Budget, Price, PriceList
from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import (
    Answer,
    AnswerError,
    BudgetError,
    CallError,
    ModelError,
    Request,
)
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.replies import read_reply
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import HTTPTransport, Rejected, Transient, Transport
from dfactscore._errors import InputError
from dfactscore._util.fetching import Reply
from dfactscore._util.usage import collect_usage
from dfactscore.engines._llm.roles.verifier import read_word

QUESTION = (
    'Decide a statement about X by the text below, taken from the page "X".\n'
    "Anna painted.\nStatement: {fact}\nIs it so?"
)


def request(fact: str = "Anna painted.", **more) -> Request:
    return Request("strict", (("user", QUESTION.format(fact=fact)),), "v1", 16, **more)


def model(stub, **more) -> OpenAIModel:
    return OpenAIModel("stub-a", base_url=stub.base_url, **{"backoff": 0.01, **more})


def ask(client: ChatClient, *requests: Request):
    async def run():
        try:
            return await asyncio.gather(*(client.ask(r, read_word) for r in requests))
        finally:
            await client.aclose()

    return asyncio.run(run())


def test_a_wrong_key_stops_everything_at_once_and_is_not_shown(stub, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-7d1f-secret")
    stub.set(key="right")
    client = ChatClient(model(stub))
    with pytest.raises(ModelError) as caught:
        ask(client, *(request(str(i)) for i in range(20)))
    assert "OPENAI_API_KEY is not accepted" in str(caught.value)
    assert "canary" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert stub.stats()["requests"] == 1


def test_a_missing_model_is_named(stub) -> None:
    stub.set(models=["other"])
    with pytest.raises(ModelError, match=r"no model 'stub-a' there.*--model"):
        ask(ChatClient(model(stub)), request())


def test_a_key_that_dies_midway_stops_the_rest(stub) -> None:
    client = ChatClient(model(stub, concurrency=1))
    ask(client, request("first"))
    stub.set(models=["other"])
    with pytest.raises(ModelError):
        ask(client, *(request(str(i)) for i in range(10)))
    assert stub.stats()["requests"] == 1


def test_closing_ends_a_probe_that_nobody_waits_for():
    async def work():
        client = ChatClient(OpenAIModel("m", base_url="http://127.0.0.1:9/v1", backoff=60))
        waiting = asyncio.ensure_future(client.capabilities())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await client.aclose()
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(work()) == set()


def test_nobody_there(stub) -> None:
    client = ChatClient(OpenAIModel("m", base_url="http://127.0.0.1:9/v1", retries=1, backoff=0.01))
    with pytest.raises(ModelError, match=r"cannot be reached .*2 attempts"):
        ask(client, request())


def test_nobody_ever_there_is_found_out_soon() -> None:
    client = ChatClient(OpenAIModel("m", base_url="http://127.0.0.1:9/v1", backoff=0.01))
    with pytest.raises(ModelError, match=r"cannot be reached .*3 attempts"):
        ask(client, request())


def test_openai_itself_needs_a_key(monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InputError, match="set the environment variable OPENAI_API_KEY"):
        ask(ChatClient(OpenAIModel("m")), request())


def test_the_same_question_at_the_same_time_is_asked_once(stub) -> None:
    stub.set(latency=0.2)
    client = ChatClient(model(stub))
    found = ask(client, *(request() for _ in range(8)))
    assert len({str(f) for f in found}) == 1
    assert stub.stats()["by_stage"]["strict"] == 1
    total = client.usage.total()
    assert (total.calls, total.answers, total.cached) == (2, 8, 7)


def test_bad_answers_are_not_kept(stub, tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    client = ChatClient(model(stub), cache=cache)
    ask(client, request("warm"))
    stub.set(rate=1.1, kinds=["refusal"], unbounded=True)
    with pytest.raises(AnswerError) as caught:
        ask(client, request())
    assert caught.value.kind == "refused"
    assert stub.stats()["requests"] == 2
    stub.set()
    assert ask(client, request())[0][0].status == "supported"
    assert cache.stats().answers == 2


def test_a_repaired_answer_is_kept_with_the_tokens_of_both(stub, tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    client = ChatClient(model(stub), cache=cache)
    ask(client, request("warm"))
    stub.set(rate=1.1, kinds=["broken"])
    ask(client, request())
    stats = stub.stats()
    assert stats["requests"] == 2
    kept = [r for r in cache.records() if "warm" not in str(r["request"])]
    assert kept[0]["prompt_tokens"] == stats["prompt_tokens"]
    ask(client, request())
    assert stub.stats()["requests"] == 2


def test_a_fault_that_stays_ends_in_a_call_error(stub) -> None:
    client = ChatClient(model(stub, retries=2))
    ask(client, request("warm"))
    stub.set(rate=1.1, kinds=["500"], unbounded=True)
    with pytest.raises(CallError, match=r"answered 500 .*3 attempts"):
        ask(client, request())
    assert stub.stats()["requests"] == 3


def test_a_server_that_asks_for_an_hour_ends_the_run(stub) -> None:
    client = ChatClient(model(stub, max_wait=0.5))
    ask(client, request("warm"))
    stub.set(rate=1.1, kinds=["429-seconds"], unbounded=True)
    with pytest.raises(
        ModelError, match=r"asks to wait 1 s, more than 0\.5 s; run the same command"
    ):
        ask(client, request())


def test_a_call_limit_is_exact_under_concurrency(stub) -> None:
    budget = Budget(PriceList({}), max_calls=5)
    client = ChatClient(model(stub), budget=budget)
    with pytest.raises(BudgetError, match="--max-calls 5"):
        ask(client, *(request(str(i)) for i in range(30)))
    assert stub.stats()["requests"] <= 5


def test_a_cost_limit_is_never_passed(stub) -> None:
    prices = PriceList({"stub-a": Price(10_000.0, 10_000.0)})
    budget = Budget(prices, max_cost=6.0)
    client = ChatClient(model(stub, concurrency=2), budget=budget)
    with pytest.raises(BudgetError, match="before --max-cost 6 USD"):
        ask(client, *(request(str(i)) for i in range(30)))
    assert 0 < (client.usage.total().cost or 0) <= 6.0


def test_a_cost_limit_is_used_up_before_it_stops(stub) -> None:
    budget = Budget(PriceList({"stub-a": Price(10_000.0, 10_000.0)}))
    client = ChatClient(model(stub), budget=budget)
    ask(client, *(request(str(i)) for i in range(4)))
    each, most = (client.usage.total().cost or 0) / 5, 0.01 * request("x").max_tokens
    budget = Budget(budget.prices, max_cost=20 * each + most)
    client = ChatClient(model(stub, concurrency=16), budget=budget)
    with pytest.raises(BudgetError, match="before --max-cost"):
        ask(client, *(request(f"more {i}") for i in range(200)))
    assert 15 * each <= (client.usage.total().cost or 0) <= budget.max_cost


def test_a_cost_limit_needs_a_price() -> None:
    far = OpenAIModel("unheard-of", base_url="http://example.org/v1")
    with pytest.raises(InputError, match=r"price of 'unheard-of'.*--prices FILE"):
        ChatClient(far, budget=Budget(PriceList({}), max_cost=1.0))


def test_one_client_serves_several_loops(stub) -> None:
    client = ChatClient(model(stub))
    assert ask(client, request("a")) is not None
    assert ask(client, request("b")) is not None


def test_cancelling_one_asker_leaves_the_other(stub) -> None:
    stub.set(latency=0.3)

    async def run():
        client = ChatClient(model(stub))
        await client.capabilities()
        first = asyncio.create_task(client.ask(request(), read_word))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(client.ask(request(), read_word))
        await asyncio.sleep(0.05)
        first.cancel()
        found = await second
        await client.aclose()
        return found

    assert asyncio.run(run())[0].status == "supported"


def test_what_waits_for_its_turn_is_not_called_running(stub) -> None:
    """After a slow answer to the tiny question, requests start one by one."""
    stub.set(latency=0.2)

    async def run() -> int:
        client = ChatClient(model(stub, timeout=2.0))  # a twentieth of it has passed
        await client.capabilities()
        asked = [client.ask(request(f"Anna wrote {n} books."), read_word) for n in range(6)]
        tasks = [asyncio.ensure_future(one) for one in asked]
        while not client.running:
            await asyncio.sleep(0)
        running = client.running
        await asyncio.gather(*tasks)
        await client.aclose()
        return running

    assert asyncio.run(run()) == 1
    assert stub.stats()["most_at_once"] < 6


@pytest.mark.parametrize(
    "change",
    [
        {"model": "stub-b"},
        {"temperature": 0.5},
        {"seed": 1},
        {"parameters": {"top_p": 0.9}},
        {"max_answer_tokens": 8},
        {"base_url": "other"},
    ],
)
def test_another_setting_never_gets_the_old_answer(stub, tmp_path: Path, change) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    ask(ChatClient(model(stub), cache=cache), request())
    before = stub.stats()["by_stage"]["strict"]
    settings = {"model": "stub-a", "base_url": stub.base_url, **change}
    if settings["base_url"] == "other":
        settings["base_url"] = stub.base_url.replace("127.0.0.1", "localhost")
    ask(ChatClient(OpenAIModel(**settings), cache=cache), request())
    assert stub.stats()["by_stage"]["strict"] == before + 1


def test_another_prompt_version_or_sample_is_another_question(stub, tmp_path: Path) -> None:
    client = ChatClient(model(stub), cache=AnswerCache(tmp_path / "c.sqlite"))
    ask(client, request(), request(sample=1))
    other = Request("strict", request().messages, "v2", 16)
    ask(client, other)
    assert stub.stats()["by_stage"]["strict"] == 3
    ask(client, request(), request(sample=1), other)
    assert stub.stats()["by_stage"]["strict"] == 3


def test_replies_that_stray_from_the_schema() -> None:
    parts = [{"type": "text", "text": "Tr"}, {"type": "text", "text": "ue"}]
    reply = {"choices": [{"message": {"content": parts}}], "usage": None}
    assert read_reply(reply) == Answer("True")
    assert read_reply({"choices": [{"message": None, "finish_reason": None}]}).text == ""
    for broken in ({}, {"choices": []}, {"error": {"message": "busy"}}, {"error": "busy"}):
        with pytest.raises(Transient):
            read_reply(broken)


def test_content_that_the_server_declines_is_a_refusal() -> None:
    class Declines(Transport):
        endpoint = "x"
        calls = 0

        async def send(self, body):
            self.calls += 1
            raise Rejected("x answered 400 (policy)", policy=True)

        async def aclose(self) -> None:
            pass

    transport = Declines()
    client = ChatClient(OpenAIModel("m", base_url="http://x/v1"), transport=transport)
    client._able = Capabilities()
    with pytest.raises(AnswerError) as caught:
        ask(client, request())
    assert caught.value.kind == "refused"
    assert transport.calls == 2


def reply(**more):
    return {"choices": [{"message": {"content": "True"}, "finish_reason": "stop", **more}]}


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({"message": None}, ""),
        ({"message": {"content": None}}, ""),
        ({"message": {}, "text": "True"}, "True"),
        ({"message": {"content": [{"type": "text", "text": "Tr"}, {"text": "ue"}]}}, "True"),
        ({"message": {"tool_calls": [{"function": {"arguments": '{"1": true}'}}]}}, '{"1": true}'),
        ({"message": {"tool_calls": [{"function": {"arguments": {"1": True}}}]}}, '{"1": true}'),
        ({"message": {"tool_calls": [None]}}, ""),
        ({"message": {"content": "a \ud800 b"}}, "a \ufffd b"),
    ],
)
def test_content_in_every_shape(choice, text: str) -> None:
    assert read_reply(reply(**choice)).text == text


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "many"}, {"prompt_tokens": -5}])
def test_a_server_that_counts_no_tokens_is_counted_for(usage) -> None:
    class Silent(Transport):
        endpoint = "x"

        async def send(self, body):
            return reply() | {"usage": usage}

        async def aclose(self):
            pass

    budget = Budget(PriceList({"m": Price(1e6, 1e6)}), max_cost=1000.0)
    silent = OpenAIModel("m", base_url="http://x/v1", structured="text")
    client = ChatClient(silent, budget=budget, transport=Silent())
    client._able = Capabilities()
    ask(client, request())
    assert budget.cost > 30
    assert client.usage.total().prompt_tokens > 30
    with pytest.raises(BudgetError):
        ask(client, *(request(str(n)) for n in range(100)))
    assert client.usage.total().calls < 30


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ({"message": "no auth", "code": 401}, ModelError),
        ({"message": "unknown", "code": "404"}, ModelError),
        ({"message": "slow down", "code": 429}, Transient),
        ({"message": "overloaded", "code": 502}, Transient),
        ("something", Transient),
        ({"message": "wrong field", "code": 400}, Rejected),
    ],
)
def test_errors_that_come_with_status_200(error, fault, monkeypatch) -> None:
    async def said(*_, **__):
        return Reply(200, {}, json.dumps({"error": error}).encode())

    monkeypatch.setattr("dfactscore._util.fetching.Wire.send", said)
    transport = HTTPTransport(OpenAIModel("m", base_url="http://x/v1"))
    with pytest.raises(fault):
        asyncio.run(transport.send({}))


def test_a_notebook_goes_on_once_the_server_is_right(stub) -> None:
    client = ChatClient(model(stub))

    async def notebook() -> None:
        stub.set(models=["other"])
        for _ in range(2):
            with pytest.raises(ModelError):
                await client.ask(request(), read_word)
        stub.set()
        await client.ask(request(), read_word)
        await client.aclose()

    asyncio.run(notebook())


@pytest.mark.slow
def test_processes_beside_each_other_ask_each_prompt_once(stub, tmp_path) -> None:
    import subprocess
    import sys

    stub.set(latency=0.05)
    code = """
import asyncio, sys
from test_client import ChatClient, OpenAIModel, AnswerCache, request, ask
cache = AnswerCache(sys.argv[2])
client = ChatClient(OpenAIModel("stub-a", base_url=sys.argv[1], backoff=0.01), cache=cache)
ask(client, *(request(f"Anna painted {n}.") for n in range(25)))
cache.close()
"""
    command = [sys.executable, "-c", code, stub.base_url, str(tmp_path / "c.sqlite")]
    runs = [subprocess.Popen(command, cwd=Path(__file__).parent) for _ in range(4)]
    assert [run.wait() for run in runs] == [0] * 4
    stats = stub.stats()
    assert stats["by_stage"]["strict"] == 25
    assert stats["repeated"] == 0


def test_a_prompt_whose_answer_was_not_had_is_free_again(stub, tmp_path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    stub.set(rate=1.1, kinds=["500"], unbounded=True, stages=["strict"])
    with pytest.raises(CallError):
        ask(ChatClient(model(stub, retries=0), cache=cache), request())
    stub.set()
    assert ask(ChatClient(model(stub), cache=cache), request())
    cache.close()


@pytest.mark.parametrize(
    "said",
    [
        {"usage": {"prompt_tokens_details": {"cached_tokens": 80}}},
        {"usage": {"prompt_cache_hit_tokens": 80, "prompt_cache_miss_tokens": 20}},
        {"usage": {}, "timings": {"cache_n": 80, "prompt_n": 20}},
    ],
)
def test_tokens_that_the_server_had_read_before_are_counted_at_their_price(said) -> None:
    class Cached(Transport):
        endpoint = "x"

        async def send(self, body):
            usage = {"prompt_tokens": 100, "completion_tokens": 10, **said["usage"]}
            return reply() | said | {"usage": usage}

        async def aclose(self):
            pass

    def total(price: Price):
        chat = OpenAIModel("m", base_url="http://x/v1", structured="text")
        client = ChatClient(chat, budget=Budget(PriceList({"m": price})), transport=Cached())
        client._able = Capabilities()
        with collect_usage() as record:
            ask(client, request())
        assert record.total().cached_tokens == 0  # it changes from run to run
        assert client.budget.cost == pytest.approx(client.usage.total().cost)
        return client.usage.total()

    found = total(Price(1e4, 2e4, cached=1e3))
    assert (found.prompt_tokens, found.cached_tokens) == (100, 80)
    assert found.cost == pytest.approx(0.2 + 0.08 + 0.2)
    assert total(Price(1e4, 2e4)).cost == pytest.approx(1.0 + 0.2)
