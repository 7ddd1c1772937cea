"""Chance-corrected agreement: Cohen's κ and Krippendorff's α."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike


def kappa_of_table(table: ArrayLike) -> float | None:
    """Computes Cohen's κ (Cohen 1960) from a square table of counts."""
    # `table`: counts of shape `(labels, labels)`, with the first rater's labels as rows and the
    # second rater's as columns. Expected counts need not be whole numbers.
    # Returns κ in [-1, 1]; None if it is undefined because there are no ratings, or because both
    # raters used the same single label.
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
    """Computes Cohen's κ for two raters who labeled the same units.

    Args:
        first: The first rater's labels, one per unit.
        second: The second rater's labels, in the same order.

    Returns:
        κ as in `kappa_of_table`.

    Raises:
        ValueError: If the raters gave different numbers of labels.

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
    """Computes Krippendorff's α for nominal labels with missing values (Krippendorff 2011).

    Args:
        units: The labels given to each unit, in any order, excluding missing ones. Units with fewer
            than two labels are ignored.

    Returns:
        α, at most 1; None if it is undefined because no unit has two labels, or because all labels
        are equal.

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
    disagreement = math.fsum(
        sum(c * (m - c) for c in count.values()) / (m - 1)
        for count in counts
        if (m := count.total())
    )
    return 1 - disagreement / n / (chance / (n * (n - 1)))


def unanimous(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Returns the share of units whose labels all agree, among units with several labels.

    Returns None if no unit has several labels.

    Example:
        >>> unanimous(["aaa", "aab", "a"])
        0.5
    """
    agreements = [len(set(unit)) == 1 for unit in units if len(unit) > 1]
    return sum(agreements) / len(agreements) if agreements else None
