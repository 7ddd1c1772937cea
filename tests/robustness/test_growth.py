"""Scoring takes as much longer as a text, a page, a name or a context is longer.

Operations are counted, not seconds: twice the size may take 2.6 times as many.
"""

from __future__ import annotations

import pytest
from growth import PATTERNS, PLACES, growth, operations

MOST = 2.6
SIZE = 3000  # characters; more than the words that are read together


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("in years and", "sentence"),
        ("to and from", "sentence"),
        ("she sang and", "sentences"),
        ("the name and", "context"),
        ("other names", "page of sentences"),
    ],
)
def test_work_grows_as_the_text_does(pattern, place):
    assert growth(pattern, place, SIZE // 2 if place == "sentences" else SIZE) < MOST


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_work_grows_as_the_text_does_in_every_place(place):
    # Each place takes every sixth pattern, beginning with another one.
    first = list(PLACES).index(place) % 6
    found = {pattern: growth(pattern, place, SIZE) for pattern in list(PATTERNS)[first::6]}
    assert {pattern: round(value, 2) for pattern, value in found.items() if value >= MOST} == {}


def test_quadratic_work_is_seen():
    def pairs(count):
        from dfactscore._util.numbers import mean

        return [mean([]) for _ in range(count) for _ in range(count)]

    few, many = (operations(lambda n=n: pairs(n)) for n in (20, 40))
    assert many > 3.5 * few > 0
