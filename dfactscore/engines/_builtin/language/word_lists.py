"""Word lists, which are kept as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dfactscore._text.word_files import word_groups, word_lists


@lru_cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list of ``words.txt``.

    Example:
        >>> "cricketer" in word_list("roles")
        True
    """
    return frozenset(word_lists(__package__)[name].split())


def word_pairs(name: str) -> Mapping[str, str]:
    """The pairs of a list of ``words.txt`` that is written as ``one:other``."""
    pairs = (pair.partition(":") for pair in word_list(name))
    return {one: other for one, _, other in pairs}


FAMILIES = word_groups(__package__, "role_families.txt")
