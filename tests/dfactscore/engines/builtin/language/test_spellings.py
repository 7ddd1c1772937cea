"""Spellings of one name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines._builtin.language.tokens import resembles


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("akhtar", "akhter"),
        ("hussain", "husain"),
        ("rowland", "rowlands"),
        ("johnston", "johnstone"),
        ("nikolai", "nikolay"),
        ("j", "john"),
        ("rob", "robert"),
    ],
)
def test_spellings_of_one_name_resemble_each_other(name: str, other: str) -> None:
    assert resembles(name, ["lee", other])
    assert resembles(other, [name])


@pytest.mark.parametrize(
    ("name", "other"), [("john", "james"), ("ann", "lee"), ("bob", "rob"), ("mark", "moses")]
)
def test_different_names_do_not(name: str, other: str) -> None:
    assert not resembles(name, [other])


def test_without_names_nothing_resembles() -> None:
    assert not resembles("john", [])


@given(st.text(min_size=1, max_size=12))
def test_every_name_resembles_itself(name: str) -> None:
    assert resembles(name, [name])
