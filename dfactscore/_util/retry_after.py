"""Parses the delay requested by a server."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+")
_LONGEST = 1e9  # thirty years; much longer delays overflow the sleep functions


def retry_after(
    value: str | None, now: datetime | None = None, *, milliseconds: str | None = None
) -> float | None:
    """Returns the seconds of a ``Retry-After`` header (RFC 9110, 10.2.3): a number or a date.

    Example:
        >>> retry_after("2.5")
        2.5
        >>> noon = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)
        >>> retry_after("Wed, 01 May 2024 12:00:30 GMT", noon)
        30.0
    """
    # Returns seconds from now, at least 0; None if neither header is readable.
    milliseconds = (milliseconds or "").strip()
    if _NUMBER.fullmatch(milliseconds):
        return _within(float(milliseconds) / 1000)
    value = (value or "").strip()
    if _NUMBER.fullmatch(value):
        return _within(float(value))
    try:
        date = parsedate_to_datetime(value)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return _within((date - (now or datetime.now(UTC))).total_seconds())
    except (TypeError, ValueError, OverflowError, IndexError):
        return None


def _within(seconds: float) -> float:
    return min(_LONGEST, max(0.0, seconds))
