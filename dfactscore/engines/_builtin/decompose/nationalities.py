"""Nationalities in descriptions of people: "a South Korean diplomat"."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS, is_demonym, is_role
from dfactscore.engines._builtin.language.word_lists import word_list

# "American football player", "English literature scholar": describes the noun, not the person
_OF_COUNTRIES = word_list("of_countries")
_GAMES = frozenset((of, "football") for of in ("american", "australian", "canadian"))
_NAME_OPENERS = frozenset({"south", "north", "east", "west", "northern", "new"})
_FAITHS = frozenset({"roman", "catholic", "jewish", "byzantine", "ottoman"})
_NOT_ROLES = word_list("not_roles")
_AGENTS = ("er", "or", "ist", "ian", "eer", "ant")


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
    agent = len(word) > 5 and word.endswith(_AGENTS) and word not in _NOT_ROLES
    return agent or is_role(word)
