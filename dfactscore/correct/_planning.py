"""Computes how many labels an interval of a given width needs.

The variance of the corrected mean is ``s² (1 - r²) / n (1 - n / N) + s² / N`` over n labels of N
texts, s being the spread of the labels and r their correlation with the judge's scores (Cochran
1977, equations 7.19 and 2.8; the last term, of other names from the same population, is left out
for exactly these).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._errors import InputError
from dfactscore.correct._estimator import Population

LEAST = 10
"""Labels below which no interval is trusted."""

_WIDTHS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5)

#: Correlations that are shown where no pilot says which it is.
USUAL = (0.3, 0.5, 0.7)


@dataclass(frozen=True, slots=True)
class Plan:
    """Labels that an interval needs.

    Attributes:
        r: Correlation of judge and labels that it was worked out for.
        labels: The number of labels; None if labels of all texts are too few.
        alone: The number without the judge's scores; None likewise.
        texts: The number of texts.
        width: Half the width of the interval, as a share.
        wider: The next usual width that labels can give where they cannot give `width`, and how
            many it needs; None if they can, or no usual width is wide enough.
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
    """Half the width of the interval that n labels are expected to give.

    Args:
        n: Number of labels.
        texts: Number of texts.
        spread: Standard deviation of the labels.
        r: Their correlation with the judge's scores; 0 for labels alone.
        population: Population of the interval.
        confidence: Of the interval.
    """
    from scipy.stats import t

    left = spread**2 * (1 - r * r) / n * (1 - n / texts)
    if population == "other":
        left += spread**2 / texts
    freedom = n - 1 - (r > 0)
    return float(t.ppf((1 + confidence) / 2, freedom)) * math.sqrt(left)


def labels_needed(
    width: float,
    *,
    texts: int,
    spread: float,
    r: float,
    population: Population = "other",
    confidence: float = 0.95,
) -> int | None:
    """The fewest labels, 10 or more, whose interval is at most the mean ± `width`.

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
    """Labels for an interval of ± `width`, for each correlation.

    Raises:
        InputError: If the width is not a positive number, or there are too few texts.
    """
    if not 0 < width < math.inf:
        raise InputError(f"--width {100 * width:g}: expected points above 0, such as 3 for ±3")
    if texts < LEAST:
        raise InputError(f"{texts} texts are too few to plan for; {LEAST} is the least")
    about = {
        "texts": texts,
        "spread": spread,
        "population": population,
        "confidence": confidence,
    }
    alone = labels_needed(width, r=0.0, **about)  # type: ignore[arg-type]
    plans = []
    for r in rs:
        labels = labels_needed(width, r=r, **about)  # type: ignore[arg-type]
        wider = next(
            (
                (other, needed)
                for other in _WIDTHS
                if labels is None and other > width
                if (needed := labels_needed(other, r=r, **about)) is not None  # type: ignore[arg-type]
            ),
            None,
        )
        plans.append(Plan(r, labels, alone, texts, width, wider))
    return tuple(plans)
