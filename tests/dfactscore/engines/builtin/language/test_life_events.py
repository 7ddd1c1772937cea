"""Births and deaths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines._builtin.language.life_dates import life_terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Lee (1744–1826) was a poet.", {"b:1744", "d:1826"}),
        ("Ann Lee (25 July 1808 – 5 November 1870)", {"b:1808", "d:1870", "b:month7", "d:month11"}),
        ("Ann Lee (born September 1, 1943)", {"b:1943", "b:month9", "b:1"}),
        ("Ann Lee's birth year was 1808.", {"b:1808"}),
        ("She died on 3 August 1949 in Leeds.", {"d:3", "d:month8", "d:1949", "d:leed"}),
        ("Lee passed away in 1992.", {"d:1992"}),
        ("She was born in 1744 and died in 1826.", {"b:1744", "d:1826"}),
        ("Lee was born in 1872 and passed away in 1949.", {"b:1872", "d:1949"}),
        ("Lee, born in 1872, was executed in 1901.", {"b:1872", "d:1901"}),
        ("A swimmer.", set()),
    ],
)
def test_life_terms(text: str, expected: set[str]) -> None:
    found = life_terms(text)
    assert expected <= found
    years = {term for term in found if len(term) == 6 and term[2:].isdigit()}
    assert years == {term for term in expected if len(term) == 6 and term[2:].isdigit()}


def test_a_death_is_not_a_birth() -> None:
    assert not life_terms("Ann was born in 1744.") & life_terms("Ann died in 1744.")


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert all(term[:2] in ("b:", "d:") for term in life_terms(f"born {text} (1900–{text})"))
