"""Word lists that are kept as data."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

__all__ = ["GIVEN_NAMES"]


def _groups(file: str) -> Mapping[str, frozenset[int]]:
    """For each word the numbers of the lines that hold it."""
    text = files(__package__).joinpath(file).read_text(encoding="utf-8")
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.splitlines()):
        for word in () if line.startswith("#") else line.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


GIVEN_NAMES = _groups("given_names.txt")
