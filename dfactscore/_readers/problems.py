"""A record that could not be used, and its place."""

from __future__ import annotations

from dataclasses import dataclass


class RecordError(ValueError):
    """One record cannot be used.

    Args:
        field: The field that is wrong, or empty for the record as a whole.
        reason: The problem, with the value.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"field {field!r}: {reason}" if field else reason)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that was skipped.

    Attributes:
        file: Name of the file.
        line: Line on which the record starts, or on which its JSON breaks, 1-based.
        id: Its id, or its number if it has none.
        reason: The problem, with the field and its value.
    """

    file: str
    line: int
    id: str
    reason: str

    def __str__(self) -> str:
        if not self.file:
            return f"record {self.line} (id {self.id}): {self.reason}"
        return f"{self.file}:{self.line}: record {self.id}: {self.reason}"
