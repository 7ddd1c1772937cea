"""Failed items."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

from dfactscore._util.exception_text import ends_all_work, where_raised


class Later(Exception):
    """Leaves an item undone for now, for a reason that may pass: the same command tries it again.

    Args:
        reason: One line for a person.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Failure:
    """An item that was not done.

    Attributes:
        key: The item's key.
        label: Its name in messages.
        reason: The reason, in one line; of an exception its type, message and place.
        unexpected: Whether it is an exception that no one foresaw.
    """

    key: str
    label: str
    reason: str
    unexpected: bool = False

    @classmethod
    def of(cls, key: str, label: str, error: Exception) -> Failure:
        """Returns the failure of an item from an exception."""
        if isinstance(error, Later):
            return cls(key, label, error.reason)
        return cls(key, label, where_raised(error), unexpected=True)

    def record(self) -> Mapping[str, Any]:
        """Its form in ``errors.jsonl``."""
        return {"id": self.label, "stage": "error", "reason": self.reason}


async def guarded(doing: Awaitable[None], key: str, label: str) -> Failure | None:
    """Waits for an item to be done; what is wrong with it alone is a failure.

    Raises:
        Exception: If it concerns the whole work.
    """
    try:
        await doing
    except Exception as error:
        if ends_all_work(error):
            raise
        return Failure.of(key, label, error)
    return None
