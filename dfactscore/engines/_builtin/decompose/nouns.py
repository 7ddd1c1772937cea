"""Nouns, nationalities, numbers and times."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from dfactscore._text.role_words import NOT_ROLES, is_demonym, is_role
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    MONTHS,
    PREPOSITIONS,
    is_adjective_ed,
    word_list,
)

NUMBERS = frozenset(
    {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "several", "twice"}
)
ORDINALS = tuple(f"{n}{end}" for n in range(10) for end in ("st", "nd", "rd", "th"))
PHRASE_OPENERS = PREPOSITIONS - {"of"}
TIMES = word_list("times")
UNITS = word_list("units")
_MODIFIERS = word_list("modifiers")
_ENDINGS = (
    "ical", "onal", "ural", "ial", "ual", "tic", "mic", "ive", "ous", "ful", "ary", "ish", "able",
    "ible", "less", "ern", "vidual", "cal", "-paid", "-selling", "-ed",
)  # fmt: skip
# "American football player", "English literature scholar": describes the noun, not the person
_OF_COUNTRIES = word_list("of_countries")
_GAMES = frozenset((of, "football") for of in ("american", "australian", "canadian"))
_NAME_OPENERS = frozenset({"south", "north", "east", "west", "northern", "new"})
_FAITHS = frozenset({"roman", "catholic", "jewish", "byzantine", "ottoman"})
_AGENTS = ("er", "or", "ist", "ian", "eer", "ant")


def is_time(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a span expresses a time: a year, a month, "at the age of ten", "during the war"."""
    for k, t in enumerate(tokens[a:b], a):
        if t.text[0].isdecimal() and is_year_word(t.text):
            return True
        if t.low in TIMES and (not t.capital or t.low == "war"):
            return True
        if t.capital and t.low in MONTHS and (not tokens[k - 1].capital or k == 0):
            return True
    return False


def opens_time(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether the phrase opened by the preposition at `k` expresses a time."""
    near = range(k + 1, min(b, k + 8))
    stop = next((i for i in near if tokens[i].low in PHRASE_OPENERS), near.stop)
    return is_time(tokens, k, stop)


def is_year_word(text: str) -> bool:
    """Whether a word is a year or a decade: "1990", "1990s"."""
    digits = text.rstrip("s")
    return len(digits) in {3, 4} and digits.isdecimal()


def counts(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a span begins with a count, which would not be true of each of several places."""
    return any(
        t.low in NUMBERS - {"several"} or (t.text.isdecimal() and not is_year_word(t.text))
        for t in tokens[a : min(b, a + 4)]
    )


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


def nationalities(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the nationalities that can stand alone in "a South Korean and American poet"."""
    if tokens[a].low not in {"a", "an"} and not is_demonym(tokens[a].low):
        return []
    words = range(a, min(b - 1, a + 6))
    near = itertools.takewhile(
        lambda k: tokens[k].word and tokens[k].low not in PREPOSITIONS, words
    )
    last = next((k for k in near if is_demonym(tokens[k].low) or tokens[k].low == "zealand"), b)
    first = last - (tokens[last - 1].low in _NAME_OPENERS)
    stop = last + 1
    while is_demonym(tokens[stop].low):
        stop += 1
    nations = [(first, stop)]
    if tokens[stop].low == "and" and is_demonym(tokens[stop + 1].low):
        nations.append((stop + 1, stop + 2))
        stop += 2
    apart = tokens[last].low not in _FAITHS and (tokens[last].low, tokens[stop].low) not in _GAMES
    return nations if apart and _is_person(tokens, stop, b) else []


def _is_person(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether words after a nationality name a person: "diplomat", but not "art collector"."""
    noun = tokens[a]
    plain = noun.word and (not noun.capital or is_role(noun.low))
    person = any(may_be_role(t.low) for t in tokens[a : min(b, a + 4)])
    return plain and person and noun.low not in _OF_COUNTRIES


def may_be_role(word: str) -> bool:
    """Whether a word names what a person is or does, judging by its ending if it is not known."""
    agent = len(word) > 5 and word.endswith(_AGENTS) and word not in NOT_ROLES
    return agent or is_role(word)
