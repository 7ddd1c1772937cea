"""Passages completed to whole sentences."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._asking.search import open_search
from dfactscore._asking.search.results import whole_sentences
from dfactscore._asking.search.wiki import _best
from dfactscore.retrieval import Page, Passage, build_index, split_pages
from dfactscore.retrieval._documents import split_text

WORDS = st.lists(st.sampled_from(["Ann", "swam", "home.", "in", "Leeds.", "1901"]), max_size=12)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (("He ran. He was", "born in York. He", "died. He won."), "He was born in York. He died."),
        (("He swam.", "He was born.", "He died."), "He was born."),
        (("", "born in Leeds. He", ""), "born in Leeds. He"),
        (("He was", "born", "in Leeds."), "He was born in Leeds."),
        # A list without an end is not a sentence that anyone misses.
        (("word " * 90, "born in Leeds.", "He died."), "born in Leeds."),
    ],
)  # fmt: skip
def test_rests_of_the_first_and_the_last_sentence(parts, whole):
    assert whole_sentences(*parts) == whole


@given(WORDS, WORDS, WORDS)
def test_the_passage_stands_in_it_and_nothing_else_than_its_neighbors(before, own, after):
    parts = [" ".join(words) for words in (before, own, after)]
    found = whole_sentences(*parts)
    assert parts[1] in found
    assert found in " ".join(filter(None, parts)) or not parts[1]


def search(folder, query, k=1):
    return asyncio.run(open_search(f"index:{folder}").search(query, k))


TEXT = (
    "Ann Lee swam. " * 30 + "In the year 1901 she was born in Leeds to two bakers. " + "So. " * 99
)


def test_an_index_completes_from_the_same_page_only(tmp_path):
    parts = split_text(TEXT)
    assert parts[0].endswith("born in Leeds to")
    build_index(
        split_pages([Page("Bo", TEXT), Page("Cy", "Cy is a cook of bakers.")]), tmp_path / "i"
    )
    (found,) = search(tmp_path / "i", "the year")
    assert found.text.endswith("In the year 1901 she was born in Leeds to two bakers.")
    (last,) = search(tmp_path / "i", "cook")
    assert last.text == "Cy is a cook of bakers."


def test_passages_that_are_no_neighbors_stay_as_they_are(tmp_path):
    parts = split_text(TEXT)
    build_index([Passage("Bo", parts[0], "7"), Passage("Bo", parts[1], "9")], tmp_path / "i")
    (found,) = search(tmp_path / "i", "the year")
    assert found.text == parts[0]


def test_a_wiki_completes_as_an_index_does(tmp_path):
    build_index(split_pages([Page("Bo", TEXT)]), tmp_path / "i")
    found = _best("the year", {"Bo": Page("Bo", TEXT)}, 3)
    titled = asyncio.run(
        open_search(f"index:{tmp_path / 'i'}").search_titles("the year", ["Bo"], 3)
    )
    assert [r.text for r in found] == [r.text for r in titled]
    assert found[0].text.endswith("to two bakers.")
