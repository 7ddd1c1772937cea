"""Error rates of decisions, measured against labels; errors are the positive class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

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
