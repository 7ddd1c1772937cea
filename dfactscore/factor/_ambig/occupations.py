"""Excludes namesakes' occupations that may also be true of the target."""

from __future__ import annotations

import re
from itertools import pairwise

from dfactscore.factor._words import groups, words

_HE, _SHE = re.compile(r"\b(?:he|him|his)\b", re.I), re.compile(r"\b(?:she|her|hers)\b", re.I)
_FEMALE, _MALE = words("roles_of_women"), words("roles_of_men")
# Common second occupations; those in `_MANY` only if no word precedes them.
ANYONE, _MANY = words("roles_of_anyone"), words("roles_of_many")
# Roles in one field, several of which are often held by the same person.
_FIELDS = {field: frozenset(roles) for field, roles in groups("fields").items()}
# Roles whose field is the preceding word.
_OF_A_GAME = words("roles_of_a_game")


def fields_of(text: str) -> set[str]:
    """The fields of the roles mentioned in a text.

    Example:
        >>> sorted(fields_of("an American singer, actor and former basketball player"))
        ['basketball', 'music', 'stage']
    """
    words = [word.casefold() for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text)]
    fields = {field for field, roles in _FIELDS.items() if not roles.isdisjoint(words)}
    for previous, word in pairwise(words):
        if word in _OF_A_GAME:
            fields.add(previous)
            # "football" means several sports, whose players are treated as one field.
            fields |= {"football": {"gridiron"}, "soccer": {"football"}}.get(previous, set())
    return fields


def is_telling(role: str) -> bool:
    """Whether a role is so specific that anyone who has it would have it mentioned on their page.

    Example:
        >>> is_telling("medallist"), is_telling("businessman"), is_telling("film director")
        (False, False, True)
    """
    words = [word.casefold() for word in role.split()]
    return words[-1] not in ANYONE and not (len(words) == 1 and words[0] in _MANY)


def gender_of(text: str) -> str:
    """``"he"`` or ``"she"``, whichever a text's pronouns favor; empty if they favor neither."""
    he, she = len(_HE.findall(text)), len(_SHE.findall(text))
    return "" if he == she else "he" if he > she else "she"


def fits_gender(role: str, gender: str) -> bool:
    """Whether a person of the given gender can have a role.

    Example:
        >>> fits_gender("actress", "he"), fits_gender("film actor", "she"), fits_gender("king", "")
        (False, True, True)
    """
    last = role.split()[-1].casefold()
    female = last in _FEMALE or last.endswith("woman")
    male = last in _MALE or (last.endswith("man") and not female)
    return not ((female and gender == "he") or (male and gender == "she"))
