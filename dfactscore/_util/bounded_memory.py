"""Bounded memory: a cache of function results, and a compact table of file offsets by key."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
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


_HEX = re.compile("[0-9a-f]{32}")
_REMOVED = 2**64 - 1
_FEWEST = 8


class KeyTable:
    """A start and a length for each key, in insertion order.

    Keys of 32 hexadecimal digits (half a SHA-256) are stored as 16 bytes in a hash table with
    open addressing; other keys are stored in a dict.

    Example:
        >>> table = KeyTable()
        >>> table.put("b", 0, 10)
        >>> table.put("a", 10, 5)
        >>> table.get("a"), "c" in table, list(table)
        ((10, 5), False, ['b', 'a'])
    """

    def __init__(self) -> None:
        self._keys = bytearray()
        self._starts = array("Q")
        self._lengths = array("I")
        self._slots = array("I", bytes(4 * _FEWEST))  # 0: free; else the number of an entry, plus 1
        self._others: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._live = 0

    def __len__(self) -> int:
        return self._live

    def __contains__(self, key: str) -> bool:
        return self.number(key) is not None

    def __iter__(self) -> Iterator[str]:
        """Yields the keys in insertion order."""
        for entry in range(len(self._starts)):
            if self._starts[entry] != _REMOVED:
                yield self._name(entry)

    def number(self, key: str) -> int | None:
        """Returns the index of a key's entry, counting removed ones; None if it is missing."""
        entry = self._entry(key)
        return None if entry is None or self._starts[entry] == _REMOVED else entry

    def get(self, key: str) -> tuple[int, int] | None:
        """Returns the start and length of a key, or None."""
        entry = self.number(key)
        return None if entry is None else (self._starts[entry], self._lengths[entry])

    def put(self, key: str, start: int = 0, length: int = 0) -> None:
        """Sets the start and length for a key; an existing key keeps its position."""
        entry = self._entry(key)
        if entry is not None and self._starts[entry] != _REMOVED:
            self._starts[entry], self._lengths[entry] = start, length
            return
        new = len(self._starts)
        self._starts.append(start)
        self._lengths.append(length)
        self._live += 1
        if not _HEX.fullmatch(key):
            self._keys += bytes(16)
            self._others[key] = new
            self._names[new] = key
            return
        self._keys += bytes.fromhex(key)
        if 3 * len(self._starts) > 2 * len(self._slots):
            self._grow()
        else:
            self._slots[self._slot(bytes.fromhex(key))] = new + 1

    def forget(self, key: str) -> None:
        """Removes a key."""
        entry = self.number(key)
        if entry is not None:
            self._starts[entry] = _REMOVED
            self._live -= 1

    def total(self) -> int:
        """Returns the sum of all lengths."""
        pairs = zip(self._starts, self._lengths, strict=True)
        return sum(length for start, length in pairs if start != _REMOVED)

    def _name(self, entry: int) -> str:
        name = self._names.get(entry)
        return self._keys[16 * entry : 16 * entry + 16].hex() if name is None else name

    def _entry(self, key: str) -> int | None:
        """Returns the last entry of a key, even if it was removed."""
        if not _HEX.fullmatch(key):
            return self._others.get(key)
        found = self._slots[self._slot(bytes.fromhex(key))]
        return found - 1 if found else None

    def _slot(self, key: bytes) -> int:
        """Returns a key's slot, or a free slot for it."""
        last = len(self._slots) - 1
        slot = int.from_bytes(key[:8], "big") & last
        while found := self._slots[slot]:
            at = 16 * (found - 1)
            if self._keys[at : at + 16] == key:
                break
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        self._slots = array("I", bytes(8 * len(self._slots)))
        for entry in range(len(self._starts)):
            if entry not in self._names:
                key = bytes(self._keys[16 * entry : 16 * entry + 16])
                self._slots[self._slot(key)] = entry + 1
