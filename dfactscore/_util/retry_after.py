"""Parses the delay requested by a server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+")
_DURATION = re.compile(
    r"(?:([0-9]+(?:\.[0-9]+)?)d)?(?:([0-9]+(?:\.[0-9]+)?)h)?(?:([0-9]+(?:\.[0-9]+)?)m(?!s))?(?:([0-9]+(?:\.[0-9]+)?)s)?(?:([0-9]+(?:\.[0-9]+)?)ms)?"
)
_UNITS = (86400, 3600, 60, 1, 0.001)
_YEARS = 5 * 365 * 86400
_LONGEST = 1e9  # thirty years; much longer delays overflow the sleep functions


def requested_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Returns the seconds that a server asks to wait, or None if it does not ask.

    Without ``Retry-After``, a limit of which nothing remains says when it is reset, in headers such
    as ``x-ratelimit-reset-tokens``.

    Example:
        >>> requested_wait({"x-ratelimit-remaining-requests": "0",
        ...                 "x-ratelimit-reset-requests": "1m2.5s"})
        62.5
    """
    headers = {name.lower(): value for name, value in headers.items()}
    wait = retry_after(headers.get("retry-after"), now, milliseconds=headers.get("retry-after-ms"))
    if wait is not None:
        return wait
    waits = []
    for name, value in headers.items():
        if "ratelimit" in name and "reset" in name:
            remaining = headers.get(name.replace("reset", "remaining"))
            if remaining is None or re.fullmatch(r"-?0*\.?0*", remaining.strip()):
                wait = _duration(value)
                waits.append(retry_after(value, now) if wait is None else wait)
    return max((wait for wait in waits if wait is not None), default=None)


def _duration(value: str) -> float | None:
    """Returns the seconds of a duration such as ``6m0.5s`` or ``20ms``."""
    match = _DURATION.fullmatch(value.strip())
    if match is None or not any(match.groups()):
        return None
    return _within(
        sum(float(n) * unit for n, unit in zip(match.groups(), _UNITS, strict=True) if n)
    )


def retry_after(
    value: str | None, now: datetime | None = None, *, milliseconds: str | None = None
) -> float | None:
    """Returns the seconds of a ``Retry-After`` header (RFC 9110, 10.2.3): a number or a date.

    A number that is a time of these years, in seconds or milliseconds since 1970, is a date, too.

    Example:
        >>> retry_after("2.5")
        2.5
        >>> noon = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)
        >>> retry_after("Wed, 01 May 2024 12:00:30 GMT", noon), retry_after("1714564830", noon)
        (30.0, 30.0)
    """
    # Returns seconds from now, at least 0; None if neither header is readable.
    now = now or datetime.now(UTC)
    milliseconds = (milliseconds or "").strip()
    if _NUMBER.fullmatch(milliseconds):
        return _within(_from_now(float(milliseconds) / 1000, now))
    value = (value or "").strip()
    if _NUMBER.fullmatch(value):
        return _within(_from_now(float(value), now))
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            date = read(value)
            if date.tzinfo is None:
                date = date.replace(tzinfo=UTC)
            return _within((date - now).total_seconds())
        except (TypeError, ValueError, OverflowError, IndexError):
            continue
    return None


def _from_now(number: float, now: datetime) -> float:
    """Returns seconds from now, for a number of seconds or a time since 1970."""
    for time in (number, number / 1000):
        if abs(time - now.timestamp()) < _YEARS:
            return time - now.timestamp()
    return number


def _within(seconds: float) -> float:
    return min(_LONGEST, max(0.0, seconds))
