"""The storage of a work's lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class LineStore(Protocol):
    """Storage of lines by key: a journal on disk, or one in memory."""

    def __contains__(self, key: str) -> bool:
        """Whether there is a line of a key."""

    def get(self, key: str) -> dict[str, Any] | None:
        """The line of a key, or None."""

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Takes a line; a key that is there already gets the new one."""

    def forget(self, key: str) -> None:
        """Treats a line as not there."""


Journals = Mapping[str, LineStore]
"""The journals of a work by name."""
