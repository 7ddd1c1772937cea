"""What the units of a fact say together: its worst ones, and where the worst one stands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.binding import UNIT_FEATURES, Bound

__all__ = ["BOUND", "number_is_worst", "summarize_units"]

_WORST = (
    "covered",
    "near",
    "lead_near",
    "lead_close",
    "lead_after",
    "lead_ahead",
    "sentence",
    "lead_typed",
    "of_peak",
    "lead_event",
    "verb",
    "type",
    "holder",
)
BOUND = (
    "first",
    "worst",
    "second_worst",
    "mean",
    "worst_number",
    "worst_name",
    "worst_word",
    "units",
    "together",
    "doubted",
    "worst_role",
    *(f"worst_{name}" for name in _WORST),
)


def number_is_worst(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether the unit that stands worst is a number or a date, by rows that end with `BOUND`."""
    bound = table[:, -len(BOUND) :]
    return np.asarray(bound[:, BOUND.index("worst_number")] <= bound[:, BOUND.index("worst")])


def summarize_units(
    bound: Bound, values: NDArray[np.float64], first: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Sums up the units' log-odds of standing rightly, by fact, shape ``(facts, len(BOUND))``.

    Args:
        bound: The units of the facts.
        values: Shape ``(units,)``, log-odds.
        first: Shape ``(facts,)``, log-odds of the facts by the first stage.
    """
    count = len(first)
    table = np.zeros((count, len(BOUND)), dtype=np.float32)
    table[:, 0] = first
    table[:, 1:7] = 6.0
    if not len(values):
        return table
    order = np.lexsort((values, bound.owner))
    ranked = bound.owner[order]
    facts, starts = np.unique(ranked, return_index=True)
    sizes = np.diff(np.append(starts, len(ranked)))
    table[facts, 1] = values[order[starts]]
    two = sizes > 1
    table[facts[two], 2] = values[order[starts[two] + 1]]
    table[facts, 3] = np.add.reduceat(values[order], starts) / sizes
    for place, chosen in enumerate((bound.sort >= 2, bound.sort == 1, bound.sort == 0), 4):
        np.minimum.at(table[:, place], bound.owner[chosen], values[chosen].astype(np.float32))
    table[facts, 7] = sizes
    ranked_values = values[order]
    table[facts, 8] = np.add.reduceat(-np.logaddexp(0.0, -ranked_values), starts)
    table[facts, 9] = np.add.reduceat((ranked_values < 1.0).astype(np.float64), starts)
    table[:, 10] = 6.0
    roles = bound.table[:, UNIT_FEATURES.index("is_role")] > 0
    np.minimum.at(table[:, 10], bound.owner[roles], values[roles].astype(np.float32))
    columns = [UNIT_FEATURES.index(name) for name in _WORST]
    table[facts, 11:] = bound.table[order[starts]][:, columns]
    return table
