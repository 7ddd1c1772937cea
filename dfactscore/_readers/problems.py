"""Records that cannot be used, and where they are located."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore._util.printable import short_repr


class RecordError(ValueError):
    """Raised if a record cannot be used."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"field {field!r}: {reason}" if field else reason)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that was skipped."""

    file: str
    line: int  # 1-based line on which the record starts, or on which its JSON is invalid
    id: str
    reason: str

    def __str__(self) -> str:
        if not self.file:
            return f"record {self.line} (id {self.id}): {self.reason}"
        return f"{self.file}:{self.line}: record {self.id}: {self.reason}"


def typed(value: object) -> str:
    """Formats a value and its type for a message.

    Example:
        >>> typed(3)
        'int 3'
    """
    return f"{type(value).__name__} {short_repr(value)}"
