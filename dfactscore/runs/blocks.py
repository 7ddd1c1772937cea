"""Biographies in blocks: what is sent to a worker, and what is scored at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

__all__ = ["BLOCK", "blocks_of"]

BLOCK = 50
"""Biographies a block: a worker is busy for about half a second."""

_T = TypeVar("_T")


def blocks_of(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Items in lists of so many; the last may be shorter.

    Example:
        >>> list(blocks_of("abcde", 2))
        [['a', 'b'], ['c', 'd'], ['e']]
    """
    waiting = iter(items)
    while block := list(islice(waiting, size)):
        yield block
