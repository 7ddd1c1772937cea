"""Recognizes titles of passages that are not names."""

from __future__ import annotations

import pytest

from dfactscore._evidence.titles import names_no_one


@pytest.mark.parametrize(
    "title",
    ["", "chunk 0", "Document 12", "passage-3", "a/b/lee.pdf", "lee.txt", "https://a.org/Ann_Lee",
     "0", "17", "9f86d081884c7d65", "3d6f1c0e-8a55-4b62-9f0e-2d1c3b4a5f6e", "doc_12", "None",
     "untitled", "C:\\texts\\lee.docx", "page 3 of 9", "bio.pdf#page=2", "---"],
)  # fmt: skip
def test_titles_that_name_no_one(title):
    assert names_no_one(title)


@pytest.mark.parametrize(
    "title",
    ["Ann Lee", "Ann Lee (painter)", "1996", "List of poets", "2006 FIFA World Cup", "U2",
     "Page Hill",
     "Context Jones", "Apollo 11", "Chunky Pandey", "Elizabeth II", "Malcolm X", "Text"],
)  # fmt: skip
def test_titles_that_name(title):
    assert names_no_one(title) == (title == "Text")
