"""Reads descriptions of a person: "the Swedish curler", "is a poet", "born in 1950"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.group.cues import GENERIC, SOURCES, Traits, View
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
# "was born in Ohio in 1950"; years after "and moved", "the son of" or "(" are other dates
_BIRTH = re.compile(
    r"born\b(?:(?!\band (?-i:[a-z])|, (?:the|an?|his|her) |\b(?:who|whose|where|when)\b|"
    r"[;:]|(?<!born )\().)*",
    re.IGNORECASE | re.DOTALL,
)


def epithet_in(view: View, reach: Range) -> frozenset[str]:
    """Returns the words that identify the person: "the Swedish curler", "(judge)", "musician"."""
    a, b = reach
    bracket = view.low(a - 1) == "("
    if view.low(a) in {"a", "an"} and not bracket:
        return frozenset()
    a += view.low(a) in {"the", "a", "an"}
    ends = PREPOSITIONS | {"who", ",", ":", "born"}
    stop = next((k for k in range(a, b) if view.low(k) in ends), b)
    tokens = view.tokens[a:stop]
    office = stop < b and view.low(stop) == "of"
    if not 0 < len(tokens) <= 4 or office or not all(t.word for t in tokens):
        return frozenset()
    head = tokens[-1].low
    plain = bracket and head not in _ASIDES and view.low(stop) in {"", ")"}
    plain = plain and all(t.text.isalpha() and not t.capital for t in tokens)  # "(capoeirista)"
    if not plain and (head in RELATIVES or not (is_role(head) or head in PEOPLE)):
        return frozenset()
    return frozenset(t.low for t in tokens) - PEOPLE


def born_in(view: View) -> Life:
    """Reads the birth in "was born in 1950", "is a poet born in 1950" or "Born in 1950, she"."""
    start, end = view.clause.verb, view.clause.end
    lead = view.clause.lead
    if lead[1] > lead[0] and view.low(lead[0]) == "born":
        return life_years(view.words(lead))._replace(died=None)
    if view.low(start) not in {"is", "was"}:
        return NO_LIFE
    at = next((k for k in range(start + 1, end) if view.low(k) in _BEHIND_ROLE), end)
    at += 2 * (view.low(at) == "who" and view.low(at + 1) == "was")
    born = _BIRTH.match(view.words((at, end)))
    return life_years(born.group())._replace(died=None) if born else NO_LIFE


def _from_other_source(view: View) -> bool:
    """Whether a clause reports what another source says: "In another document, ..."."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]+", view.before.lower())}
    return bool(SOURCES & words) and OTHER_SOURCE.search(view.before) is not None


def characterizes(view: View) -> bool:
    """Whether the predicate says what the person is: "is an American powerlifter"."""
    articles = {"a", "an"} | ({"the"} if view.opens and view.line.kind == "item" else set())
    at = view.clause.verb
    if _from_other_source(view) and view.low(at + 1) in _SO_SAID and view.low(at + 2) == "as":
        at += 2  # "In another document, X is described as a poet"
    return view.low(view.clause.verb) in {"is", "was"} and view.low(at + 1) in articles


def copular(view: View, *, definite: bool = False) -> Traits:
    """Returns the roles and nationalities in a predicate such as "is a Polish poet"."""
    start, end = view.clause.verb, view.clause.end
    place = start
    while view.low(place) in COPULAS | _BEFORE_ROLE or view.low(place).endswith("ly"):
        place += 1
    article = view.low(place) in ARTICLES or (definite and view.low(place) == "the")
    if not article or not view.lows((start, place)) & COPULAS:
        return Traits()
    stops = (
        i for i in range(place + 1, end) if view.low(i) in _BEHIND_ROLE or view.tokens[i].depth
    )
    stop = next(stops, end)
    if (view.low(place), stop) == ("one", place + 1):
        return Traits()
    roles, origins = says_who(view, (place, stop))
    roles |= {
        t.low for t in view.tokens[place:stop] if is_role(t.low)
    } - GENERIC  # "a Bishop of Lindsey"
    if view.low(stop) in {"of", "for"}:
        roles -= _STANCES  # "an advocate of reform" is not a lawyer
    return Traits(roles, origins)


def says_who(view: View, reach: Range) -> Traits:
    """Returns roles and nationalities; any noun after a nationality is a role: "a Cuban rebel"."""
    traits = view.traits(reach)
    if (
        traits.roles
        or not traits.origins
        or view.low(reach[0]) not in ARTICLES | {"the"} | traits.origins
    ):
        return traits
    stop = next((k for k in range(*reach) if view.low(k) in _BEHIND_ROLE), reach[1])
    head = view.tokens[stop - 1]
    noun = head.word and head.text.isalpha() and not head.capital and head.low not in GENERIC
    return Traits(frozenset({head.low}), traits.origins) if noun else traits


def describes(view: View, reach: Range) -> bool:
    """Whether a span describes a person ("the ethnographer", "a Norwegian tenor")."""
    low = view.low(reach[0]) if reach[1] > reach[0] else ""
    opens = low in DETERMINERS or is_demonym(low) or is_role(low)
    return opens and any(is_role(low) or low in PEOPLE for low in view.lows(reach))
