"""Error rates of decisions against labels; an error is the positive class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: The figures that `rates` gives, in the order of the tables.
RATES = ("flagged", "precision", "recall", "f1", "balanced_accuracy", "kappa", "mcc", "accuracy")
_BINS = 10


def rates(counts: Floats) -> dict[str, Floats]:
    """Classification figures of counts; NaN if one is undefined.

    Args:
        counts: Shape ``(..., 4)``: true positives, false positives, false negatives and true
            negatives; expected counts need not be whole.

    Returns:
        By name, each of shape ``(...)``. Precision is undefined if nothing is flagged, recall
        if there is no error, balanced accuracy where a class is absent, κ where labels and
        decisions are all alike; MCC is 0 if it is undefined, as in scikit-learn.
    """
    tp, fp, fn, tn = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    total, said, errors, right = tp + fp + fn + tn, tp + fp, tp + fn, fp + tn
    observed = _share(tp + tn, total)
    chance = _share(said * errors + (total - said) * right, total * total)
    chance = np.where(np.isclose(chance, 1.0, rtol=0, atol=1e-15), np.nan, chance)
    spread = np.sqrt(said) * np.sqrt(errors) * np.sqrt(right) * np.sqrt(total - said)
    return {
        "flagged": _share(said, total),
        "precision": _share(tp, said),
        "recall": _share(tp, errors),
        "f1": _share(2 * tp, 2 * tp + fp + fn),
        "balanced_accuracy": (_share(tp, errors) + _share(tn, right)) / 2,
        "kappa": (observed - chance) / (1 - chance),
        "mcc": np.where(total > 0, np.nan_to_num(_share(tp * tn - fp * fn, spread)), np.nan),
        "accuracy": observed,
    }


def _share(part: Floats, whole: Floats) -> Floats:
    """A quotient; NaN if there is nothing to divide by."""
    nothing = np.full(np.broadcast(part, whole).shape, np.nan)
    found: Floats = np.divide(part, whole, out=nothing, where=whole > 0)
    return found


def areas(
    probability: Floats, error: NDArray[np.bool_], weights: Iterator[Floats] | None = None
) -> Floats:
    """Area under the ROC curve: how often an error gets less probability than what is right.

    Args:
        probability: Of support, shape ``(units,)``, without NaN; equal ones count one half.
        error: Shape ``(units,)``.
        weights: Blocks of shape ``(draws, units)``: how often each unit counts; by default once.

    Returns:
        Shape ``(draws,)``; NaN if a class is absent.
    """
    if weights is None:
        weights = iter([np.ones((1, len(probability)))])
    order = np.argsort(probability, kind="stable")
    values, wrong = probability[order], error[order]
    changes = values[1:] != values[:-1]
    starts = np.flatnonzero(np.r_[True, changes])
    found = [np.zeros(0)]
    for block in weights:
        if not len(values):
            found.append(np.full(len(block), np.nan))
            continue
        ordered = block[:, order]
        low = np.add.reduceat(np.where(wrong, ordered, 0.0), starts, axis=1)
        high = np.add.reduceat(np.where(wrong, 0.0, ordered), starts, axis=1)
        above = high[:, ::-1].cumsum(axis=1)[:, ::-1] - high
        pairs = low.sum(axis=1) * high.sum(axis=1)
        found.append(_share((low * (above + high / 2)).sum(axis=1), pairs))
    return np.concatenate(found)


def calibration(probability: Floats, error: NDArray[np.bool_]) -> Mapping[str, float]:
    """Expected calibration error, in ten equal bins, and Brier score of support.

    Args:
        probability: Of support, shape ``(units,)``, without NaN.
        error: Shape ``(units,)``.

    Returns:
        ``ece`` and ``brier``; empty without units.
    """
    if not len(probability):
        return {}
    supported = (~error).astype(np.float64)
    place = np.minimum((probability * _BINS).astype(np.intp), _BINS - 1)
    gaps = np.bincount(place, probability - supported, minlength=_BINS)
    return {
        "ece": float(np.abs(gaps).sum() / len(probability)),
        "brier": float(((probability - supported) ** 2).mean()),
    }
