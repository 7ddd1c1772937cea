"""Removes citation marks, and keeps their numbers and positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers.shown_text import strip_citations

CASES = [
    ("He was born in 1936[1] and died [2].", "He was born in 1936 and died.", [(1,), (2,)]),
    ("ran.[4] He left", "ran. He left", [(4,)]),
    ("ran.[4]He left", "ran. He left", [(4,)]),
    ("Word[1]word", "Word word", [(1,)]),
    ("In [1936] he ran", "In [1936] he ran", []),
    ("x [1,2] y [1-3], z [Document 4].", "x y, z.", [(1, 2), (1, 2, 3), (4,)]),
    ("[1] He", "He", [(1,)]),
    ("a [0] b [9]", "a b", [(0,), (9,)]),
    ("a[1]\n\nb", "a\n\nb", [(1,)]),
    ("end [1]", "end", [(1,)]),
    ("a (b [1]) c", "a (b) c", [(1,)]),
    ("said [1] , and", "said, and", [(1,)]),
    ('one [1] "two"', 'one "two"', [(1,)]),
    ('"one"[1][2]. Two', '"one". Two', [(1, 2)]),
    ("a [1][2], [3] b", "a b", [(1, 2, 3)]),
    ("a [999-1] b", "a b", [(999, 1)]),
    ("in 2006, batting .193", "in 2006, batting .193", []),
    ("", "", []),
    ("He died (3). She sang (1)(2), and left", "He died. She sang, and left", [(3,), (1, 2)]),
    ("He swam (1, 2).\n(3) He", "He swam.\n(3) He", [(1, 2)]),
    ("(1) a coach; (2) a swimmer", "(1) a coach; (2) a swimmer", []),
    ("Born (1936), he won three (3) medals (12).",) * 2 + ([],),
    ("Wow [1] (2).", "Wow (2).", [(1,)]),
    ("x [1], [2], and [3].", "x.", [(1, 2, 3)]),
    ("x [1]-[3], y [1] & [2].", "x, y.", [(1, 2, 3), (1, 2)]),
    ("x[^1], y [Source: 2].", "x, y.", [(1,), (2,)]),
    ("x [Doc 1, Doc 2], y[1, Document 3].", "x, y.", [(1, 2), (1, 3)]),
    ("x【1†source】, y 【4:0†L1-L9】.", "x, y.", [(1,), (4,)]),
    ("He swam ([1]). She sang ( [1], [2] ), too.", "He swam. She sang, too.", [(1,), (1, 2)]),
    ("He swam [1][1], [2, 2].", "He swam.", [(1, 1, 2, 2)]),
    ("He swam [1] and coached [2].", "He swam and coached.", [(1,), (2,)]),
]


@pytest.mark.parametrize(("raw", "text", "numbers"), CASES)
def test_cases(raw, text, numbers):
    stripped, found = strip_citations(raw)
    assert stripped == text
    assert [c.numbers for c in found] == numbers


@given(st.text(alphabet="ab .[]1,-\n", max_size=60))
def test_places_and_words(raw):
    text, found = strip_citations(raw)
    assert all(0 <= c.position <= len(text) for c in found)
    assert [c.position for c in found] == sorted(c.position for c in found)
    letters = [c for c in raw if c in "ab."]
    assert [c for c in text if c in "ab."] == letters
    assert strip_citations(text.replace("[", "").replace("]", ""))[1] == ()


@pytest.mark.parametrize(
    "raw", ["a" + " " * 300_000 + "b", "[1" + "\n" * 300_000, "[1]" + " " * 300_000 + "x"]
)
def test_long_white_space_does_not_hang(raw):
    assert strip_citations(raw)[0].endswith(raw[-1])  # minutes where the time is quadratic
