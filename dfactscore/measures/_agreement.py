"""Chance-corrected agreement (Cohen's κ, Krippendorff's α), and error rates of decisions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


Floats = NDArray[np.float64]
#: The keys of the result of `rates`, in the order of tables.
RATES = ("flagged", "precision", "recall", "f1", "balanced_accuracy", "kappa", "mcc", "accuracy")
_BINS = 10


def rates(counts: Floats) -> dict[str, Floats]:
    """Computes classification metrics from counts."""
    # `counts`: array of shape `(..., 4)`: true positives, false positives, false negatives and true
    # negatives. Expected counts need not be whole numbers.
    tp, fp, fn, tn = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    total, flagged, errors, correct = tp + fp + fn + tn, tp + fp, tp + fn, fp + tn
    observed = _share(tp + tn, total)
    chance = _share(flagged * errors + (total - flagged) * correct, total * total)
    chance = np.where(np.isclose(chance, 1.0, rtol=0, atol=1e-15), np.nan, chance)
    spread = np.sqrt(flagged) * np.sqrt(errors) * np.sqrt(correct) * np.sqrt(total - flagged)
    # For each metric, an array of shape `(...)`, with NaN if the metric is undefined: precision if
    # nothing is flagged, recall if there are no errors, balanced accuracy if a class is absent, and
    # κ if all labels and decisions are the same. An undefined MCC is 0, as in scikit-learn.
    return {
        "flagged": _share(flagged, total),
        "precision": _share(tp, flagged),
        "recall": _share(tp, errors),
        "f1": _share(2 * tp, 2 * tp + fp + fn),
        "balanced_accuracy": (_share(tp, errors) + _share(tn, correct)) / 2,
        "kappa": (observed - chance) / (1 - chance),
        "mcc": np.where(total > 0, np.nan_to_num(_share(tp * tn - fp * fn, spread)), np.nan),
        "accuracy": observed,
    }


def _share(part: Floats, total: Floats) -> Floats:
    """Divides arrays; the result is NaN if the divisor is 0."""
    undefined = np.full(np.broadcast(part, total).shape, np.nan)
    quotient: Floats = np.divide(part, total, out=undefined, where=total > 0)
    return quotient


def areas(
    probability: Floats, error: NDArray[np.bool_], weights: Iterator[Floats] | None = None
) -> Floats:
    """Computes the area under the ROC curve.

    This is the probability that an error has a lower probability of support than a correct unit;
    ties count one half.
    """
    # `weights`: blocks of shape `(draws, units)` with the weight of each unit; by default, one draw
    # with all weights equal to 1.
    if weights is None:
        weights = iter([np.ones((1, len(probability)))])
    order = np.argsort(probability, kind="stable")
    values, sorted_errors = probability[order], error[order]
    changes = values[1:] != values[:-1]
    starts = np.flatnonzero(np.r_[True, changes])
    results = [np.zeros(0)]
    for block in weights:
        if not len(values):
            results.append(np.full(len(block), np.nan))
            continue
        ordered = block[:, order]
        low = np.add.reduceat(np.where(sorted_errors, ordered, 0.0), starts, axis=1)
        high = np.add.reduceat(np.where(sorted_errors, 0.0, ordered), starts, axis=1)
        above = high[:, ::-1].cumsum(axis=1)[:, ::-1] - high
        pairs = low.sum(axis=1) * high.sum(axis=1)
        results.append(_share((low * (above + high / 2)).sum(axis=1), pairs))
    # An array of shape `(draws,)`, with NaN for draws in which a class is absent.
    return np.concatenate(results)


def calibration(probability: Floats, error: NDArray[np.bool_]) -> Mapping[str, float]:
    """Computes the expected calibration error, using ten equal bins, and the Brier score."""
    # Returns `ece` and `brier`; empty if there are no units.
    if not len(probability):
        return {}
    supported = (~error).astype(np.float64)
    place = np.minimum((probability * _BINS).astype(np.intp), _BINS - 1)
    gaps = np.bincount(place, probability - supported, minlength=_BINS)
    return {
        "ece": float(np.abs(gaps).sum() / len(probability)),
        "brier": float(((probability - supported) ** 2).mean()),
    }
