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
_GAMES_OF = frozenset({"american", "australian", "canadian"})
_NAME_OPENERS = frozenset({"south", "north", "east", "west", "northern", "new"})
_FAITHS = frozenset({"roman", "catholic", "jewish", "byzantine", "ottoman"})
_NOT_ROLES = word_list("not_roles")
_AGENTS = ("er", "or", "ist", "ian", "eer", "ant")


def nationality(tokens: Sequence[Token], a: int, b: int) -> Range:
    """Returns the range of a nationality that can stand alone: "a South Korean diplomat"."""
    nothing = (a, a)
    if tokens[a].low not in {"a", "an"} and not is_demonym(tokens[a].low):
        return nothing
    near = itertools.takewhile(
        lambda k: tokens[k].word and tokens[k].low not in PREPOSITIONS,
        range(a, min(b - 1, a + 6)),
    )
    found = next((k for k in near if is_demonym(tokens[k].low) or tokens[k].low == "zealand"), b)
    stop = found + 1
    while is_demonym(tokens[stop].low):
        stop += 1
    if tokens[stop].low == "and" and is_demonym(tokens[stop + 1].low):
        stop += 2  # "a Soviet and Russian poet"
    noun, low = tokens[stop], tokens[found].low
    plain = noun.word and (not noun.capital or is_role(noun.low))
    modifies = noun.low in _OF_COUNTRIES or (noun.low == "football" and low in _GAMES_OF)
    person = any(may_be_role(t.low) for t in tokens[stop : min(b, stop + 4)])
    if not plain or modifies or low in _FAITHS or not person:
        return nothing
    return (found - (tokens[found - 1].low in _NAME_OPENERS), stop)


def may_be_role(word: str) -> bool:
    """Whether a word names what a person is or does, judging by its ending if it is not known."""
    agent = len(word) > 5 and word.endswith(_AGENTS) and word not in _NOT_ROLES
    return agent or is_role(word)
