"""Chunks of whole sentences with a maximum number of tokens."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.sentences import split_sentences
from dfactscore.engines._nli.entailment_model import chunk_spans


def words(texts):
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def with_breaks(texts):
    """A vocabulary with one token per line break, such as byte-level ones."""
    return [n + text.count("\n") for n, text in zip(words(texts), texts, strict=True)]


PAGE = " ".join(f"Sentence number {i} says that Ann Lee rowed in {1900 + i}." for i in range(60))


def test_chunks_are_whole_sentences_and_as_many_as_fit():
    spans = chunk_spans(PAGE, 50, words)
    sentences = split_sentences(PAGE)
    starts, ends = [s.start for s in sentences], [s.end for s in sentences]
    assert all(a in starts and b in ends for a, b in spans)
    sizes = words([PAGE[a:b] for a, b in spans])
    assert max(sizes) <= 50
    for (start, _), (after, _) in pairwise(spans):
        one_more = ends[starts.index(after)]
        assert words([PAGE[start:one_more]])[0] > 50


def test_a_short_text_is_one_chunk_as_it_stands():
    assert chunk_spans("  Ann rowed.\nBo swam. ", 50, words) == [(2, 21)]
    assert chunk_spans("", 50, words) == []
    assert chunk_spans(" \n ", 50, words) == []


def test_a_long_sentence_is_cut_between_words():
    text = "Ann rowed. " + "and she rowed " * 30 + "home. Bo swam."
    spans = chunk_spans(text, 10, words)
    assert max(words([text[a:b] for a, b in spans])) <= 10
    assert "".join(text.split()) == "".join("".join(text[a:b].split()) for a, b in spans)
    assert all(not text[b : b + 1].strip() for _, b in spans)
    letters = chunk_spans("x" * 95, 10, lambda texts: [len(t) for t in texts])
    assert [b - a for a, b in letters] == [10] * 9 + [5]


@given(
    st.lists(
        st.text("ab.\n 1。é\u2028", max_size=40) | st.just("One two three. Four five! "),
        max_size=12,
    ).map("".join),
    st.integers(1, 12),
)
def test_every_character_lies_in_one_chunk(text, limit):
    for count in (words, with_breaks):
        spans = chunk_spans(text, limit, count)
        assert spans == sorted(spans)
        assert all(a < b for a, b in spans)
        assert all(b <= c for (_, b), (c, _) in pairwise(spans))
        inside = "".join(text[a:b] for a, b in spans)
        assert "".join(inside.split()) == "".join(text.split())
        assert all(
            n <= limit or b - a == 1 for (a, b), n in
            zip(spans, count([text[a:b] for a, b in spans]), strict=True)
        )  # fmt: skip
