"""Every citation belongs to exactly one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers.shown_text import strip_citations
from dfactscore.citations import cited_sentences

CASES = {
    "Al swam [1]. He won [2][3].": [("Al swam.", (1,)), ("He won.", (2, 3))],
    "Al swam.[1] He won. [2]": [("Al swam.", (1,)), ("He won.", (2,))],
    "Al swam.\n[1] He won.": [("Al swam.", ()), ("He won.", (1,))],
    "[4] Al swam. He won.": [("Al swam.", (4,)), ("He won.", ())],
    "Al [1] swam [2] and won [1].": [("Al swam and won.", (1, 2, 1))],
    "J. F. Smith Jr. was born in St. Louis [1-3]. He won.": [
        ("J. F. Smith Jr. was born in St. Louis.", (1, 2, 3)),
        ("He won.", ()),
    ],
    "- Al swam [0]\n- Al won [9]": [("- Al swam", (0,)), ("- Al won", (9,))],
    '"Wow." [1]': [('"Wow."', (1,))],
    "...": [],
    "": [],
}


@pytest.mark.parametrize("raw", CASES)
def test_cases(raw):
    found = cited_sentences(*strip_citations(raw))
    assert [(s.text, s.citations) for s in found] == CASES[raw]


@given(st.text(alphabet='ab .\n[]12"', max_size=60))
def test_nothing_is_lost(raw):
    text, citations = strip_citations(raw)
    found = cited_sentences(text, citations)
    cited = sorted(n for c in citations for n in c.numbers)
    if found:
        assert sorted(n for s in found for n in s.citations) == cited
    assert all(text[slice(*s.span)] == s.text for s in found)
    assert sum(c.isalnum() for c in text) == sum(c.isalnum() for s in found for c in s.text)
