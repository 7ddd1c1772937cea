"""Servers that give log-probabilities of their prompt, and servers that only seem to."""

from __future__ import annotations

import asyncio
import math

import pytest
from toy_server import Toy, logprob, serve, split

from dfactscore._asking.session import LLMSession
from dfactscore._errors import InputError
from dfactscore.likelihood import CompletionsModel, LikelihoodSettings, open_likelihood

CONTEXT = "Ida Moor, a painter from Ribe, was born in"
ENDS = [" Oslo in 1950.", " Rome in the old town", "to a family"]


def ask(address, context, continuations, *, cache=False, **settings):
    session = LLMSession(cache=cache)
    chosen = LikelihoodSettings(base_url=address, model="toy", retries=0, backoff=0.01, **settings)

    async def run():
        model = await open_likelihood(chosen, session)
        try:
            return model, await model.score(context, continuations)
        finally:
            await model.aclose()

    try:
        return asyncio.run(run())
    finally:
        session.close()


def expected(context, continuation, *, bos=False, limit=10_000):
    tokens = [*(["<s>"] if bos else []), *split(context + continuation)]
    own = len(split(context + continuation)) - sum(
        1 for i in range(len(split(context + continuation)))
        if len("".join(split(context + continuation)[: i + 1])) <= len(context)
    )  # fmt: skip
    tokens = tokens[max(0, len(tokens) - limit) :]
    return [logprob(tokens[:i], tokens[i]) for i in range(len(tokens) - own, len(tokens))]


@pytest.mark.parametrize("offsets", [True, False])
@pytest.mark.parametrize("bos", [True, False])
@pytest.mark.parametrize("mode", ["echo", "vllm"])
def test_both_shapes(mode, bos, offsets):
    toy = Toy(mode, bos=bos, offsets=offsets)
    with serve(toy) as address:
        model, found = ask(address, CONTEXT, ENDS)
    assert isinstance(model, CompletionsModel)
    assert model.style == ("echo" if mode == "echo" else "prompt_logprobs")
    for one, text in zip(found, ENDS, strict=True):
        assert one.logprobs == pytest.approx(expected(CONTEXT, text, bos=bos))
        assert (one.characters, one.bytes, one.error) == (len(text), len(text.encode()), "")
    assert toy.paid <= 3 + len(ENDS)


@pytest.mark.parametrize("mode", ["echo", "vllm"])
def test_no_context(mode):
    for bos in (False, True):
        toy = Toy(mode, bos=bos)
        with serve(toy) as address:
            _, (one,) = ask(address, "", ["Ida Moor"])
        tokens = split("Ida Moor")
        assert len(one.logprobs) == (len(tokens) if bos else len(tokens) - 1)
        assert one.characters == (len("Ida Moor") if bos else len("Ida Moor") - len(tokens[0]))


def test_a_long_context_is_cut_at_a_token():
    toy = Toy("echo")
    with serve(toy) as address:
        _, (one,) = ask(address, CONTEXT * 8, [" Oslo"], context_tokens=12)
        assert one.dropped == len(split(CONTEXT * 8 + " Oslo")) - 12
        assert one.logprobs == pytest.approx(expected(CONTEXT * 8, " Oslo", limit=12))
        _, (one,) = ask(address, "x", [" Oslo" * 40], context_tokens=12)
    assert "does not fit" in one.error
    assert math.isnan(one.logprob)


@pytest.mark.parametrize(
    ("mode", "seen"),
    [("ignores", "leaves out"), ("shifted", "shifts them by one"), ("chat", "only chats")],
)
def test_refused_within_three_requests(mode, seen, tmp_path):
    toy = Toy(mode)
    cache = tmp_path / "c.sqlite"
    with serve(toy) as address:
        with pytest.raises(InputError, match=seen) as error:
            ask(address, CONTEXT, ENDS, cache=cache)
        assert len(toy.requests) <= 3
        assert "--hf" in str(error.value)
        assert "--gguf" in str(error.value)
        assert "\n" not in str(error.value)
        # Failures are tried again: the server may have been fixed.
        toy.mode = "echo"
        ask(address, CONTEXT, ENDS, cache=cache)


def test_bos_is_asked_for_and_checked():
    toy = Toy("echo", bos=False)
    with serve(toy) as address:
        _, found = ask(address, CONTEXT, ENDS[:1], bos="yes")
        assert found[0].logprobs == pytest.approx(expected(CONTEXT, ENDS[0], bos=True))
    assert all(
        body["add_special_tokens"] is True for path, body in toy.requests if "completions" in path
    )


def test_a_second_run_pays_nothing(tmp_path):
    toy = Toy("echo")
    cache = tmp_path / "c.sqlite"
    with serve(toy) as address:
        _, first = ask(address, CONTEXT, ENDS, cache=cache)
        paid = toy.paid
        _, second = ask(address, CONTEXT, ENDS, cache=cache)
        assert (second, toy.paid) == (first, paid)
        ask(address, CONTEXT, ENDS, cache=cache, context_tokens=64)
        assert toy.paid == paid + len(ENDS)


def test_the_only_model_needs_no_name():
    toy = Toy("echo")
    with serve(toy) as address:
        session = LLMSession(cache=False)
        model = asyncio.run(open_likelihood(LikelihoodSettings(base_url=address), session))
    assert model.settings["model"] == "toy"
