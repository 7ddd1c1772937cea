"""Chance-corrected agreement: Cohen's κ and Krippendorff's α."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike


def kappa_of_table(table: ArrayLike) -> float | None:
    """Cohen's κ (Cohen 1960) of a square table of counts.

    Args:
        table: Counts, shape ``(labels, labels)``: the first rater's label by the second one's;
            expected counts need not be whole.

    Returns:
        κ in [-1, 1]; None if it is undefined: nothing was rated, or both raters gave one
        label throughout.
    """
    counts = np.asarray(table, dtype=np.float64)
    total = float(counts.sum())
    if total <= 0:
        return None
    expected = float(counts.sum(axis=1) @ counts.sum(axis=0)) / total**2
    if math.isclose(expected, 1.0, rel_tol=0, abs_tol=1e-15):
        return None
    observed = float(np.trace(counts)) / total
    return (observed - expected) / (1 - expected)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's κ of two raters who labeled the same things.

    Args:
        first: One label a thing.
        second: The other rater's, in the same order.

    Returns:
        See `kappa_of_table`.

    Raises:
        ValueError: If they are not equally many.

    Example:
        >>> round(cohen_kappa("aabb", "aaba"), 3)
        0.5
    """
    labels = {label: i for i, label in enumerate(dict.fromkeys([*first, *second]))}
    table = np.zeros((len(labels), len(labels)))
    for a, b in zip(first, second, strict=True):
        table[labels[a], labels[b]] += 1
    return kappa_of_table(table)


def krippendorff_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Krippendorff's α for nominal labels, with gaps (Krippendorff 2011).

    Args:
        units: For each thing the labels that raters gave it, in any order; who gave none is left
            out. Things with fewer than two labels drop out.

    Returns:
        α, at most 1; None if it is undefined: no thing has two labels, or all labels are one.

    Example:
        >>> round(krippendorff_alpha(["aa", "ab", "bb", "bb"]), 3)
        0.533
    """
    counts = [Counter(unit) for unit in units if len(unit) > 1]
    n = sum(count.total() for count in counts)
    totals = sum(counts, Counter[Hashable]())
    chance = sum(c * (n - c) for c in totals.values())
    if not chance:
        return None
    apart = math.fsum(
        sum(c * (m - c) for c in count.values()) / (m - 1)
        for count in counts
        if (m := count.total())
    )
    return 1 - apart / n / (chance / (n * (n - 1)))


def unanimous(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Share of the things with several labels whose labels are all the same; None without any.

    Example:
        >>> unanimous(["aaa", "aab", "a"])
        0.5
    """
    same = [len(set(unit)) == 1 for unit in units if len(unit) > 1]
    return sum(same) / len(same) if same else None
