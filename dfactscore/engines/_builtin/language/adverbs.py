"""Adverbs before a verb, and years."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    ADVERBS,
    PREPOSITIONS,
    is_finite_form,
)

_LY_NOUNS = frozenset(
    {"family", "assembly", "supply", "monopoly", "anomaly", "weekly", "butterfly"}
)


def is_adverb(token: Token) -> bool:
    """Whether a word is an adverb, either a known one or judging by its ending."""
    low = token.low
    if low in ADVERBS:
        return True
    return len(low) > 5 and low.endswith("ly") and not token.capital and low not in _LY_NOUNS


def is_year(text: str) -> bool:
    """Whether a word is a four-digit year."""
    return len(text) == 4 and text.isdigit()


def skip_adverbs(tokens: Sequence[Token], i: int, end: int) -> int:
    """Returns the index of the first word at or after `i` that is not an adverb."""
    while i < end and (is_adverb(tokens[i]) or (tokens[i].low == "on" and later_on(tokens, i))):
        i += 1
    return i


def later_on(tokens: Sequence[Token], i: int) -> bool:
    """Whether "on" merely reinforces the preceding word: "later on switched", "early on in"."""
    after = tokens[i + 1].low
    reinforces = after in PREPOSITIONS or is_finite_form(after)
    return reinforces and tokens[i - 1].low in {"later", "early"}
