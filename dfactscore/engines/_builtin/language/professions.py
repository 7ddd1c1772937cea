"""Roles that one person can hold at the same time."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dfactscore.engines._builtin.language.word_lists import FAMILIES

# The more general term fits, too: an English singer is a British singer.
_UNIONS = {
    "british": frozenset({"english", "scottish", "welsh", "irish"}),
    "soviet": frozenset({"russian", "ukrainian", "georgian", "armenian", "latvian", "lithuanian"}),
    "yugoslav": frozenset({"serbian", "croatian", "bosnian", "slovenian", "macedonian"}),
    "czechoslovak": frozenset({"czech", "slovak"}),
}


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
