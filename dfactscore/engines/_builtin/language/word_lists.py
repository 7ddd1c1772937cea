"""Word lists stored as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dfactscore._text.word_files import word_groups, word_lists


def words_in_order(name: str) -> list[str]:
    """Returns the words of a list in ``words.txt`` in the order in which they are written."""
    return word_lists(__package__)[name].split()


@lru_cache
def word_list(name: str) -> frozenset[str]:
    """Returns the words of a list in ``words.txt``.

    Example:
        >>> "cricketer" in word_list("roles")
        True
    """
    return frozenset(words_in_order(name))


def word_pairs(name: str) -> Mapping[str, str]:
    """Returns the pairs in a list from ``words.txt`` whose entries are written as ``one:other``."""
    pairs = (pair.partition(":") for pair in word_list(name))
    return {one: other for one, _, other in pairs}


def word_heads(*names: str) -> Mapping[str, str]:
    """Returns the first word of its line for each other word of some lists.

    If a word is in several lines, the first of them counts.

    Example:
        >>> word_heads("irregular")["sung"]
        'sing'
    """
    heads: dict[str, str] = {}
    for name in names:
        for line in word_lists(__package__)[name].splitlines():
            head, *words = line.split() or [""]
            for word in words:
                heads.setdefault(word, head)
    return heads


FAMILIES = word_groups(__package__, "role_families.txt")
