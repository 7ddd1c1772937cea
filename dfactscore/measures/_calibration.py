"""Calibration: an increasing map from a judge's probabilities to shares of supported facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.float64]
_RISE = 1e-3  # minimum increase from 0 to 1, so that the map preserves the order of probabilities
_APART = 1e-4  # minimum distance of an inner point from 0 and 1
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Calibration:
    """An increasing, piecewise linear mapping of probabilities.

    Example:
        >>> Calibration((0.0, 0.5, 1.0), (0.0, 0.8, 0.9)).apply([0.25, 0.75]).round(2).tolist()
        [0.4, 0.85]
    """

    # The judge's probabilities at the points of the map, increasing from 0 to 1.
    given: tuple[float, ...]
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        given, shares = np.array(self.given), np.array(self.shares)
        if given.shape != shares.shape or given.ndim != 1 or len(given) < 2:
            raise ValueError("expected as many shares as given probabilities, two or more")
        if not (np.diff(given) > 0).all() or not (np.diff(shares) > 0).all():
            raise ValueError("the points do not rise")
        if (given[0], given[-1]) != (0.0, 1.0) or shares[0] < 0 or shares[-1] > 1:
            raise ValueError("expected probabilities, given from 0 to 1")

    @classmethod
    def of(cls, record: Mapping[str, Sequence[float]]) -> Calibration:
        """Creates the map from the result of `to_dict`."""
        given, shares = (tuple(map(float, record[name])) for name in ("given", "shares"))
        return cls(given, shares)

    def to_dict(self) -> dict[str, Any]:
        """Returns the map as a JSON object."""
        return {"given": list(self.given), "shares": list(self.shares)}

    def apply(self, values: Any) -> _Array:
        """Returns the calibrated probabilities in the shape of `values`; NaN remains NaN."""
        return np.asarray(np.interp(values, self.given, self.shares))


def fit_calibration(
    values: Any, labels: Any, weights: Any = None, *, least: int = 50
) -> Calibration:
    """Fits a map by centered isotonic regression (Oron and Flournoy 2017).

    Isotonic regression yields steps. Here, each step becomes a point at the mean of its
    probabilities, and points are joined by straight lines, so that different probabilities remain
    different. One unsupported fact is added at 0 and one supported fact at 1.
    """
    x = np.concatenate([[0.0], np.asarray(values, dtype=float), [1.0]])
    y = np.concatenate([[0.0], np.asarray(labels, dtype=float), [1.0]])
    w = np.ones(len(x))
    if weights is not None:
        w[1:-1] = weights
    places, indexes = np.unique(np.round(x, 4), return_inverse=True)
    total = np.bincount(indexes, w).astype(float)
    points = _pooled(places, np.bincount(indexes, w * y) / total, total, min(least, w.sum() / 10))
    given, shares = _to_the_ends(*np.array(points).T[:2])
    shares = (1 - _RISE) * shares + _RISE * given
    return Calibration(
        tuple(np.round(given, _DIGITS).tolist()), tuple(np.round(shares, _DIGITS + 2).tolist())
    )


def _pooled(x: _Array, y: _Array, w: _Array, least: float) -> list[tuple[float, float, float]]:
    """Returns isotonic regression steps as (mean x, mean y, weight), with weight >= `least`."""
    steps: list[tuple[float, float, float]] = []
    for step in zip(x.tolist(), y.tolist(), w.tolist(), strict=True):
        steps.append(step)
        while len(steps) > 1 and (steps[-2][1] >= steps[-1][1] or steps[-2][2] < least):
            _merge(steps)
    if len(steps) > 1 and steps[-1][2] < least:
        _merge(steps)
    return steps


def _merge(steps: list[tuple[float, float, float]]) -> None:
    """Merges the last two steps."""
    (x1, y1, w1), (x2, y2, w2) = steps[-2:]
    total = w1 + w2
    steps[-2:] = [((x1 * w1 + x2 * w2) / total, (y1 * w1 + y2 * w2) / total, total)]


def _to_the_ends(given: _Array, shares: _Array) -> tuple[_Array, _Array]:
    """Replaces points near 0 and 1 with points at 0 and 1, adding those that are missing."""
    inside = (given > _APART) & (given < 1 - _APART)
    if not inside.any():
        return np.array([0.0, 1.0]), shares[[0, -1]]
    low, high = (given <= _APART).any(), (given >= 1 - _APART).any()
    first = shares[0] if low else shares[inside][0]
    last = shares[-1] if high else shares[inside][-1]
    return np.r_[0.0, given[inside], 1.0], np.r_[first, shares[inside], last]
