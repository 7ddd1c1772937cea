"""Forced decoding with a real model: over HTTP, in this process, against a forward pass."""

from __future__ import annotations

import asyncio

import pytest

from dfactscore._asking.session import LLMSession
from dfactscore.likelihood import ForcedModel, LikelihoodSettings, open_likelihood
from dfactscore.likelihood._forced import _byte_ends, _whole

CONTEXT = "Abraham Lincoln was the 16th president of the"
ENDS = [" United States.", " Soviet Union.", " banana, 😀 and of “東京”."]


def ask(context, continuations, **settings):
    session = LLMSession(cache=False)

    async def run():
        model = await open_likelihood(LikelihoodSettings(threads=1, **settings), session)
        try:
            return model, await model.score(context, continuations), await model.spans(context)
        finally:
            await model.aclose()

    return (*asyncio.run(run()), session.usage)


def test_bytes_of_tokens_give_their_places():
    text = "Zoë 😀".encode()
    assert _byte_ends(
        [(1, b"Zo"), (2, "ë".encode()), (3, b" \xf0\x9f\x98"), (4, b"\x80")], text
    ) == [2, 4, 8, 9]
    assert _byte_ends([(1, b" Zo"), (2, "ë 😀".encode())], text) == [2, 9]
    assert _byte_ends([(1, b"Zo")], text) is None
    assert _byte_ends([(1, None)], text) is None
    assert not _whole(b"\x80")
    assert _whole(b" a")


@pytest.mark.slow
@pytest.mark.parametrize("place", ["server", "process"])
def test_a_real_model_as_by_a_forward_pass(place, gguf, request):
    pytest.importorskip("gguf")
    pytest.importorskip("accelerate")
    about = {"gguf": gguf}
    if place == "server":
        about = {"base_url": request.getfixturevalue("llama_server")}
    model, forced, spans, usage = ask(CONTEXT, ENDS, **about)
    _, passed, spans_too, _ = ask(CONTEXT, ENDS, hf=str(gguf))
    assert isinstance(model, ForcedModel)
    for one, other in zip(forced, passed, strict=True):
        assert not one.error
        assert len(one.tokens) == len(other.tokens)
        assert (one.characters, one.bytes, one.alone) == (
            other.characters, other.bytes, other.alone,
        )  # fmt: skip
        assert one.logprob / len(one.tokens) == pytest.approx(
            other.logprob / len(other.tokens), abs=0.1
        )
    assert forced[0].logprob > forced[1].logprob
    assert list(spans) == list(spans_too)
    # One request a continuation, one more for each token that is part of a character.
    parts = usage.tallies[("likelihood", model.client.model.model)].calls
    assert usage.tallies[("probe", model.client.model.model)].calls == 2
    assert parts >= 3
    plain, _, _, more = ask(CONTEXT, ENDS[:2], **about)
    assert more.tallies[("likelihood", plain.client.model.model)].calls == 2
