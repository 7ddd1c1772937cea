"""Finish reasons of many servers, from their documentation."""

from __future__ import annotations

import asyncio

import pytest

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import (
    Answer,
    AnswerError,
    CallError,
    Request,
    declines,
    ending,
    finish_word,
)
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.replies import read_reply
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.structured import check_finished
from dfactscore._asking.transport import Transport
from dfactscore._util.usage import collect_usage
from dfactscore.engines._llm.roles.verifier import read_word

REQUEST = Request("strict", (("user", "Is it so?"),), "v1", 16)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["stop", "STOP", "end_turn", "eos_token", "stop_sequence", "COMPLETE", "", None, "null",
          "FinishReason.STOP", "FINISH_REASON_STOP", "tool_calls", {"type": "stop"}], "ended"),
        (["length", "max_tokens", "MAX_TOKENS", "model_length", "maxTokens", "max-output-tokens",
          "FinishReason.MAX_TOKENS", "model_context_window_exceeded", "incomplete"], "cut"),
        (["content_filter", "SAFETY", "RECITATION", "refusal", "PROHIBITED_CONTENT", "BLOCKLIST",
          "guardrail_intervened", "content_filtered", "sensitive", "ERROR_TOXIC"], "refused"),
        (["error", "ERROR", "abort", "cancelled", "network_error", "OTHER", "timeout",
          "insufficient_system_resource", "MALFORMED_FUNCTION_CALL", "failed"], "faulty"),
        (["banana", "7", "end_of_the_world", "stop?!x"], "unknown"),
    ],
)  # fmt: skip
def test_one_meaning_for_each_word(words, kind) -> None:
    found = {str(word): ending(finish_word(word)) for word in words}
    assert set(found.values()) == {kind}, found


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("The response was filtered due to the prompt triggering Azure OpenAI's content "
         "management policy.", True),
        ("Your chosen model requires moderation and your input was flagged for 'violence'", True),
        ("Invalid prompt: it was flagged as potentially violating our usage policy.", True),
        ("Request rejected: policy violation", True),
        ("Output blocked by content filtering policy", True),
        ("Incorrect API key provided", False),
        ("Your account has been flagged for unusual activity", False),
        ("No endpoints found matching your data policy", False),
        ("Access denied due to Virtual Network/Firewall rules.", False),
        ("Your organization's policy does not allow this region", False),
        ("The account is suspended for violations of our usage policies", False),
    ],
)  # fmt: skip
def test_words_of_moderation_are_not_words_about_a_key(said, is_one) -> None:
    assert declines(said) is is_one


def reply(text="True", finish="stop", **more):
    choice = {"message": {"content": text}, "finish_reason": finish, **more}
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    return {"choices": [choice], "usage": usage}


class Scripted(Transport):
    """Replies in order, the last one for ever."""

    endpoint = "x"

    def __init__(self, *replies) -> None:
        self.replies, self.asked = list(replies), []

    async def send(self, body):
        self.asked.append(body)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def client(*replies, cache=None, **more) -> ChatClient:
    model = OpenAIModel("m", base_url="http://x/v1", backoff=0.001, retries=2)
    found = ChatClient(model, transport=Scripted(*replies), cache=cache, **more)
    found._able = Capabilities()
    return found


def ask(found: ChatClient, read=read_word):
    return asyncio.run(found.ask(REQUEST, read))


UPSTREAM = {"error": {"code": 502, "message": "Upstream error from provider"}}


@pytest.mark.parametrize(
    "torn",
    [
        reply("Tr", "error"),
        reply("True", "error"),
        reply("True", "stop", **UPSTREAM),
        reply("True", "stop") | UPSTREAM,
        reply("True", "abort"),
        reply("", "network_error"),
        reply(None, "error", **UPSTREAM),
    ],
)
def test_what_broke_off_is_asked_again_then_reported_and_never_kept(torn, tmp_path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    good = client(torn, torn, reply(), cache=cache)
    assert ask(good)[0].status == "supported"
    assert good.usage.total().to_dict()["retries"] == 2
    assert good.usage.total().completion_tokens == 6  # they are paid for, too
    cache.clear()
    lasting = client(torn, cache=cache)
    with pytest.raises(CallError, match=r"(ended with|broke off).*3 attempts") as caught:
        ask(lasting)
    assert caught.value.passing
    assert len(lasting.transport.asked) == 3
    assert cache.stats().answers == 0
    cache.close()


def test_a_moderated_choice_is_a_refusal() -> None:
    flagged = {"error": {"code": 403, "message": "the input was flagged by moderation"}}
    answer = read_reply(reply("", "error", **flagged))
    assert answer.ending == "refused"
    with pytest.raises(AnswerError) as caught:
        check_finished(answer)
    assert caught.value.kind == "refused"


def test_a_word_that_is_not_known_is_kept_counted_and_said_once(tmp_path, caplog) -> None:
    caplog.set_level("INFO", "dfactscore")
    cache = AnswerCache(tmp_path / "c.sqlite")
    found = client(reply(finish="banana\x07"), cache=cache)
    for _ in range(2):  # asked, then out of the cache
        with collect_usage() as record:
            assert asyncio.run(found.ask(REQUEST, lambda answer: answer)).finish == "banana"
        assert record.total().unknown_end == 1
    cache.close()
    assert len(found.transport.asked) == 1
    (line,) = caplog.messages
    assert "ends answers with 'banana'" in line


def test_an_answer_that_an_earlier_release_kept_though_it_broke_off(tmp_path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    found = client(reply("True", "max_tokens"), reply(), cache=cache)
    key = found.key(REQUEST, Capabilities())

    async def work():
        where = {"endpoint": "x", "stage": "strict", "version": "v1", "sample": 0}
        await cache.put(key, Answer("True", "error"), {}, **where)
        return await found.ask(REQUEST, read_word)

    assert asyncio.run(work())[0].status == "supported"
    assert len(found.transport.asked) == 2
    cache.close()
