"""What is worth asking again, and after how long."""

from __future__ import annotations

import random
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

__all__ = ["backoff", "retry_after", "retryable_status"]

_RETRYABLE = frozenset({408, 409, 425, 429})


def retryable_status(status: int) -> bool:
    """Whether the same request can succeed later (time-outs, conflicts, limits, server faults)."""
    return status in _RETRYABLE or (status >= 500 and status not in (501, 505))


def backoff(attempt: int, *, base: float, cap: float) -> float:
    """Seconds to wait before the next attempt: doubling, capped, with jitter over the upper half.

    Args:
        attempt: 0 after the first failure.
        base: Seconds after the first failure.
        cap: Most seconds.
    """
    # Without jitter all requests that failed together would come back together.
    return min(cap, base * 2.0 ** min(attempt, 30)) * random.uniform(0.5, 1.0)


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Reads a ``Retry-After`` header (RFC 9110, 10.2.3): seconds or an HTTP date.

    Returns:
        Seconds from now, at least 0; None where there is no readable value.

    Example:
        >>> retry_after("2.5")
        2.5
        >>> noon = datetime(2024, 5, 1, 12, 0, 0, tzinfo=timezone.utc)
        >>> retry_after("Wed, 01 May 2024 12:00:30 GMT", noon)
        30.0
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value.strip())
        except (TypeError, ValueError):
            return None
        if date.tzinfo is None:
            date = date.replace(tzinfo=timezone.utc)
        seconds = (date - (now or datetime.now(timezone.utc))).total_seconds()
    return max(0.0, seconds) if seconds == seconds else None
