"""Baselines that look only at the completions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dfactscore._util.numbers import mean
from dfactscore.factor._factor_items import FactorItem
from dfactscore.factor._verdicts import judge

#: Higher is likelier.
BASELINES: Mapping[str, Callable[[str], float]] = {
    "fewest words": lambda text: -float(len(text.split())),
    "most words": lambda text: float(len(text.split())),
    "shortest": lambda text: -float(len(text)),
    "longest": lambda text: float(len(text)),
}


def baselines(items: Sequence[FactorItem]) -> dict[str, dict[str, Any]]:
    """The accuracy of trivial models: strict, with credit shared between ties, and by first index.

    The last variant picks the first of several tied completions. Because the true completion comes
    first, this rewards ties; the variant is reported to show how much.
    """
    accuracies = {}
    for name, value in BASELINES.items():
        verdicts = [judge([value(text.strip()) for text in item.completions]) for item in items]
        known = [v for v in verdicts if v is not None]
        accuracies[name] = {
            "accuracy": mean(float(v.right) for v in known),
            "accuracy_tie_credit": mean(v.credit for v in known),
            "first_index": mean(float(v.picked == 0) for v in known),
            "ties": sum(v.tie for v in known),
        }
    return accuracies
