"""Decides whether a namesake's role could be the target's as well."""

from __future__ import annotations

import re
from itertools import pairwise

from dfactscore.factor._words import groups, words

_HE, _SHE = re.compile(r"\b(?:he|him|his)\b", re.I), re.compile(r"\b(?:she|her|hers)\b", re.I)
_FEMALE, _MALE = words("roles_of_women"), words("roles_of_men")
# Occupations that people often have as well; the second only if no word is before it.
ANYONE, _MANY = words("roles_of_anyone"), words("roles_of_many")
# Roles that one person often has together, whichever of them a page names.
_FIELDS = {field: frozenset(roles) for field, roles in groups("fields").items()}
# Of these the word before says in what.
_OF_A_GAME = words("roles_of_a_game")


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
    """Whether a role missing from the page is unlikely to be this person's.

    Example:
        >>> is_telling("medallist"), is_telling("businessman"), is_telling("film director")
        (False, False, True)
    """
    words = [word.casefold() for word in role.split()]
    return words[-1] not in ANYONE and not (len(words) == 1 and words[0] in _MANY)


def gender_of(text: str) -> str:
    """``"he"`` or ``"she"``, by the most frequent pronouns of a page; else empty."""
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
