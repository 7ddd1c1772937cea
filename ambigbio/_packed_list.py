"""A compressed list that can hold millions of small items."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from pydantic import TypeAdapter

from dfactscore._util.files import dump_json

_Item = TypeVar("_Item")


class Packed(Sequence[_Item]):
    """A sequence of dataclass instances of one type, decompressed on access."""

    def __init__(self, kind: type[_Item]) -> None:
        self._adapter: TypeAdapter[_Item] = TypeAdapter(kind)
        self._items: list[bytes] = []

    def append(self, item: _Item) -> None:
        """Adds an item."""
        value: Any = item
        text = dump_json(asdict(value), keep_surrogates=False)
        self._items.append(zlib.compress(text.encode(), 1))

    def _made(self, packed: bytes) -> _Item:
        return self._adapter.validate_json(zlib.decompress(packed))

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self._made(item) for item in self._items[at]]
        return self._made(self._items[at])

    def __iter__(self) -> Iterator[_Item]:
        return map(self._made, self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))
