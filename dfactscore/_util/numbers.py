"""Means and number formatting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any


class Mean:
    """A running mean that equals the `mean` of all the numbers to the last digit.

    The sum is stored exactly, as a few floats that add up to it (Shewchuk 1997).

    Example:
        >>> total = Mean()
        >>> for value in (1e16, 1.0, -1e16, None):
        ...     total.add(value)
        >>> total.count, total.value
        (3, 0.3333333333333333)
    """

    __slots__ = ("_parts", "count")

    def __init__(self) -> None:
        self.count = 0
        self._parts: list[float] = []

    def add(self, value: float | None) -> None:
        """Adds a number; ignores None."""
        if value is not None:
            self.count += 1
            self._sum(float(value))

    def merge(self, other: Mean) -> None:
        """Adds all the numbers of another mean."""
        self.count += other.count
        for part in other._parts:
            self._sum(part)

    @property
    def total(self) -> float:
        """The sum, rounded once."""
        return math.fsum(self._parts)

    @property
    def value(self) -> float | None:
        """The mean; None if there are no numbers."""
        return self.total / self.count if self.count else None

    def _sum(self, value: float) -> None:
        parts = []
        for part in self._parts:
            if abs(value) < abs(part):
                value, part = part, value
            high = value + part
            low = part - (high - value)
            if low:
                parts.append(low)
            value = high
        if value:
            parts.append(value)
        self._parts = parts


def mean(values: Iterable[float | None]) -> float | None:
    """Returns the mean of all values except None, in any order (`math.fsum`), or None.

    Example:
        >>> mean([1.0, None, 0.0]), mean([])
        (0.5, None)
    """
    numbers = [value for value in values if value is not None]
    return math.fsum(numbers) / len(numbers) if numbers else None


def finite(value: float | None) -> float | None:
    """Returns a number that JSON can represent; None for NaN and infinities.

    Example:
        >>> finite(0.5), finite(float("nan")), finite(None)
        (0.5, None, None)
    """
    return float(value) if value is not None and math.isfinite(value) else None


def percent(share: float | None, *, digits: int = 1, missing: str = "-") -> str:
    """Formats a share as a percentage, without the percent sign.

    Example:
        >>> percent(2 / 3), percent(None)
        ('66.7', '-')
    """
    return number(None if share is None else 100 * share, digits=digits, missing=missing)


def decimal(value: Any) -> float:
    """Reads a number from a table; accepts a decimal comma.

    Example:
        >>> decimal("0,75"), decimal(" 0.75"), decimal(1)
        (0.75, 0.75, 1.0)
    """
    if isinstance(value, str) and value.count(",") == 1 and "." not in value:
        value = value.replace(",", ".")
    try:
        return float(value)
    except OverflowError:  # a whole number, as text with so many digits is read
        return math.inf if value > 0 else -math.inf


def with_sign(value: float, *, digits: int = 1) -> str:
    """Formats a number with its sign; the minus sign is U+2212.

    Example:
        >>> with_sign(1.25, digits=2), with_sign(-3)
        ('+1.25', '−3.0')
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def counted(n: int, thing: str, things: str = "", *, form: str = "") -> str:
    """Formats a count followed by the singular or plural of a noun.

    Example:
        >>> counted(1, "biography"), counted(0, "biography"), counted(2, "person", "people")
        ('1 biography', '0 biographies', '2 people')
    """
    plural = things or (f"{thing[:-1]}ies" if thing.endswith("hy") else f"{thing}s")
    return f"{n:{form}} {thing if n == 1 else plural}"


def number(value: float | None, *, digits: int = 2, missing: str = "-") -> str:
    """Formats a number with a fixed number of decimals; `missing` replaces None and NaN."""
    return missing if value is None or value != value else f"{value:.{digits}f}"


def is_probability(value: object) -> bool:
    """Whether a value is a number from 0 to 1; booleans do not count as numbers."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return bool(0 <= value <= 1)  # type: ignore[operator]
