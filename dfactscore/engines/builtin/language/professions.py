"""Which descriptions can be of one person: roles that go together."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore.engines.builtin.language.word_lists import FAMILIES

__all__ = ["go_together"]


def _with_parts(roles: Iterable[str]) -> frozenset[str]:
    """A singer-songwriter is a singer and a songwriter."""
    return frozenset(part for role in roles for part in (role, *role.split("-")))


def go_together(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a role of one description can be said of the person that the other describes.

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
