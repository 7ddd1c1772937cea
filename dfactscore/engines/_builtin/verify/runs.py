"""Sums over runs of rows, most of them one row long, such as the words of a fact's units."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


class Runs:
    """Runs of adjacent rows.

    ``ufunc.reduceat`` takes constant time per run and column, however short the run; here it is
    only used for runs of at least two rows.

    >>> rows = np.array([[1], [2], [3]])
    >>> Runs(np.array([0, 2]), np.array([2, 1])).total(rows).tolist()
    [[3], [3]]
    """

    def __init__(self, starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> None:
        self._starts, self._sizes = starts, sizes
        is_long = sizes > 1
        self._long = np.flatnonzero(is_long)
        if len(self._long):
            self._rows = np.flatnonzero(is_long.repeat(sizes))
            counts = sizes[self._long]
            self._inner = counts.cumsum() - counts

    def total(self, table: NDArray[Scalar]) -> NDArray[Scalar]:
        """Sums the rows of each run; rows are the second-to-last axis."""
        sums = table.take(self._starts, axis=-2)
        if len(self._long):
            parts = table.take(self._rows, axis=-2)
            sums[..., self._long, :] = np.add.reduceat(parts, self._inner, axis=-2)
        return sums

    def rows(self, runs: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Returns the number of rows in each given run, and the rows of all runs concatenated."""
        sizes = self._sizes[runs]
        shifts = self._starts[runs] - sizes.cumsum() + sizes
        return sizes, shifts.repeat(sizes) + np.arange(sizes.sum())


def starts_of(values: NDArray[Any]) -> NDArray[np.intp]:
    """Returns the start of each run of equal values."""
    begins = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return np.flatnonzero(begins)
