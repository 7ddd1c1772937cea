"""Word lists, which are kept as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

__all__ = ["FAMILIES", "GIVEN_NAMES", "word_list", "word_pairs"]


def _text(file: str) -> str:
    return files(__package__).joinpath(file).read_text(encoding="utf-8")


def _groups(file: str) -> Mapping[str, frozenset[int]]:
    """For each word the numbers of the lines that hold it."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_text(file).splitlines()):
        for word in () if line.startswith("#") else line.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, frozenset[str]]:
    sections = re.split(r"^\[(\w+)\]$", _text("words.txt"), flags=re.MULTILINE)[1:]
    return {
        name: frozenset(said.split())
        for name, said in zip(sections[::2], sections[1::2], strict=True)
    }


def word_list(name: str) -> frozenset[str]:
    """The words of a list of ``words.txt``.

    Example:
        >>> "cricketer" in word_list("roles")
        True
    """
    return _lists()[name]


def word_pairs(name: str) -> Mapping[str, str]:
    """The pairs of a list of ``words.txt`` that is written as ``one:other``."""
    pairs = (pair.partition(":") for pair in word_list(name))
    return {one: other for one, _, other in pairs}


GIVEN_NAMES = _groups("given_names.txt")
FAMILIES = _groups("role_families.txt")
