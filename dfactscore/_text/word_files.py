"""Reads data files that contain named lists of words or groups of words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


def _text(package: str, file: str) -> str:
    return files(package).joinpath(file).read_text(encoding="utf-8")


@lru_cache
def word_lists(package: str, file: str = "words.txt") -> Mapping[str, str]:
    """Returns the lists in a package's file by name, each as the text that follows ``[name]``.

    Lines that begin with ``#`` are comments.
    """
    text = re.sub(r"^#.*\n", "", _text(package, file), flags=re.MULTILINE)
    parts = re.split(r"^\[(\w+)\]$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def word_groups(package: str, file: str) -> Mapping[str, frozenset[int]]:
    """Returns the numbers of the lines that contain each word."""
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(_text(package, file).splitlines()):
        for word in () if line.startswith("#") else line.split():
            groups.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}


def lines_by_head(package: str, file: str) -> Mapping[str, frozenset[str]]:
    """Returns the heads of the lines (``head: words``) that contain each word."""
    heads: dict[str, set[str]] = {}
    for line in _text(package, file).splitlines():
        head, _, words = line.partition(":")
        for word in () if line.startswith("#") else words.split():
            heads.setdefault(word, set()).add(head)
    return {word: frozenset(found) for word, found in heads.items()}
