"""Word lists of FACTOR items, stored as data."""

from __future__ import annotations

from collections.abc import Mapping

from dfactscore._text.word_files import word_lists


def words(*names: str) -> frozenset[str]:
    """The words of some lists in ``words.txt``.

    Example:
        >>> "ohio" in words("american_states", "other_states")
        True
    """
    return frozenset(word for name in names for word in _list(name).split())


def groups(name: str) -> Mapping[str, tuple[str, ...]]:
    """The lines of a list by their first word.

    Example:
        >>> groups("fields")["law"][:2]
        ('attorney', 'barrister')
    """
    lines = (line.partition(":") for line in _list(name).strip().splitlines())
    return {group: tuple(members.split()) for group, _, members in lines}


def pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a list.

    Example:
        >>> pairs("contrary_verbs")[0]
        ('won', 'lost')
    """
    lines = (line.partition(" = ") for line in _list(name).strip().splitlines())
    return tuple((words, other) for words, _, other in lines)


def _list(name: str) -> str:
    return word_lists("dfactscore.factor")[name]
