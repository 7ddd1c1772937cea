"""Means, and numbers as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["mean", "number", "percent"]


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of what is given, or None; `math.fsum`, so that the order changes no digit.

    Example:
        >>> mean([1.0, None, 0.0]), mean([])
        (0.5, None)
    """
    given = [value for value in values if value is not None]
    return math.fsum(given) / len(given) if given else None


def percent(share: float | None, *, digits: int = 1, missing: str = "-") -> str:
    """A share in percent, without the sign.

    Example:
        >>> percent(2 / 3), percent(None)
        ('66.7', '-')
    """
    return number(None if share is None else 100 * share, digits=digits, missing=missing)


def number(value: float | None, *, digits: int = 2, missing: str = "-") -> str:
    """A number with so many digits behind the point; `missing` for None and NaN."""
    return missing if value is None or value != value else f"{value:.{digits}f}"
