"""Descriptions in a stretch of a clause: "the Swedish curler", "is a poet", "born in 1950"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.group.cues import GENERIC, SOURCES, Said, View
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, life_years
from dfactscore.engines._builtin.language.announcements import PEOPLE
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    RELATIVE_PRONOUNS,
    RELATIVES,
    is_demonym,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

ARTICLES = frozenset({"a", "an", "another", "one"})
_ASIDES = word_list("asides")
_STANCES = word_list("stances")
_SO_SAID = frozenset({"described", "identified", "listed", "presented", "introduced", "portrayed"})
COPULAS = frozenset({"is", "was", "are", "were", "been"})
# Words between a copula and its complement: "is best known as a poet"
_BEFORE_ROLE = word_list("before_role")
_BEHIND_ROLE = RELATIVE_PRONOUNS | {"born", "for", "from", "to", "at", "in", "of", "with"}
OTHER_SOURCE = re.compile(
    r"\b(?:another|other|different|second|third|fourth|fifth|last|final|next|remaining|[2-9])\b",
    re.IGNORECASE,
)
# "was born in Ohio in 1950"; years after "and moved", "the son of" and in brackets are others
_BIRTH = re.compile(
    r"born\b(?:(?!\band (?-i:[a-z])|, (?:the|an?|his|her) |\b(?:who|whose|where|when)\b|"
    r"[;:]|(?<!born )\().)*",
    re.IGNORECASE | re.DOTALL,
)


def epithet_in(it: View, reach: Range) -> frozenset[str]:
    """The words that say which one is meant: "the Swedish curler", "(judge)", "musician"."""
    a, b = reach
    bracket = it.low(a - 1) == "("
    if it.low(a) in {"a", "an"} and not bracket:
        return frozenset()
    a += it.low(a) in {"the", "a", "an"}
    ends = PREPOSITIONS | {"who", ",", ":", "born"}
    stop = next((k for k in range(a, b) if it.low(k) in ends), b)
    tokens = it.tokens[a:stop]
    office = stop < b and it.low(stop) == "of"
    if not 0 < len(tokens) <= 4 or office or not all(t.word for t in tokens):
        return frozenset()
    head = tokens[-1].low
    plain = bracket and head not in _ASIDES and it.low(stop) in {"", ")"}
    plain = plain and all(t.text.isalpha() and not t.capital for t in tokens)  # "(capoeirista)"
    if not plain and (head in RELATIVES or not (is_role(head) or head in PEOPLE)):
        return frozenset()
    return frozenset(t.low for t in tokens) - PEOPLE


def born_in(it: View) -> Life:
    """The birth of "was born in 1950", "is a poet born in 1950" and "Born in 1950, she"."""
    start, end = it.clause.verb, it.clause.end
    lead = it.clause.lead
    if lead[1] > lead[0] and it.low(lead[0]) == "born":
        return life_years(it.words(lead))._replace(died=None)
    if it.low(start) not in {"is", "was"}:
        return NO_LIFE
    at = next((k for k in range(start + 1, end) if it.low(k) in _BEHIND_ROLE), end)
    at += 2 * (it.low(at) == "who" and it.low(at + 1) == "was")
    born = _BIRTH.match(it.words((at, end)))
    return life_years(born.group())._replace(died=None) if born else NO_LIFE


def _from_other_source(it: View) -> bool:
    """Whether a clause tells what a further source says: "In another document, ..."."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]+", it.before.lower())}
    return bool(SOURCES & words) and OTHER_SOURCE.search(it.before) is not None


def characterizes(it: View) -> bool:
    """Whether the predicate says what the person is: "is an American powerlifter"."""
    articles = {"a", "an"} | ({"the"} if it.opens and it.line.kind == "item" else set())
    at = it.clause.verb
    if _from_other_source(it) and it.low(at + 1) in _SO_SAID and it.low(at + 2) == "as":
        at += 2  # "In another document, X is described as a poet"
    return it.low(it.clause.verb) in {"is", "was"} and it.low(at + 1) in articles


def copular(it: View, *, definite: bool = False) -> Said:
    """Roles and nationalities in "is a Polish poet"."""
    start, end = it.clause.verb, it.clause.end
    k = start
    while it.low(k) in COPULAS | _BEFORE_ROLE or it.low(k).endswith("ly"):
        k += 1
    article = it.low(k) in ARTICLES or (definite and it.low(k) == "the")
    if not article or not it.lows((start, k)) & COPULAS:
        return Said()
    behind = (i for i in range(k + 1, end) if it.low(i) in _BEHIND_ROLE or it.tokens[i].depth)
    stop = next(behind, end)
    if (it.low(k), stop) == ("one", k + 1):
        return Said()
    roles, origins = says_who(it, (k, stop))
    roles |= {t.low for t in it.tokens[k:stop] if is_role(t.low)} - GENERIC  # "a Bishop of Lindsey"
    if it.low(stop) in {"of", "for"}:
        roles -= _STANCES  # "an advocate of reform" is not a lawyer
    return Said(roles, origins)


def says_who(it: View, reach: Range) -> Said:
    """Roles and nationalities; after a nationality any noun is a role: "a Cuban dissident"."""
    said = it.says(reach)
    if said.roles or not said.origins or it.low(reach[0]) not in ARTICLES | {"the"} | said.origins:
        return said
    stop = next((k for k in range(*reach) if it.low(k) in _BEHIND_ROLE), reach[1])
    head = it.tokens[stop - 1]
    noun = head.word and head.text.isalpha() and not head.capital and head.low not in GENERIC
    return Said(frozenset({head.low}), said.origins) if noun else said


def describes(it: View, reach: Range) -> bool:
    """Whether a stretch describes a person ("the ethnographer", "a Norwegian tenor")."""
    low = it.low(reach[0]) if reach[1] > reach[0] else ""
    opens = low in DETERMINERS or is_demonym(low) or is_role(low)
    return opens and any(is_role(low) or low in PEOPLE for low in it.lows(reach))
