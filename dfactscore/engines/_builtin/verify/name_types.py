"""Types of names (school, war, person, place) and of words (role, relative)."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from dfactscore._text.names import SHORT_FORMS
from dfactscore._text.role_words import FAMILIES, ROLES
from dfactscore.engines._builtin.verify.event_classes import event_class_of

# a name's type is the largest among its words; the last three are for other words
(
    UNKNOWN, PLACE, PERSON, WAR, CONTEST, PRIZE, ORGANIZATION, PUBLIC, CULTURE, MEDIA,
    CHURCH, COMPANY, MILITARY, CLUB, SCHOOL, ROLE, RELATIVE, EVENT_WORD,
) = range(18)  # fmt: skip
COARSE = (0, 1, 2, *[3] * 3, *[4] * 9, 5, 6, 7)  # unknown, place, person, event, organization, …
_WORDS = {
    SCHOOL: "university college school academy institute institution conservatory conservatoire "
    "polytechnic seminary gymnasium lyceum universities",
    CLUB: "club fc f.c afc sc united city town rovers wanderers rangers athletic albion county "
    "hotspur team squad",
    MILITARY: "army navy corps regiment brigade battalion squadron division marines militia guard "
    "force fleet infantry cavalry artillery",
    COMPANY: "company corporation corp inc ltd limited gmbh bros brothers enterprises industries "
    "motors bank holdings partners railway airlines brewery group",
    CHURCH: "church cathedral abbey parish diocese temple synagogue monastery",
    MEDIA: "times post herald gazette tribune journal press magazine news review publishers "
    "publishing books records studios studio pictures films television radio network bbc nbc cbs "
    "abc entertainment",
    CULTURE: "museum gallery library archive observatory laboratory laboratories hospital clinic "
    "orchestra philharmonic symphony band ensemble quartet choir opera ballet theatre theater",
    PUBLIC: "party ministry department bureau office agency authority council senate house "
    "parliament congress assembly commission committee board court tribunal service police",
    ORGANIZATION: "association society union federation confederation foundation trust league "
    "alliance order international center centre fund project organization organisation",
    PRIZE: "medal prize award awards grammy emmy oscar fellowship scholarship",
    CONTEST: "olympics olympic games championship championships cup trophy tournament masters open "
    "prix marathon race derby bowl series finals final",
    WAR: "war wars battle siege campaign rebellion revolution uprising mutiny expedition crusade "
    "festival exhibition fair biennale conference convention treaty election elections referendum "
    "coronation jubilee inquiry trial",
}
_TYPES = {word: kind for kind, line in _WORDS.items() for word in line.split()}
_PERSONS = frozenset(name for name in SHORT_FORMS if len(name) > 2) | frozenset(
    "mr mrs ms dr sir lord lady king queen prince princess pope saint st".split()
)


_ROLES = ROLES | frozenset(FAMILIES)
_RELATIVES = frozenset(
    "father mother brother sister son daughter wife husband uncle aunt nephew niece cousin "
    "grandfather grandmother grandson granddaughter widow stepson".split()
)


def word_type(form: str, key: str) -> int:
    """Returns the type of a lower-case word: a relative, a role, an event or unknown.

    >>> word_type("cricketer", "cricketer") == ROLE, word_type("green", "green") == UNKNOWN
    (True, True)
    """
    if form in _RELATIVES:
        return RELATIVE
    if form in _ROLES:
        return ROLE
    return EVENT_WORD if event_class_of(key) else UNKNOWN


def type_hint(form: str) -> int:
    """Returns the type that a word in a name (in lower case) implies for the name.

    >>> type_hint("university") == SCHOOL, type_hint("leeds") == UNKNOWN
    (True, True)
    """
    return _TYPES.get(form) or (PERSON if form in _PERSONS else UNKNOWN)
