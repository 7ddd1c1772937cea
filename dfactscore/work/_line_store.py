"""Protocol that journals implement, on disk or in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class LineStore(Protocol):
    """A store of lines by key: a journal on disk or in memory."""

    def __contains__(self, key: str) -> bool:
        """Whether there is a line for a key."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Returns the line for a key, or None."""

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Adds a line, which replaces any earlier line with the same key."""

    def forget(self, key: str) -> None:
        """Drops a line."""


Journals = Mapping[str, LineStore]
"""The journals of a work by name."""
