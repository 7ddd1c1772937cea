"""The two stages: how much of a fact is on the page, and whether its parts stand together there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.binding import bind, summarize_units
from dfactscore.engines.builtin.verify.claims import Claims
from dfactscore.engines.builtin.verify.features import align
from dfactscore.engines.builtin.verify.model import Model
from dfactscore.engines.builtin.verify.premise import Premise

__all__ = ["judge"]


def judge(
    claims: Claims, premise: Premise, model: Model
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Returns each fact's probability of support and its best sentence (-1: none)."""
    if not len(claims.starts):
        return np.zeros(0), np.zeros(0, np.intp)
    aligned = align(claims, premise)
    first = model.first.log_odds(aligned.table)
    values = model.probability("first", first)
    chosen = np.flatnonzero(first >= model.gate)
    if len(chosen):
        bound = bind(claims, premise, aligned, chosen)
        units = model.units.log_odds(bound.table) if len(bound.table) else np.zeros(0)
        table = np.hstack([aligned.table[chosen], summarize_units(bound, units, first[chosen])])
        values[chosen] = model.probability("second", model.second.log_odds(table))
    return values, aligned.best
