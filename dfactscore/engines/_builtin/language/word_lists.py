"""Word lists stored as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dfactscore._text.word_files import word_groups, word_lists


@lru_cache
def word_list(name: str) -> frozenset[str]:
    """Returns the words of a list in ``words.txt``.

    Example:
        >>> "cricketer" in word_list("roles")
        True
    """
    return frozenset(word_lists(__package__)[name].split())


def word_pairs(name: str) -> Mapping[str, str]:
    """Returns the pairs in a list from ``words.txt`` whose entries are written as ``one:other``."""
    pairs = (pair.partition(":") for pair in word_list(name))
    return {one: other for one, _, other in pairs}


FAMILIES = word_groups(__package__, "role_families.txt")
