"""Computes the number of labels needed for an interval of a given width.

The variance of the corrected mean is ``s² (1 - r²) / n (1 - n / N) + s² / N`` with n labels for N
texts, where s is the standard deviation of the labels and r is their correlation with the judge's
scores (Cochran 1977, equations 7.19 and 2.8). The last term applies to other names from the same
population; it is omitted for exactly these names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._errors import InputError
from dfactscore.correct._estimator import Population

LEAST = 10
"""The least number of labels for an interval."""

_WIDTHS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5)

#: The correlations assumed in a plan without a pilot.
USUAL = (0.3, 0.5, 0.7)


@dataclass(frozen=True, slots=True)
class Plan:
    """The number of labels needed for an interval.

    Attributes:
        r: The assumed correlation between judge and labels.
        labels: The number of labels; None if even labels for all texts are too few.
        alone: The number of labels needed without the judge's scores; None if even labels for all
            texts are too few.
        texts: The number of texts.
        width: Half the width of the interval, as a share.
        wider: If `width` is impossible, the next usual width that is possible, and its number of
            labels; otherwise None.
    """

    r: float
    labels: int | None
    alone: int | None
    texts: int = 0
    width: float = 0.0
    wider: tuple[float, int] | None = None


def half_width(
    n: int, *, texts: int, spread: float, r: float, population: Population, confidence: float = 0.95
) -> float:
    """Returns half the expected width of the interval with n labels."""
    from scipy.stats import t

    variance = spread**2 * (1 - r * r) / n * (1 - n / texts)
    if population == "other":
        variance += spread**2 / texts
    freedom = n - 1 - (r > 0)
    return float(t.ppf((1 + confidence) / 2, freedom)) * math.sqrt(variance)


def labels_needed(
    width: float,
    *,
    texts: int,
    spread: float,
    r: float,
    population: Population = "other",
    confidence: float = 0.95,
) -> int | None:
    """Returns the minimum number of labels (at least 10) for an interval of at most ± `width`.

    Example:
        >>> labels_needed(.04, texts=500, spread=.15, r=.6), labels_needed(.04, texts=500,
        ...     spread=.15, r=0)
        (39, 57)
    """
    for n in range(LEAST, texts + 1):
        if (
            half_width(
                n, texts=texts, spread=spread, r=r, population=population, confidence=confidence
            )
            <= width
        ):
            return n
    return None


def plan(
    width: float,
    *,
    texts: int,
    spread: float,
    rs: Sequence[float] = USUAL,
    population: Population = "other",
    confidence: float = 0.95,
) -> tuple[Plan, ...]:
    """Returns the number of labels needed for an interval of ± `width`, for each correlation.

    Raises:
        InputError: If the width is not a positive number or there are too few texts.
    """
    if not 0 < width < math.inf:
        raise InputError(f"--width {100 * width:g}: expected points above 0, such as 3 for ±3")
    if texts < LEAST:
        raise InputError(f"{texts} texts are too few to plan for; {LEAST} is the least")
    options = {
        "texts": texts,
        "spread": spread,
        "population": population,
        "confidence": confidence,
    }
    alone = labels_needed(width, r=0.0, **options)  # type: ignore[arg-type]
    plans = []
    for r in rs:
        labels = labels_needed(width, r=r, **options)  # type: ignore[arg-type]
        wider = next(
            (
                (other_width, needed)
                for other_width in _WIDTHS
                if labels is None and other_width > width
                if (needed := labels_needed(other_width, r=r, **options)) is not None  # type: ignore[arg-type]
            ),
            None,
        )
        plans.append(Plan(r, labels, alone, texts, width, wider))
    return tuple(plans)
