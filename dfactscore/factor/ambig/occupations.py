"""Whether another's role may be the target's as well: its field, its gender, how many have it."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from itertools import pairwise

__all__ = ["ANYONE", "fields_of", "fits_gender", "gender_of", "is_telling"]

_HE, _SHE = re.compile(r"\b(?:he|him|his)\b", re.I), re.compile(r"\b(?:she|her|hers)\b", re.I)
_FEMALE = frozenset(
    (
        "abbess actress authoress baroness countess duchess empress goddess governess heiress "
        "hostess huntress mistress nun poetess priestess princess queen seamstress songstress "
        "stewardess ballerina diva"
    ).split()
)
_MALE = frozenset("abbot baron duke emperor king monk playboy prince priest steward waiter".split())

# What people of many occupations are as well; the second only where nothing stands before it.
ANYONE = frozenset(
    (
        "alumna alumnus celebrity character citizen expert fellow fellow-student finalist freshman "
        "graduate immigrant laureate major medalist medallist nominee official participant "
        "personality professional recipient representative resident sophomore specialist star "
        "student survivor veteran volunteer winner"
    ).split()
)
_MANY = frozenset(
    (
        "activist advocate artist athlete author businessman businessperson businesswoman "
        "chairman chairwoman co-founder coach commentator consultant director editor entrepreneur "
        "executive founder lecturer manager officer owner performer player president professor "
        "soldier speaker statesman teacher writer"
    ).split()
)
# Roles that one person often has together, whichever of them a page names.
_FIELDS = {
    field: frozenset(words.split())
    for field, words in {
        "stage": "actor actress anchor announcer broadcaster comedian comedienne commentator "
        "director dramatist entertainer filmmaker host performer playwright presenter "
        "producer screenwriter",
        "music": "arranger bandleader baritone bassist cellist composer conductor drummer "
        "guitarist instrumentalist keyboardist lyricist multi-instrumentalist musician "
        "organist pianist rapper saxophonist singer singer-songwriter songwriter soprano tenor "
        "trombonist trumpeter violinist vocalist",
        "letters": "author biographer columnist correspondent critic dramatist essayist historian "
        "journalist memoirist novelist playwright poet publisher reporter satirist "
        "screenwriter translator writer",
        "politics": "activist ambassador campaigner congressman congresswoman councillor councilor "
        "diplomat governor lawmaker legislator mayor minister nationalist parliamentarian "
        "politician reformer revolutionary senator socialist statesman stateswoman "
        "suffragette unionist",
        "law": "attorney barrister judge jurist justice lawyer magistrate prosecutor solicitor",
        "church": "archbishop bishop cardinal clergyman deacon evangelist friar missionary monk "
        "pastor preacher prelate priest rector theologian vicar",
        "science": "academic astronomer biologist botanist chemist economist engineer geologist "
        "inventor linguist mathematician naturalist philosopher physicist psychologist "
        "researcher scholar scientist sociologist statistician zoologist",
        "medicine": "dentist doctor nurse pharmacist physician psychiatrist surgeon",
        "arms": "admiral brigadier captain colonel commander general lieutenant officer sergeant "
        "soldier",
        "trade": "banker businessman businessperson businesswoman entrepreneur executive financier "
        "industrialist investor magnate merchant tycoon",
        "art": "architect artist cartoonist designer draftsman draughtsman engraver "
        "illustrator painter photographer printmaker sculptor",
        "travel": "adventurer cartographer explorer map-maker mountaineer navigator surveyor",
        "football": "defender footballer forward fullback goalkeeper midfielder striker winger",
        "gridiron": "cornerback kicker linebacker lineman punter quarterback receiver",
        "baseball": "catcher infielder outfielder pitcher shortstop",
        "cricket": "all-rounder batsman bowler cricketer wicket-keeper wicketkeeper",
        "athletics": "athlete hurdler jumper runner sprinter thrower",
    }.items()
}
# Of these the word before says in what.
_OF_A_GAME = frozenset("coach captain manager official player referee scout umpire".split())


def fields_of(text: str) -> set[str]:
    """The fields of the roles that a text names: a page of an author may not say "novelist".

    Example:
        >>> sorted(fields_of("an American singer, actor and former basketball player"))
        ['basketball', 'music', 'stage']
    """
    words = [word.casefold() for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text)]
    found = {field for field, roles in _FIELDS.items() if not roles.isdisjoint(words)}
    for before, word in pairwise(words):
        if word in _OF_A_GAME:
            found.add(before)
            # "football" is more than one game: whichever is meant, its people are near each other.
            found |= {"football": {"gridiron"}, "soccer": {"football"}}.get(before, set())
    return found


def is_telling(role: str) -> bool:
    """Whether a role that a page does not mention is hardly its person's, too.

    Example:
        >>> is_telling("medallist"), is_telling("businessman"), is_telling("film director")
        (False, False, True)
    """
    words = [word.casefold() for word in role.split()]
    return words[-1] not in ANYONE and not (len(words) == 1 and words[0] in _MANY)


def gender_of(text: str) -> str:
    """``"he"`` or ``"she"``, by the pronouns of a page that most often stand there; else empty."""
    he, she = len(_HE.findall(text)), len(_SHE.findall(text))
    return "" if he == she else "he" if he > she else "she"


def fits_gender(role: str, gender: str) -> bool:
    """Whether a role can be said of a person.

    Example:
        >>> fits_gender("actress", "he"), fits_gender("film actor", "she"), fits_gender("king", "")
        (False, True, True)
    """
    last = role.split()[-1].casefold()
    female = last in _FEMALE or last.endswith("woman")
    male = last in _MALE or (last.endswith("man") and not female)
    return not ((female and gender == "he") or (male and gender == "she"))
