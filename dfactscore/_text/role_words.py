"""Roles and nationalities of people, and which of them go together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from dfactscore._text.word_files import word_groups, word_lists

_LISTS = word_lists(__package__, "role_words.txt")
FAMILIES = word_groups(__package__, "role_families.txt")
_ROLE_SUFFIXES = ("ist", "ician", "ologist", "ographer", "woman", "man", "smith", "keeper")
_PREFIXES = ("post-", "pre-", "non-", "anti-", "pro-")  # "post-revolutionary Cuba"
# The more general term fits, too: an English singer is a British singer.
_UNIONS = {
    "british": frozenset({"english", "scottish", "welsh", "irish"}),
    "soviet": frozenset({"russian", "ukrainian", "georgian", "armenian", "latvian", "lithuanian"}),
    "yugoslav": frozenset({"serbian", "croatian", "bosnian", "slovenian", "macedonian"}),
    "czechoslovak": frozenset({"czech", "slovak"}),
}

DEMONYMS = frozenset(_LISTS["demonyms"].split())

ROLES = frozenset(_LISTS["roles"].split())
_KNOWN = ROLES | frozenset(_LISTS["rare_roles"].split())
_SMALL = frozenset(_LISTS["small_roles"].split())
NOT_ROLES = frozenset(_LISTS["not_roles"].split())


@lru_cache(maxsize=20000)
def is_role(word: str) -> bool:
    """Whether a word names what a person is or does ("poet", "chairwoman")."""
    low = word.lower().removesuffix("'s").removesuffix("’s")
    if low in NOT_ROLES or low.startswith(_PREFIXES):
        return False
    if low in _KNOWN or low.rsplit("-", 1)[-1] in _KNOWN or word in _SMALL:
        return True
    return len(low) > 5 and low.endswith(_ROLE_SUFFIXES)


@lru_cache(maxsize=20000)
def is_demonym(word: str) -> bool:
    """Whether a word names a nationality or a pair of them ("Irish-American")."""
    low = word.lower()
    if low.isalpha():
        return low in DEMONYMS
    return all(part in DEMONYMS for part in low.replace("–", "-").split("-"))


def _with_parts(roles: Iterable[str]) -> frozenset[str]:
    """Adds the parts of compound roles: a singer-songwriter is a singer and a songwriter."""
    return frozenset(part for role in roles for part in (role, *role.split("-")))


def go_together(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a role in one description can apply to the person the other describes.

    Example:
        >>> go_together({"footballer"}, {"midfielder"}), go_together({"poet"}, {"boxer"})
        (True, False)
    """
    mine, theirs = _with_parts(some), _with_parts(others)
    if mine & theirs:
        return True
    families = [
        {number for role in roles for number in FAMILIES.get(role, ())} for roles in (mine, theirs)
    ]
    return bool(families[0] & families[1])


def nations_differ(some: Collection[str], others: Collection[str]) -> bool:
    """Whether two descriptions give nationalities that one person would not have.

    Example:
        >>> nations_differ({"english"}, {"british"}), nations_differ({"english"}, {"welsh"})
        (False, True)
    """
    if not some or not others or set(some) & set(others):
        return False
    both = {*some, *others}
    return not any(union in both and both <= {union, *parts} for union, parts in _UNIONS.items())
