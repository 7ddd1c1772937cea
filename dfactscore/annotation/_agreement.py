"""Measures of agreement: percent, Krippendorff's alpha, B-cubed F1, adjusted Rand index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from dfactscore.measures._agreement import krippendorff_alpha as _alpha


def percent_agreement(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Share of equal pairs among all pairs of values for the same unit; None if there are no pairs.

    Args:
        units: The values of each unit, one per person; None for a missing value.
    """
    same = pairs = 0
    for unit in units:
        counts = Counter(value for value in unit if value is not None)
        n_values = counts.total()
        pairs += n_values * (n_values - 1) // 2
        same += sum(n * (n - 1) // 2 for n in counts.values())
    return same / pairs if pairs else None


def krippendorff_alpha(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Krippendorff's alpha for nominal values, some of which may be missing (Krippendorff 2011).

    Args:
        units: The values of each unit, one per person; None for a missing value.

    Returns:
        Alpha, which is at most 1; None if all values are equal or no unit has two values.

    Example:
        >>> rows = ["0 0 1 - 0 1 2", "0 1 1 0 - 1 2", "- 0 1 0 0 - 1"]
        >>> table = [[None if v == "-" else v for v in row.split()] for row in rows]
        >>> print(f"{krippendorff_alpha(zip(*table)):.6f}")
        0.627907
    """
    return _alpha([value for value in unit if value is not None] for unit in units)


def b_cubed_f1(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """B-cubed F1 of two groupings of the same facts (Bagga and Baldwin 1998); symmetric.

    Args:
        first: The group of each fact in one grouping.
        second: The group of each fact in the other grouping.

    Example:
        >>> b_cubed_f1([1, 1, 2, 2], [1, 1, 1, 1])
        0.6666666666666666
    """
    cells, rows, columns = _overlaps(first, second)
    n = len(first)
    if not n:
        return 1.0
    precision = sum(c * c / rows[a] for (a, _), c in cells.items()) / n
    recall = sum(c * c / columns[b] for (_, b), c in cells.items()) / n
    return 2 * precision * recall / (precision + recall)


def adjusted_rand(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """The adjusted Rand index of two groupings (Hubert and Arabie 1985); 1 if they are equal.

    Example:
        >>> adjusted_rand([1, 1, 1, 1], [1, 1, 2, 2])
        0.0
    """
    cells, rows, columns = _overlaps(first, second)
    together = sum(c * (c - 1) // 2 for c in cells.values())
    in_first = sum(c * (c - 1) // 2 for c in rows.values())
    in_second = sum(c * (c - 1) // 2 for c in columns.values())
    pairs = len(first) * (len(first) - 1) // 2
    if in_first == in_second == together:
        return 1.0
    # Integer arithmetic up to the division gives the same digits as scikit-learn.
    above = 2 * (together * pairs - in_first * in_second)
    return above / ((in_first + in_second) * pairs - 2 * in_first * in_second)


def _overlaps(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> tuple[Counter[tuple[Any, Any]], Counter[Any], Counter[Any]]:
    return Counter(zip(first, second, strict=True)), Counter(first), Counter(second)
