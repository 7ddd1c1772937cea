"""Failed items."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

from dfactscore._util.exception_text import ends_all_work, where_raised


class Later(Exception):
    """Raised to skip an item for now; the same command tries it again later.

    Args:
        reason: The reason, in one line.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed item.

    Attributes:
        key: The item's key.
        label: The item's name, as shown in messages.
        reason: The reason, in one line; for an exception, its type, its message and where it was
            raised.
        unexpected: Whether the item failed because of an unexpected exception.
    """

    key: str
    label: str
    reason: str
    unexpected: bool = False

    @classmethod
    def of(cls, key: str, label: str, error: Exception) -> Failure:
        """Creates an item's failure from an exception."""
        if isinstance(error, Later):
            return cls(key, label, error.reason)
        return cls(key, label, where_raised(error), unexpected=True)

    def record(self) -> Mapping[str, Any]:
        """Returns the failure as a record for ``errors.jsonl``."""
        return {"id": self.label, "stage": "error", "reason": self.reason}


async def guarded(doing: Awaitable[None], key: str, label: str) -> Failure | None:
    """Awaits an item; an exception that affects only this item is returned as a failure."""
    try:
        await doing
    except Exception as error:
        if ends_all_work(error):
            raise
        return Failure.of(key, label, error)
    return None
