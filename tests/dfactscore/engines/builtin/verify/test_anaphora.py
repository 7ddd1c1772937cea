"""References to places and years are resolved."""

from __future__ import annotations

import pytest

from dfactscore.engines._builtin.verify.anaphora import Memory
from dfactscore.engines._builtin.verify.positions import read_words


def recalled(*sentences: str) -> list[str]:
    memory = Memory()
    found: list[str] = []
    for sentence in sentences:
        found = [word[1] for word in memory.recall(read_words(sentence))]
    return found


@pytest.mark.parametrize(
    ("before", "sentence", "added"),
    [
        ("She moved to Leeds in 1931.", "There she opened a shop.", ["leeds"]),
        ("She moved to New York in 1931.", "There, she opened a shop.", ["new", "york"]),
        ("She moved to Leeds in 1931.", "There were riots.", []),
        ("She studied at the Open University.", "She knew no one there.", []),
        ("She moved to Leeds in 1931.", "She married that year.", ["1931"]),
        ("She moved to Leeds in 1931.", "The following year she married.", ["1932"]),
        ("She moved to Leeds in 1931.", "She married three years later.", ["1934"]),
        ("She moved to Leeds in 1931.", "A year later she married.", ["1932"]),
        ("She moved to Leeds.", "A year later she married.", []),
        ("She moved to Leeds in 1931.", "Some years later she married.", []),
        ("She moved to Leeds in 1931.", "She married last year.", []),
    ],
)
def test_what_is_meant_is_added(before: str, sentence: str, added: list[str]) -> None:
    plain = [word[1] for word in read_words(sentence)]
    found = recalled(before, sentence)
    assert [word for word in found if word not in plain] == added
    assert [word for word in found if word in plain] == plain


def test_years_add_up_within_a_sentence() -> None:
    found = recalled("He came in 1900, left two years later and died three years later.")
    assert [word for word in found if word.isdecimal()] == ["1900", "1902", "1905"]


def test_a_person_or_an_event_is_no_place() -> None:
    assert recalled("He went from Leeds to Arthur Lamb.", "There he lived.")[1] == "leeds"
