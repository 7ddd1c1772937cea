"""What a name seems to be of: an organization, an event, a person, a place."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from dfactscore.engines.builtin.language.word_lists import GIVEN_NAMES

__all__ = ["EVENT", "ORGANIZATION", "PERSON", "PLACE", "UNKNOWN", "type_hint"]

UNKNOWN, PLACE, PERSON, EVENT, ORGANIZATION = range(5)  # of several words the largest counts

_ORGANIZATIONS = frozenset(
    """
    university college school academy institute institution conservatory polytechnic seminary
    club fc f.c afc united city town rovers wanderers rangers athletic albion county hotspur
    company corporation corp inc ltd limited gmbh bros brothers enterprises industries motors
    bank holdings partners railway airlines brewery
    party army navy corps regiment brigade battalion squadron division marines militia
    museum gallery library archive observatory laboratory laboratories hospital clinic
    church cathedral abbey parish diocese ministry department bureau office agency authority
    orchestra philharmonic symphony band ensemble quartet choir opera ballet theatre theater
    association council senate house parliament congress assembly society academy commission
    committee board union federation confederation foundation trust league alliance order
    times post herald gazette tribune journal press magazine news review publishers publishing
    books records studios studio pictures films television radio network bbc nbc cbs abc
    court tribunal service guard force police team squad group international
    """.split()
)
_EVENTS = frozenset(
    """
    war wars battle siege campaign rebellion revolution uprising mutiny expedition crusade
    olympics olympic games championship championships cup trophy tournament masters open prix
    marathon race derby bowl series finals final medal prize award awards grammy emmy oscar
    fellowship scholarship festival exhibition fair biennale conference convention treaty
    election elections referendum coronation jubilee inquiry trial
    """.split()
)
_PERSONS = frozenset(name for name in GIVEN_NAMES if len(name) > 2) | frozenset(
    "mr mrs ms dr sir lord lady king queen prince princess pope saint st".split()
)


def type_hint(form: str) -> int:
    """Returns what a word of a name, in lower case, says about the name.

    >>> type_hint("university") == ORGANIZATION, type_hint("leeds") == UNKNOWN
    (True, True)
    """
    if form in _ORGANIZATIONS:
        return ORGANIZATION
    if form in _EVENTS:
        return EVENT
    return PERSON if form in _PERSONS else UNKNOWN
