"""Calibration and thresholds of the verifier, chosen on training names by inner folds.

Thresholds by kind of evidence:

- `passages`: the laxest of those at which the mean of balanced accuracy (of fact–entity and NLI
  pairs) and of own-page minus wrong-page support (of the facts of known-truth mixes,
  `known_truth_groups.py`) is within 0.002 of the best, wrong-page support being at most 7.2 %;
- `page`: the same on pages made longer, without the NLI pairs, and at most 8 %;
- `citation`: where as many sentences of the NLI pairs are accepted as their labels accept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from known_truth_groups import persons
from verifier_data import Pair

WRONG_PAGE_MOST = {"passages": 0.072, "page": 0.08}
AS_GOOD = 0.002  # thresholds that differ by less are as good (names differ by far more)


def balanced_accuracies(pairs: Sequence[Pair], values: np.ndarray, threshold: float) -> list[float]:
    """Fact–entity pairs, NLI pairs, and own page against wrong page."""
    return _accuracies(_masks(pairs), values >= threshold)


_Masks = list[tuple[np.ndarray, np.ndarray]]


def _masks(pairs: Sequence[Pair]) -> _Masks:
    """Returns masks of the pairs to accept and to reject, by set; equal for every threshold."""
    kind = np.array([pair.kind for pair in pairs])
    label = np.array([pair.label for pair in pairs])
    return [
        ((kind == 0) & (label == 1), (kind == 0) & (label == 0)),
        ((kind == 1) & (label == 1), (kind == 1) & (label == 0)),
        ((kind == 0) & (label == 1), kind == 2),
    ]


def _accuracies(told: _Masks, said: np.ndarray) -> list[float]:
    return [
        float((said[yes].mean() + 1 - said[no].mean()) / 2) if yes.any() and no.any() else 0.5
        for yes, no in told
    ]


def known_truth_cells(pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the facts of known-truth mixes with their own page, and with the other page."""
    place = {(p.name, p.fact, p.title): i for i, p in enumerate(pairs) if p.kind in (0, 2)}
    own, wrong = [], []
    for item in persons(pairs):
        for side in (0, 1):
            for fact in item.facts[side]:
                a = place.get((item.name, fact, item.titles[side]))
                b = place.get((item.name, fact, item.titles[1 - side]))
                if a is not None and b is not None:
                    own.append(a)
                    wrong.append(b)
    return np.array(own, dtype=np.intp), np.array(wrong, dtype=np.intp)


def calibrate(
    pairs: Sequence[Pair], first: np.ndarray, second: np.ndarray, passed: np.ndarray
) -> tuple[dict[str, list[float]], np.ndarray]:
    """Fits intercept and slope of each stage's log-odds; returns them and the probabilities.

    Only labelled pairs count: made ones have no natural frequency.
    """
    label = np.array([pair.label for pair in pairs], dtype=float)
    natural = np.array([pair.kind < 2 for pair in pairs])
    found: dict[str, list[float]] = {}
    values = np.zeros(len(pairs))
    for name, x, rows in (("first", first, ~passed), ("second", second, passed)):
        a, b = _platt(x[rows & natural], label[rows & natural])
        found[name] = [round(a, 4), round(b, 4)]
        values[rows] = 1 / (1 + np.exp(-(found[name][0] + found[name][1] * x[rows])))
    return found, values


def _platt(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Logistic regression of one variable, by Newton steps from the identity.

    A step that would make the fit worse is halved: where the identity is almost sure of wrong
    labels, whole steps lead ever further away.
    """
    if len(x) < 20 or y.min() == y.max():
        return 0.0, 1.0
    design = np.stack([np.ones_like(x), x], axis=1)
    identity = np.array([0.0, 1.0])
    penalty = np.diag([1e-6, 1.0])

    def loss(line: np.ndarray) -> float:
        odds, away = design @ line, line - identity
        return float((np.logaddexp(0.0, odds) - y * odds).sum() + away @ penalty @ away / 2)

    found = identity
    for _ in range(25):
        p = 1 / (1 + np.exp(-design @ found))
        slope = design.T @ (y - p) - penalty @ (found - identity)
        curve = (design * (p * (1 - p))[:, None]).T @ design + penalty
        step = np.linalg.solve(curve, slope)
        while loss(found + step) > loss(found) and np.abs(step).max() > 1e-6:
            step = step / 2
        found = found + step
    return float(found[0]), float(max(found[1], 0.1))


def choose_thresholds(pairs: Sequence[Pair], values: np.ndarray) -> dict[str, float]:
    """Chooses thresholds by the rules in the module docstring."""
    long = np.array([pair.own.endswith("(padded)") for pair in pairs])
    found = {
        kind: _best(
            [p for p, inside in zip(pairs, rows, strict=True) if inside], values[rows], kind
        )
        for kind, rows in (("passages", ~long), ("page", long))
    }
    cited = np.array([pair.kind == 1 for pair in pairs]) & ~long
    label = np.array([pair.label for pair in pairs])
    found["citation"] = (
        round(float(np.quantile(values[cited], 1 - label[cited].mean())), 2)
        if cited.any()
        else found["passages"]
    )
    return {kind: min(0.95, max(0.05, value)) for kind, value in found.items()}


def _best(pairs: Sequence[Pair], values: np.ndarray, kind: str) -> float:
    grid = np.round(np.arange(0.3, 0.95, 0.01), 2)
    if not len(pairs):
        return 0.6
    sets = slice(0, 2) if kind == "passages" else slice(0, 1)
    told = _masks(pairs)
    accuracy = np.array([np.mean(_accuracies(told, values >= t)[sets]) for t in grid])
    own, wrong = known_truth_cells(pairs)
    if len(own):
        kept = np.array([np.mean(values[own] >= t) for t in grid])
        lent = np.array([np.mean(values[wrong] >= t) for t in grid])
        aim = (accuracy + kept - lent) / 2
    else:
        lent = np.zeros(len(grid))
        aim = accuracy
    smooth = np.convolve(np.pad(aim, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    allowed = lent <= WRONG_PAGE_MOST[kind]
    smooth = np.where(allowed, smooth, -1.0)
    if not allowed.any():
        return float(grid[-1])
    return float(grid[np.flatnonzero(smooth >= smooth.max() - AS_GOOD)[0]])
