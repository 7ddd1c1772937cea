"""Splits pages into sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.sentences import sentence_spans


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("J. F. Smith was born in St. Ives. He died in 1918.", 2),
        ("Dr. Who met Lt. Col. Jones. They left.", 2),
        ("He lives in the U.S. Army base. Really!", 2),
        ("One line\nanother line", 2),
        ("No end", 1),
        ("He won (twice.) He lost.", 2),
        ("", 0),
        (" \n ", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert len(sentence_spans(text)) == count


@given(st.text())
def test_sentence_spans_lie_in_order_and_hold_all_words(text: str) -> None:
    spans = sentence_spans(text)
    end = 0
    for start, stop in spans:
        assert end <= start < stop <= len(text)
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    cuts = [0, *(place for span in spans for place in span), len(text)]
    between = "".join(text[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True))
    assert not between.strip()
