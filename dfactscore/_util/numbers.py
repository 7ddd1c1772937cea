"""Means and number formatting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any


class Mean:
    """A mean of numbers that pass by: every digit as `mean` of all of them gives it.

    The sum is held as floats that add up to it exactly (Shewchuk 1997), a handful however many
    numbers there were.

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
        """Takes a number; None counts for nothing."""
        if value is not None:
            self.count += 1
            self._sum(float(value))

    def merge(self, other: Mean) -> None:
        """Takes all numbers that another one took."""
        self.count += other.count
        for part in other._parts:
            self._sum(part)

    @property
    def total(self) -> float:
        """The sum, rounded once."""
        return math.fsum(self._parts)

    @property
    def value(self) -> float | None:
        """The mean; None without a number."""
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
    """Mean of the values, or None; `math.fsum`, so that the order changes no digit.

    Example:
        >>> mean([1.0, None, 0.0]), mean([])
        (0.5, None)
    """
    given = [value for value in values if value is not None]
    return math.fsum(given) / len(given) if given else None


def finite(value: float | None) -> float | None:
    """A number that JSON can hold; None for NaN and infinities.

    Example:
        >>> finite(0.5), finite(float("nan")), finite(None)
        (0.5, None, None)
    """
    return float(value) if value is not None and math.isfinite(value) else None


def percent(share: float | None, *, digits: int = 1, missing: str = "-") -> str:
    """A share in percent, without the sign.

    Example:
        >>> percent(2 / 3), percent(None)
        ('66.7', '-')
    """
    return number(None if share is None else 100 * share, digits=digits, missing=missing)


def decimal(value: Any) -> float:
    """A number of a table, which some spreadsheets write with a decimal comma.

    Raises:
        ValueError: If it is none.
        TypeError: If it is neither a number nor a text.

    Example:
        >>> decimal("0,75"), decimal(" 0.75"), decimal(1)
        (0.75, 0.75, 1.0)
    """
    if isinstance(value, str) and value.count(",") == 1 and "." not in value:
        value = value.replace(",", ".")
    return float(value)


def with_sign(value: float, *, digits: int = 1) -> str:
    """A number with its sign, a true minus where it is negative.

    Example:
        >>> with_sign(1.25, digits=2), with_sign(-3)
        ('+1.25', '−3.0')
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def counted(n: int, thing: str, things: str = "", *, form: str = "") -> str:
    """A number of things, one or several.

    Args:
        n: The number.
        thing: The word for one.
        things: The word for several, if it is not made with an s.
        form: The format of the number, as for `format`.

    Example:
        >>> counted(1, "biography"), counted(0, "biography"), counted(2, "person", "people")
        ('1 biography', '0 biographies', '2 people')
    """
    several = things or (f"{thing[:-1]}ies" if thing.endswith("hy") else f"{thing}s")
    return f"{n:{form}} {thing if n == 1 else several}"


def number(value: float | None, *, digits: int = 2, missing: str = "-") -> str:
    """A number with this many digits after the point; `missing` for None and NaN."""
    return missing if value is None or value != value else f"{value:.{digits}f}"


def is_probability(value: object) -> bool:
    """Whether a value is a number from 0 to 1; a truth value is not."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return 0.0 <= float(value) <= 1.0
