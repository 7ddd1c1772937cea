"""Word lists for FACTOR items, stored as data."""

from __future__ import annotations

from collections.abc import Mapping

from dfactscore._text.word_files import word_lists


def words(*names: str) -> frozenset[str]:
    """Returns the words in some of the lists in ``words.txt``.

    Example:
        >>> "ohio" in words("american_states", "other_states")
        True
    """
    return frozenset(word for name in names for word in _list(name).split())


def groups(name: str) -> Mapping[str, tuple[str, ...]]:
    """Returns the lines of a list, keyed by their first word.

    Example:
        >>> groups("fields")["law"][:2]
        ('attorney', 'barrister')
    """
    lines = (line.partition(":") for line in _list(name).strip().splitlines())
    return {group: tuple(members.split()) for group, _, members in lines}


def pairs(name: str) -> tuple[tuple[str, str], ...]:
    """Returns the pairs in a list.

    Example:
        >>> pairs("contrary_verbs")[0]
        ('won', 'lost')
    """
    lines = (line.partition(" = ") for line in _list(name).strip().splitlines())
    return tuple((words, other) for words, _, other in lines)


def _list(name: str) -> str:
    return word_lists("dfactscore.factor")[name]
