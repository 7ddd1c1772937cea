"""Reads the titles of passages."""

from __future__ import annotations

import pytest

from dfactscore._evidence.asked_name import asked_name
from dfactscore._evidence.title_forms import names_no_one, title_form


@pytest.mark.parametrize(
    "title",
    ["", "chunk 0", "Document 12", "passage-3", "a/b/lee.pdf", "lee.txt", "https://a.org/Ann_Lee",
     "0", "17", "9f86d081884c7d65", "3d6f1c0e-8a55-4b62-9f0e-2d1c3b4a5f6e", "doc_12", "None",
     "untitled", "C:\\texts\\lee.docx", "page 3 of 9", "bio.pdf#page=2", "---",
     "Our team", "Press releases", "Annual report 2019", "Board of directors"],
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


@pytest.mark.parametrize(
    ("title", "form", "qualifier"),
    [
        ("Ned Polling (painter)", "qualified", "painter"),
        ("Ned Polling, painter", "qualified", "painter"),
        ("Ned Polling Jr.", "qualified", "jr"),
        ("Ned Polling of Elm", "qualified", "of elm"),
        ("Ned Polling", "bare", ""),
        ("Sir Ned Polling", "bare", ""),
        ("Polling, Ned", "bare", ""),
        ("Ned A. Polling", "bare", ""),
        ("Ned_Polling", "bare", ""),
        ("Ned Polling - Wikipedia", "dressed", ""),
        ("Ned Polling | Profile", "dressed", ""),
        ("Who is Ned Polling?", "dressed", ""),
        ("Interview with Ned Polling", "dressed", ""),
        ("Ned Brandt", "other", ""),
        ("Elm", "other", ""),
        ("About us", "none", ""),
        ("chunk 3", "none", ""),
    ],
)
def test_a_title_is_read_as_evidence(title, form, qualifier):
    assert title_form(title, asked_name("Ned Polling")) == (form, qualifier)
