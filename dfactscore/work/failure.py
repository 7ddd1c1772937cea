"""What became of an item that could not be done."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.shown import message_line

__all__ = ["Failure", "Later", "guarded", "is_of_all", "where_raised"]

# The packages' own errors concern the whole work: a wrong key, a spent budget, a full disk.
_OF_ALL = frozenset({"DFactScoreError", "RetrievalError", "AmbigBioError", "LinkingError"})
_PACKAGE = Path(__file__).resolve().parents[1]


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
        label: What messages call it.
        reason: Why, in one line; of an exception its type, message and place.
        unexpected: Whether it is an exception that no one foresaw.
    """

    key: str
    label: str
    reason: str
    unexpected: bool = False

    @classmethod
    def of(cls, key: str, label: str, error: Exception) -> Failure:
        """What an exception makes of an item."""
        if isinstance(error, Later):
            return cls(key, label, error.reason)
        return cls(key, label, where_raised(error), unexpected=True)

    def record(self) -> Mapping[str, Any]:
        """As it stands in ``errors.jsonl``."""
        return {"id": self.label, "stage": "error", "reason": self.reason}


async def guarded(doing: Awaitable[None], key: str, label: str) -> Failure | None:
    """Waits for an item to be done; what is wrong with it alone is a failure.

    Raises:
        Exception: What concerns the whole work.
    """
    try:
        await doing
    except Exception as error:
        if is_of_all(error):
            raise
        return Failure.of(key, label, error)
    return None


def is_of_all(error: Exception) -> bool:
    """Whether an exception ends the whole work, not one item."""
    return bool(_OF_ALL & {base.__name__ for base in type(error).__mro__})


def where_raised(error: BaseException) -> str:
    """An exception as its type, its message and the last of our own lines that it passed.

    Example:
        >>> try:
        ...     [].pop()
        ... except IndexError as error:
        ...     where_raised(error).partition(" (")[0]
        'IndexError: pop from empty list'
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if _PACKAGE in Path(one.filename).resolve().parents]
    said = message_line(error)
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    if not frames:
        return text
    last = (ours or list(frames))[-1]
    path = Path(last.filename)
    name = path.resolve().relative_to(_PACKAGE.parent).as_posix() if ours else path.name
    return f"{text} ({name}:{last.lineno})"
