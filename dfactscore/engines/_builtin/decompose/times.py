"""Predicates over tokens: times, years and counts."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import MONTHS, PREPOSITIONS
from dfactscore.engines._builtin.language.word_lists import word_list

NUMBERS = frozenset(
    {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "several", "twice"}
)
ORDINALS = tuple(f"{n}{end}" for n in range(10) for end in ("st", "nd", "rd", "th"))
PHRASE_OPENERS = PREPOSITIONS - {"of"}
TIMES = word_list("times")


def is_time(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a span expresses a time: a year, a month, "at the age of ten", "during the war"."""
    return any(
        is_year_word(t.text)
        or (t.low in MONTHS and t.capital and (not tokens[k - 1].capital or k == 0))
        or (t.low in TIMES and (not t.capital or t.low == "war"))
        for k, t in enumerate(tokens[a:b], a)
    )


def opens_time(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether the phrase opened by the preposition at `k` expresses a time."""
    near = range(k + 1, min(b, k + 8))
    stop = next((i for i in near if tokens[i].low in PHRASE_OPENERS), near.stop)
    return is_time(tokens, k, stop)


def is_year_word(text: str) -> bool:
    """Whether a word is a year or a decade: "1990", "1990s"."""
    digits = text.rstrip("s")
    return digits.isdecimal() and len(digits) in {3, 4}


def counts(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a span begins with a count, which would not be true of each of several places."""
    return any(
        t.low in NUMBERS - {"several"} or (t.text.isdecimal() and not is_year_word(t.text))
        for t in tokens[a : min(b, a + 4)]
    )
