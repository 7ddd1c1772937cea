from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.retrieval._documents import Page, split_pages, split_text


@pytest.mark.parametrize(
    ("words", "lengths"),
    [(0, []), (1, [1]), (99, [99]), (100, [100]), (101, [100, 1]), (200, [100, 100]),
     (250, [100, 100, 50])],
)  # fmt: skip
def test_passages_have_exactly_a_hundred_words(words, lengths):
    text = "  ".join(f"w{n}\n" for n in range(words))
    assert [len(part.split()) for part in split_text(text)] == lengths
    wrapped = split_text(text, tail="wrap")
    assert [len(part.split()) for part in wrapped] == [100] * len(lengths)


def test_wrapping_fills_up_from_the_start_again_and_again():
    assert split_text("a b c", words=7, tail="wrap") == ["a b c a b c a"]
    assert split_text("a b c d", words=3, tail="wrap") == ["a b c", "d a b"]


@pytest.mark.parametrize(
    ("words", "lengths"),
    [(0, []), (9, [9]), (100, [100]), (109, [109]), (149, [149]), (150, [100, 50]),
     (209, [100, 109]), (260, [100, 100, 60])],
)  # fmt: skip
def test_a_short_rest_joins_the_passage_before(words, lengths):
    text = " ".join(f"w{n}" for n in range(words))
    parts = split_text(text, tail="join")
    assert [len(part.split()) for part in parts] == lengths
    assert " ".join(parts) == text


def test_every_passage_has_its_title_and_a_running_number():
    pages = [Page("A (x)", "one two three"), Page("B", " \n "), Page("A (x)", "four")]
    got = [(p.id, p.title, p.text) for p in split_pages(pages, words=2, start=7)]
    assert got == [("7", "A (x)", "one two"), ("8", "A (x)", "three"), ("9", "A (x)", "four")]


@given(st.text(), st.integers(1, 9))
def test_no_word_is_lost_or_moved(text, words):
    assert " ".join(split_text(text, words=words)).split() == text.split()


def test_words_must_be_positive():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        split_text("a", words=0)
