"""A bounded cache of function results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(dict[Key, Value]):
    """A dict that computes missing values and is emptied when it is full.

    A hit is as cheap as in a ``dict``, which matters for lookups of single words.

    Example:
        >>> squares = BoundedCache(lambda n: n * n, most=2)
        >>> [squares[3], squares[4], sorted(squares)]
        [9, 16, [3, 4]]
        >>> squares[5], list(squares)
        (25, [5])
    """

    def __init__(self, find: Callable[[Key], Value], *, most: int) -> None:
        super().__init__()
        self._find = find
        self._most = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._find(key)
        return value
