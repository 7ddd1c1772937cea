"""Word lists, which are kept as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

__all__ = ["FAMILIES", "GIVEN_NAMES", "sections", "word_list", "word_pairs"]


def _text(file: str) -> str:
    return files(__package__).joinpath(file).read_text(encoding="utf-8")


def _groups(file: str) -> Mapping[str, frozenset[int]]:
    """For each word the numbers of the lines that hold it."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_text(file).splitlines()):
        for word in () if line.startswith("#") else line.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@lru_cache
def sections(package: str) -> Mapping[str, str]:
    """The lists of a package's ``words.txt`` by name, each as it is written."""
    text = files(package).joinpath("words.txt").read_text(encoding="utf-8")
    found = re.split(r"^\[(\w+)\]$", text, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


@lru_cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list of ``words.txt``.

    Example:
        >>> "cricketer" in word_list("roles")
        True
    """
    return frozenset(sections(__package__)[name].split())


def word_pairs(name: str) -> Mapping[str, str]:
    """The pairs of a list of ``words.txt`` that is written as ``one:other``."""
    pairs = (pair.partition(":") for pair in word_list(name))
    return {one: other for one, _, other in pairs}


GIVEN_NAMES = _groups("given_names.txt")
FAMILIES = _groups("role_families.txt")
