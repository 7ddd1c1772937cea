"""Calls that were sent when a command was stopped are waited for or counted."""

from __future__ import annotations

import asyncio
import json

import pytest
from counting_server import CountingServer

from dfactscore._asking.budget import Budget, PriceList
from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import BudgetError, Call, ModelError
from dfactscore._asking.replies import read_reply
from dfactscore._asking.settings import OpenAIModel
from dfactscore._util.tasks import together
from dfactscore._util.usage import note_call, noting_calls


@pytest.fixture
def server():
    server = CountingServer()
    server.seconds = 0.1
    yield server
    server.close()


def call(number: int) -> Call:
    body = {"messages": [{"role": "user", "content": f"question {number}"}], "max_tokens": 9}
    return Call("ask", "/chat/completions", body, "1", read_reply)


def client_of(server, tmp_path, **options) -> ChatClient:
    budget = Budget(PriceList({}), **options)
    cache = AnswerCache(tmp_path / "cache.sqlite")
    return ChatClient(OpenAIModel("m", base_url=server.base_url), cache=cache, budget=budget)


async def asked(client: ChatClient, numbers: range) -> None:
    try:
        await together(client.call(call(n), lambda answer: answer.text) for n in numbers)
    finally:
        await client.aclose()


def test_a_spent_budget_loses_no_answer(server, tmp_path):
    client = client_of(server, tmp_path, max_calls=7)
    with pytest.raises(BudgetError):
        asyncio.run(asked(client, range(20)))
    tally = client.usage.total()
    assert (tally.calls, tally.canceled, server.calls) == (7, 0, 7)
    again = client_of(server, tmp_path)
    asyncio.run(asked(again, range(20)))
    assert server.calls == 20
    assert again.usage.total().calls == 13


def test_a_server_that_asks_to_wait_too_long_loses_no_answer(server, tmp_path):
    client = client_of(server, tmp_path)
    late = server.respond

    def respond(sent):
        if sent["messages"][0]["content"] == "question 5":
            return 429, {"error": {"message": "slow down", "code": "rate_limit"}}
        return late(sent)

    server.respond = respond
    client._policy = type(client._policy)(retries=0)
    client._given_up = lambda fault, attempts: ModelError(fault.reason)
    with pytest.raises(ModelError, match="slow down"):
        asyncio.run(asked(client, range(10)))
    assert client.usage.total().canceled == 0
    assert client.usage.total().calls == 9 == client.cache.stats().answers


def test_canceled_calls_are_counted(server, tmp_path):
    server.seconds = 1
    client = client_of(server, tmp_path)
    noted = []

    async def stopped() -> None:
        task = asyncio.ensure_future(asked(client, range(3)))
        while client.usage.total().calls < 3 and not task.done():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    with noting_calls(lambda: noted.append(json.dumps(client.usage.total().to_dict()))):
        asyncio.run(stopped())
    tally = client.usage.total()
    assert (tally.calls, tally.canceled, tally.answers) == (3, 3, 0)
    assert tally.prompt_tokens > 0
    # From the moment they are sent, in case the process is killed.
    assert [json.loads(line)["calls"] for line in noted] == [1, 2, 3, 3, 3, 3]


def test_refused_calls_are_not_counted(server, tmp_path):
    server.key = "secret"
    client = client_of(server, tmp_path)
    with pytest.raises(ModelError):
        asyncio.run(asked(client, range(3)))
    tally = client.usage.total()
    assert (tally.calls, tally.prompt_tokens, tally.canceled) == (0, 0, 0)


def test_answers_in_quick_succession_are_noted_with_the_next_call(monkeypatch):
    clock, noted = [100.0], []
    monkeypatch.setattr("dfactscore._util.usage.time.monotonic", lambda: clock[-1])
    with noting_calls(lambda: noted.append(clock[-1])):
        for seconds, answered in ((100.0, False), (100.1, True), (100.2, False), (100.5, True)):
            clock.append(seconds)
            note_call(answered=answered)
    assert noted == [100.0, 100.2, 100.5]
