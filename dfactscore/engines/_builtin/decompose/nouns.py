"""Nouns and the words that modify them: "several musical films"."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS, is_adjective_ed
from dfactscore.engines._builtin.language.word_lists import word_list

_MODIFIERS = word_list("modifiers")
_ENDINGS = (
    "ical", "onal", "ural", "ial", "ual", "tic", "mic", "ive", "ous", "ful", "ary", "ish", "able",
    "ible", "less", "ern", "vidual", "cal", "-paid", "-selling", "-ed",
)  # fmt: skip


def is_modifier(word: str) -> bool:
    """Whether a word modifies a following noun: "musical", "aggressive", "film"."""
    ending = len(word) > 4 and word.endswith(_ENDINGS)
    return ending or word in _MODIFIERS or is_adjective_ed(word)


def is_plural(token: Token) -> bool:
    """Whether a noun is plural."""
    return token.low.endswith("s") or token.low in {"people", "children", "men", "women"}


def opens_phrase(token: Token) -> bool:
    """Whether a token begins a phrase of its own."""
    return token.low in PREPOSITIONS or token.low.endswith("ing")


def head_of(tokens: Sequence[Token], x: int, y: int) -> Token:
    """Returns the head noun of a span: the last word before any preposition."""
    end = next((k for k in range(x + 1, y) if tokens[k].low in PREPOSITIONS), y)
    return next((t for t in reversed(tokens[x:end]) if t.word), tokens[x])
