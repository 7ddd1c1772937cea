"""Tokenizing evidence and fact separately gives the tokens of the whole question."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import tiny_models as tiny  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from tokenizers import (  # noqa: E402
    ByteLevelBPETokenizer,
    Tokenizer,
    models,
    pre_tokenizers,
    processors,
    trainers,
)

from dfactscore._errors import InputError  # noqa: E402
from dfactscore.engines._nli.entailment_model import RowEncoder  # noqa: E402
from dfactscore.engines._nli.forms import question  # noqa: E402

CORPUS = ["Al swam in Lund.", "premise: Bo won. hypothesis: He won.", "predict: 1936–1970"] * 9
TEXTS = st.lists(
    st.sampled_from(["Al ", "swam", " in", "Lund. ", "won", "\n", "-", "1", "é", "“", " ", "</s>"])
    | st.text(max_size=5),
    max_size=8,
).map("".join)


def byte_level():
    """A vocabulary like RoBERTa's: pieces of bytes, words with the space before them."""
    made = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made.train_from_iterator(CORPUS, vocab_size=330, special_tokens=special)
    inner = Tokenizer.from_str(made.to_str())
    inner.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )


def across_words():
    """Pieces may cross word boundaries, so that tokens cannot be joined."""
    inner = Tokenizer(models.BPE(unk_token="<unk>"))
    trainer = trainers.BpeTrainer(vocab_size=90, special_tokens=["<pad>", "</s>", "<unk>"])
    inner.train_from_iterator(["hypothesis: She hypothesis: He", ": S: H: (: é"] * 50, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )


MADE = {
    "deberta": lambda: tiny.encoder_tokenizer("deberta"),
    "roberta": lambda: tiny.encoder_tokenizer("roberta"),
    "t5": lambda: tiny.t5_tokenizer("t5"),
    "words": lambda: tiny.t5_tokenizer("words"),
    "byte-level": byte_level,
}


ASKED = [
    (kind, form)
    for kind in MADE
    for form in ("pair", "joined", "true", "minicheck-t5")
    if form != "pair" or kind not in ("t5", "words")  # whose tokenizers have no pairs
]


@pytest.mark.parametrize(("kind", "form"), ASKED)
def test_joined_is_whole(kind, form):
    tokenizer = MADE[kind]()
    encoder = RowEncoder(tokenizer, form, typed=False, name="m")
    assert encoder.joins

    @given(st.lists(st.tuples(TEXTS, TEXTS.filter(str.strip)), min_size=1, max_size=4))
    def same(pairs):
        for (chunk, fact), row in zip(pairs, encoder.encode(pairs), strict=True):
            text, pair = question(form, chunk, fact, tokenizer.eos_token)
            assert row.ids.tolist() == tokenizer(text, text_pair=pair)["input_ids"]

    same()


def test_what_cannot_be_joined_is_encoded_as_a_whole():
    tokenizer = across_words()
    encoder = RowEncoder(tokenizer, "true", typed=False, name="m")
    assert not encoder.joins
    (row,) = encoder.encode([("Al swam.", "She won.")])
    assert row.ids.tolist() == tokenizer("premise: Al swam. hypothesis: She won.")["input_ids"]


def test_segments_are_kept():
    tokenizer = tiny.encoder_tokenizer("bert")
    (row,) = RowEncoder(tokenizer, "pair", typed=True, name="m").encode(
        [("Al swam .", "Bo died .")]
    )
    assert row.types.tolist() == [0] * 5 + [1] * 4


def test_a_mark_between_is_needed():
    inner = Tokenizer(models.WordLevel({"<unk>": 0}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>")
    with pytest.raises(InputError, match="no end-of-sequence mark, which the form joined"):
        RowEncoder(tokenizer, "joined", typed=False, name="m")
