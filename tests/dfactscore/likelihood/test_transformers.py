"""A forward pass: numbers against a plain one, tokens by offsets, BOS, limits, the cache."""

from __future__ import annotations

import asyncio
import math

import pytest

from dfactscore._asking.cache import AnswerCache
from dfactscore._errors import InputError
from dfactscore.likelihood import TransformersModel

CONTEXT = "Ida Moor was born in"
ENDS = [" Oslo in 1950.", " Rome, and died in the sea.", " Zoë 😀 “a book”", "to the old kings"]


def score(model, context, continuations):
    return asyncio.run(model.score(context, continuations))


def plain(folder, context, continuation, *, bos=False, limit=128):
    """The definition, one token at a time."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    text = context + continuation
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    first = next(i for i, (_, b) in enumerate(found.offset_mapping) if b > len(context))
    ids = found.input_ids
    ids = ids[max(0, len(ids) + bos - limit) :]
    own = len(found.input_ids) - first
    ids = [0, *ids] if bos else ids
    values = []
    for place in range(len(ids) - own, len(ids)):
        with torch.no_grad():
            logits = network(torch.tensor([ids[:place]])).logits[0, -1]
        values.append(torch.log_softmax(logits, -1)[ids[place]].item())
    return values


@pytest.mark.parametrize("adds_bos", [False, True])
def test_as_a_plain_forward_pass(tiny, adds_bos):
    folder = tiny(adds_bos=adds_bos)
    for bos in ("auto", "yes", "no"):
        model = TransformersModel(folder, bos=bos)
        with_bos = bos == "yes" or (bos == "auto" and adds_bos)
        for one, text in zip(score(model, CONTEXT, ENDS), ENDS, strict=True):
            expected = plain(folder, CONTEXT, text, bos=with_bos)
            assert one.logprobs == pytest.approx(expected, abs=2e-4)
            assert one.logprob == pytest.approx(math.fsum(one.logprobs))
            assert (one.characters, one.bytes) == (len(text), len(text.encode()))
            assert one.dropped == 0
            assert not one.error
            assert one.tokens[-1].endswith(text[-1])


def test_a_token_that_holds_both(tiny):
    """Tokens are those of the whole text; encoded alone the continuation has others."""
    model = TransformersModel(tiny())
    (one,) = score(model, "He was the fir", ["st of the kings"])
    assert one.tokens[0] == "rs"
    assert one.characters == len("st of the kings")


def test_long_contexts_lose_their_oldest_tokens(tiny):
    model = TransformersModel(tiny(), context_tokens=24)
    context = "He was the first of the kings of Denmark. " * 4 + CONTEXT
    for one, text in zip(score(model, context, ENDS), ENDS, strict=True):
        assert one.dropped > 0
        assert one.logprobs == pytest.approx(plain(tiny(), context, text, limit=24), abs=2e-4)
    (one,) = score(model, "He", [" was the first of the kings of Denmark" * 9])
    assert "does not fit" in one.error
    assert math.isnan(one.logprob)


def test_the_models_own_limit_counts(tiny):
    model = TransformersModel(tiny(), context_tokens=5000)
    (one,) = score(model, "Oslo " * 400, [" in Rome."])
    assert one.dropped > 0
    assert not one.error


def test_no_context(tiny):
    with_bos, without = (TransformersModel(tiny(), bos=bos) for bos in ("yes", "no"))
    (whole,) = score(with_bos, "", ["Ida Moor was"])
    (rest,) = score(without, "", ["Ida Moor was"])
    assert len(whole.tokens) == len(rest.tokens) + 1
    assert rest.logprobs == pytest.approx(plain(tiny(), whole.tokens[0], "".join(rest.tokens)),
                                          abs=2e-4)  # fmt: skip
    assert rest.characters == len("Ida Moor was") - len(whole.tokens[0])
    (none,) = score(without, "", ["a"])
    assert none.error


def test_the_cache_answers_again(tiny, tmp_path, monkeypatch):
    cache = AnswerCache(tmp_path / "c.sqlite")
    first = score(TransformersModel(tiny(), cache=cache), CONTEXT, ENDS)
    model = TransformersModel(tiny(), cache=cache)
    monkeypatch.setattr(model, "_score", None)  # nothing is computed
    assert score(model, CONTEXT, ENDS) == first
    other = TransformersModel(tiny(), cache=cache, context_tokens=64)
    monkeypatch.setattr(other, "_score", None)
    with pytest.raises(TypeError):
        score(other, CONTEXT, ENDS)


def test_what_is_no_model(tmp_path):
    with pytest.raises(InputError, match=r"--hf .*no such folder"):
        TransformersModel(tmp_path / "none")
    with pytest.raises(InputError, match="no such file"):
        TransformersModel(tmp_path / "none.gguf")
    (tmp_path / "a.bin").write_bytes(b"x")
    with pytest.raises(InputError, match=r"not a \.gguf file"):
        TransformersModel(tmp_path / "a.bin")


def test_what_was_read_before_changes_no_bit(tiny):
    """Contexts that begin alike, longer than a block, in any order: the numbers of each alone."""
    page = "He was the first of the kings of Denmark, and died in the sea. " * 4
    contexts = [page + CONTEXT, page * 2 + CONTEXT, "Oslo. " + page, page, CONTEXT, page + "He"]
    alone = [score(TransformersModel(tiny()), context, ENDS) for context in contexts]
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 1, 0, 0, 4], [1, 5, 0, 2, 0, 1]):
        model = TransformersModel(tiny())
        for number in order:
            assert score(model, contexts[number], ENDS) == alone[number]
    expected = plain(tiny(), contexts[0], ENDS[0], limit=512)
    assert alone[0][0].logprobs == pytest.approx(expected, abs=2e-4)


def test_what_a_page_begins_with_is_read_once(tiny, monkeypatch):
    from dfactscore.likelihood._transformers_engine import PrefixStates

    read = []
    before = PrefixStates._pass

    def count(self, ids, states):
        read.append(len(ids))
        return before(self, ids, states)

    monkeypatch.setattr(PrefixStates, "_pass", count)
    model = TransformersModel(tiny())
    page = "He was the first of the kings of Denmark, and died in the sea. " * 4
    score(model, page + CONTEXT, ENDS)
    first = sum(read)
    read.clear()
    score(model, page + "Ida Moor died in", ENDS)
    assert sum(read) <= 64 < first
