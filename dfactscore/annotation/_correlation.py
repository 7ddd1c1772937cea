"""Correlation between human and automatic scores of paragraphs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dfactscore.annotation._measures import Sums, drawn_interval
from dfactscore.measures._bootstrap import Interval

_FLAT = 1e-12  # variances below this share of the squared values are rounding errors


@dataclass(frozen=True, slots=True)
class Correlation:
    """Comparison of human and automatic scores of the same paragraphs.

    Attributes:
        n: Number of paragraphs.
        pearson: Pearson's r; None if undefined.
        fisher: 95 % confidence interval of r, based on Fisher's transformation; None if there are
            fewer than four paragraphs or r = ±1.
        bootstrap: 95 % percentile interval of r from resampled paragraphs; None if undefined or r =
            ±1.
        spearman: Spearman's rank correlation; None if undefined.
        mae: Mean absolute error of the automatic scores.
        bias: Mean of the automatic scores minus the mean of the human scores.
        reason: Why a figure is undefined.
    """

    n: int
    pearson: float | None
    fisher: Interval | None
    bootstrap: Interval | None
    spearman: float | None
    mae: float | None
    bias: float | None
    reason: str = ""


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's correlation; None if there are fewer than two pairs or the values are constant."""
    if len(first) < 2:
        return None
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    a, b = a - a.mean(), b - b.mean()
    r = float(a @ b / math.sqrt(float(a @ a) * float(b @ b)))
    return max(-1.0, min(1.0, r))


def fisher_interval(r: float, n: int) -> Interval | None:
    """The 95 % interval of a correlation (Fisher); None for fewer than four values or r = ±1.

    Example:
        >>> low, high = fisher_interval(0.948299, 10)
        >>> print(f"{low:.4f} to {high:.4f}")
        0.7909 to 0.9880
    """
    from scipy.stats import norm

    if n < 4 or _perfect(r):
        return None
    wide = float(norm.ppf(0.975)) / math.sqrt(n - 3)
    return Interval(math.tanh(math.atanh(r) - wide), math.tanh(math.atanh(r) + wide))


def _perfect(r: float) -> bool:
    """Whether a correlation is ±1, in which case every resample has the same correlation."""
    return abs(r) > 1 - _FLAT


def correlate(
    people: Sequence[float],
    automatic: Sequence[float],
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> Correlation:
    """Compares human and automatic scores of paragraphs (Table 5 of the paper).

    Args:
        people: The human score of each paragraph.
        automatic: The automatic score of each paragraph.
        resamples: Number of bootstrap samples; 0 for no bootstrap interval.
        seed: Random seed.

    Example:
        >>> people = [.92, .71, 1, .55, .80, .63, .88, .95, .40, .77]
        >>> found = correlate(people, [.95, .80, 1, .70, .79, .66, .93, .90, .62, .85])
        >>> print(f"{found.pearson:.6f} {found.spearman:.6f} {found.mae:.3f} {found.bias:+.3f}")
        0.948299 0.915152 0.071 +0.059
    """
    from scipy.stats import rankdata

    n = len(people)
    a, b = np.asarray(people, dtype=float), np.asarray(automatic, dtype=float)
    if not n:
        return Correlation(0, None, None, None, None, None, None, "no paragraph has both scores")
    r = pearson(list(a), list(b))
    reason = ""
    if r is None:
        side = "people's" if n > 1 and np.ptp(a) == 0 else "automatic"
        reason = "fewer than two paragraphs" if n < 2 else f"{side} scores are all the same"
    return Correlation(
        n=n,
        pearson=r,
        fisher=None if r is None else fisher_interval(r, n),
        bootstrap=None if r is None or _perfect(r) else _bootstrap(a, b, resamples, seed),
        spearman=pearson(list(rankdata(a)), list(rankdata(b))),
        mae=float(np.abs(b - a).mean()),
        bias=float((b - a).mean()),
        reason=reason,
    )


def _bootstrap(a: Sums, b: Sums, resamples: int, seed: int) -> Interval | None:
    """Percentiles over resamples of paragraphs, ignoring resamples in which scores are constant."""
    a, b = a - a.mean(), b - b.mean()

    def correlation(sums: Sums) -> Sums:
        x, y, xx, yy, xy = (sums / len(a)).T
        flat = (xx - x * x <= _FLAT * xx) | (yy - y * y <= _FLAT * yy)
        r = (xy - x * y) / np.sqrt((xx - x * x) * (yy - y * y))
        return np.where(flat, np.nan, np.clip(r, -1, 1))

    parts = np.column_stack([a, b, a * a, b * b, a * b])
    return drawn_interval(parts, correlation, resamples=resamples, seed=seed)
