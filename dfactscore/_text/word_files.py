"""Word lists that are kept as data: files with lists by name, files with groups of words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


def _text(package: str, file: str) -> str:
    return files(package).joinpath(file).read_text(encoding="utf-8")


@lru_cache
def word_lists(package: str, file: str = "words.txt") -> Mapping[str, str]:
    """The lists of a package's file by name, each as it is written after ``[name]``."""
    found = re.split(r"^\[(\w+)\]$", _text(package, file), flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def word_groups(package: str, file: str) -> Mapping[str, frozenset[int]]:
    """For each word the numbers of the lines that hold it."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_text(package, file).splitlines()):
        for word in () if line.startswith("#") else line.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
