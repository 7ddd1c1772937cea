"""Excludes places and organizations that may also be true of the target."""

from __future__ import annotations

import re

from dfactscore._text.names import name_words
from dfactscore.factor._ambig.values import content_words
from dfactscore.factor._words import groups, words

_AMERICAN = words("american_states")
_STATES = words("american_states", "other_states")
_LANDS = words("lands")
#: Parts of cities that texts mention without naming the city.
_PARTS = groups("parts_of_cities")
_COUNTIES = words("counties")
_UNIONS = words("unions")
_COUNTY = re.compile(
    r"\b(?:County|Province|Prefecture|Island|Islands|Region|District|Parish|shire)\b"
)
_SHIRE = re.compile(r"\w{3}shire$")
# Organizations found in many places, whose names alone do not identify one.
_BODY = re.compile(
    r"(?:House of (?:Representatives|Assembly|Commons|Lords|Delegates|Burgesses)"
    r"|(?:State |National |Provincial |General |Legislative )*(?:Senate|Assembly|Legislature|"
    r"Parliament|Congress|Council)|(?:City|County|Town|Borough|Parish|Privy|Executive) Council"
    r"|(?:Royal )?(?:Navy|Army|Air Force|Marine Corps|Marines|Coast Guard|National Guard|Air Corps)"
    r"|(?:Prime |Deputy |First )*Minister(?: (?:of|for) (?:the )?[A-Z]\w+)*"
    r"|(?:Attorney|Solicitor|Governor|Postmaster)[- ]General|Secretary of [A-Z]\w+|Cabinet"
    r"|(?:General )?Post Office|(?:Supreme|High|Appeal) Court|Bar|Bench|Church|Board|Committee)"
)
_NAME = re.compile(r"\b[A-Z][\w'’-]+")


def may_hold(first: str, second: str) -> bool:
    """Whether either of two places may contain the other, judging by their names.

    Example:
        >>> may_hold("in London", "in Westminster"), may_hold("in Milton", "in Massachusetts")
        (True, True)
        >>> may_hold("in London", "in Rome"), may_hold("in Milton, Ohio", "in Utah")
        (False, False)
    """
    a, b = _levels(first), _levels(second)
    if content_words(first) <= content_words(second) or content_words(second) <= content_words(
        first
    ):
        return True
    for one, other in ((a, b), (b, a)):
        for container in one:
            if set(other) & set(_PARTS.get(container, ())):
                return True
    for ranks in (_LANDS, _STATES):
        own, its = (next((p for p in places if p in ranks), None) for places in (a, b))
        if own and its and own != its and {own, its}.isdisjoint(_UNIONS):
            return False
    return any(_is_wide(place) for place in (a[0], b[0]))


def _levels(place: str) -> list[str]:
    """The parts of a place name, from smallest to largest, spelled as in the word lists."""
    parts = [re.sub(r"^(?:in|at) (?:the )?", "", part.strip()) for part in place.split(",")]
    return [re.sub(r"[\s.]+", "_", part.casefold()) for part in parts if part] or [""]


def _is_wide(place: str) -> bool:
    spaced = place.replace("_", " ").title()
    return (
        place in _LANDS or place in _STATES or bool(_COUNTY.search(spaced) or _SHIRE.search(place))
    )


def rank_of(place: str) -> str:
    """The type of a place, judging by its name: a country, a state, a county, or empty.

    Example:
        >>> rank_of("Ohio"), rank_of("Brazil"), rank_of("Kent"), rank_of("North Yorkshire")
        ('american state', 'land', 'county', 'county')
    """
    key = _levels(place)[0]
    if key in _LANDS:
        return "land"
    if key in _STATES:
        return "american state" if key in _AMERICAN else "state"
    return "county" if key in _COUNTIES or _is_wide(key) else ""


def names_one(sentence: str, name: str) -> bool:
    """Whether a sentence identifies an organization, by a year or by a specific name.

    Example:
        >>> names_one("Ann Lee sat in the House of Representatives.", "Ann Lee")
        False
        >>> names_one("Ann Lee sat on Leeds City Council.", "Ann Lee")
        True
        >>> names_one("In 1987 Ann Lee entered the House of Assembly.", "Ann Lee")
        True
    """
    if re.search(r"\d{3,4}", sentence):
        return True
    before, _, after = sentence.replace(name, "{}").partition("{}")
    specific = _BODY.sub("", after)
    words = {word.casefold() for word in _NAME.findall(f"{before[1:]} {specific}")}
    return bool(words - set(name_words(name)))
