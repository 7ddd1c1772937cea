"""Models that answer oddly: each kind with what is right, written before it was tried.

``same`` is the verdicts of a good answer; ``cell`` the same but for the second fact, which cannot
be read. Whatever it is, the same question is answered well once the model is well again: nothing
that failed was kept.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import ModelError
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.settings import OpenAIModel
from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore.engines._llm.roles.verifier import LLMVerifier

pytest.importorskip("aiohttp", reason="the good answers are those of the stub server")
sys.path.insert(0, str(Path(__file__).parent))
from server_faults import FaultServer, _choice, _message, _reply, _status

sys.path.remove(str(Path(__file__).parent))
GOOD, BAD = '{"1": true, "2": false}', '{"1": false, "2": true}'
UPSTREAM = {"code": 502, "message": "Upstream error from provider"}


def _text(text: str, **choice):
    return _reply(lambda r: r["choices"][0].update(message={"content": text}, **choice) or r)


def _error(status: str, message: str):
    return _status(status, {"error": {"message": message}})


ODD = {
    # How it ended.
    "ended: eos": (_choice(finish_reason="eos_token"), "same"),
    "ended: in a list": (_choice(finish_reason=["stop"]), "same"),
    "ended: in an object": (_choice(finish_reason={"type": "stop"}), "same"),
    "ended: True": (_choice(finish_reason=True), "same"),
    "ended: a new word": (_choice(finish_reason="banana"), "same"),
    "cut: MAX_TOKENS": (_choice(finish_reason="MAX_TOKENS"), "unparsed"),
    "cut: model_length": (_choice(finish_reason="model_length"), "unparsed"),
    "refused: SAFETY": (_choice(finish_reason="SAFETY"), "refused"),
    "refused: recitation": (_choice(finish_reason="recitation"), "refused"),
    "refused: flagged": (_choice(error={"message": "flagged by moderation"}), "refused"),
    "broke off: ERROR": (_choice(finish_reason="ERROR"), "error"),
    "broke off: OTHER": (_choice(finish_reason="FinishReason.OTHER"), "error"),
    "broke off: abort": (_text(BAD, finish_reason="abort"), "error"),
    "broke off: error beside": (_choice(error=UPSTREAM), "error"),
    "broke off: error above": (_reply(lambda r: r.update(error=UPSTREAM)), "error"),
    "broke off: error a text": (_choice(error="upstream"), "error"),
    "error empty": (_choice(error={}), "same"),
    "error null twice": (_reply(lambda r: r["choices"][0].update(error=None) or r), "same"),
    # Thoughts.
    "thought: THINK": (_text(f"[THINK]{BAD}[/THINK]{GOOD}"), "same"),
    "thought: two": (_text(f"<think>{BAD}</think><Thought>no {BAD}</Thought>\n{GOOD}"), "same"),
    "thought: behind": (_text(f"{GOOD}\n<think>or {BAD}?</think>"), "same"),
    "thought: harmony": (
        _text(
            f"<|channel|>analysis<|message|>{BAD}<|end|><|start|>assistant<|channel|>final"
            f"<|message|>{GOOD}"
        ),
        "same",
    ),
    "thought: harmony alone": (_text(f"<|channel|>analysis<|message|>{GOOD}"), "unparsed"),
    "thought: no end": (_text(f"<think>Perhaps {GOOD}"), "unparsed"),
    "thought: no end, in a string": (_text('{"1": true, "2": false, "x": "<think>"}'), "same"),
    "thought: aside": (_message(content=None, reasoning_content=GOOD), "unparsed"),
    "thought: aside, too": (_message(reasoning=BAD), "same"),
    "thought: a part": (
        _message(content=[{"type": "reasoning", "text": BAD}, {"type": "text", "text": GOOD}]),
        "same",
    ),
    # Verdicts.
    "verdict: null": (_text('{"1": true, "2": null}'), "cell"),
    "verdict: -1": (_text('{"1": true, "2": -1}'), "cell"),
    "verdict: words": (_text('{"1": true, "2": "unclear"}'), "cell"),
    "verdict: a list": (_text('{"1": true, "2": [false]}'), "same"),
    "verdict: a mark": (_text("\ufeff" + GOOD), "same"),
    "verdict: one missing": (_text('{"1": true}'), "unparsed"),
    "verdict: from zero": (_text('{"0": true, "1": false}'), "unparsed"),
    "verdict: nested": (_text(f'{{"verdicts": {GOOD}}}'), "same"),
    "verdict: twice": (_text(GOOD + BAD), "unparsed"),
    "verdict: an error in words": (_text("Error: upstream request timeout"), "unparsed"),
    # Refusals of a request that was accepted before.
    "403": (_error("403 Forbidden", "Forbidden"), "error"),
    "403 flagged": (_error("403 Forbidden", "Your input was flagged"), "refused"),
    "403 about a field": (_error("403 Forbidden", "response_format is not allowed"), "error"),
    "404 about parameters": (_error("404 No", "no endpoint takes these parameters"), "error"),
    "400 about a policy": (_error("400 Bad", "usage policy violation"), "refused"),
}


@pytest.fixture(scope="module")
def server():
    found = FaultServer()
    yield found
    found.close()


def judge(base_url: str, cache: AnswerCache, *, warm=None) -> list[str]:
    """The statuses of two facts, of which the page states the first."""
    model = OpenAIModel("m", base_url=base_url, timeout=2, retries=1, backoff=0.001)
    client = ChatClient(model, cache=cache)
    client._able = Capabilities("json_schema")
    page = Entity("e", "Ann Moor", (Document("Ann Moor", "Ann Moor was born in Leeds."),))
    verifier = LLMVerifier(client)

    async def work():
        try:
            if warm is not None:  # so that the key has been accepted
                client.transport._accepted = True
            facts = [Fact("Ann Moor was born in Leeds."), Fact("She taught seven pupils.")]
            about = Biography("b", "Ann Moor", "Ann Moor was born in Leeds.")
            return [v.status for v in await verifier.verify(about, facts, page)]
        finally:
            await client.aclose()

    return asyncio.run(work())


def test_there_are_as_many_kinds_as_were_written():
    assert len(ODD) >= 40


@pytest.mark.parametrize("name", sorted(ODD))
def test_an_odd_answer_is_read_rightly_or_not_at_all(server, tmp_path, name):
    fault, right = ODD[name]
    cache = AnswerCache(tmp_path / "c.sqlite")
    server.set(fault)
    found = judge(server.base_url, cache, warm=True)
    clean = ["supported", "not_supported"]
    wanted = {"same": clean, "cell": ["supported", "unparsed"]}.get(right, [right] * 2)
    assert server.faults
    assert found == wanted
    server.set(None)
    assert judge(server.base_url, cache) == clean
    cache.close()


def test_a_key_that_never_worked_stops_all(server, tmp_path):
    server.set(ODD["403"][0])
    cache = AnswerCache(tmp_path / "c.sqlite")
    with pytest.raises(ModelError, match="it wants a key, and none is set"):
        judge(server.base_url, cache)
    cache.close()


def test_the_good_answer_is_the_one_that_the_kinds_repeat(server, tmp_path):
    server.set(None)
    cache = AnswerCache(tmp_path / "c.sqlite")
    assert judge(server.base_url, cache) == ["supported", "not_supported"]
    (kept,) = cache.records()
    assert json.loads(kept["answer"]) == json.loads(GOOD)
    cache.close()
