"""The two stages: how much of a fact is on the page, and whether its parts stand together there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.binding import bind
from dfactscore.engines.builtin.verify.claims import Claims
from dfactscore.engines.builtin.verify.conflict import conflicts, denied, may_conflict
from dfactscore.engines.builtin.verify.features import align
from dfactscore.engines.builtin.verify.model import Model
from dfactscore.engines.builtin.verify.premise import Premise
from dfactscore.engines.builtin.verify.summary import summarize_units

__all__ = ["Judged", "judge"]

DENIED = 0.1  # the most that a fact gets where the page says that it is not so


@dataclass(frozen=True, eq=False, slots=True)
class Judged:
    """What is said of facts against one entity's documents.

    Attributes:
        values: Shape ``(facts,)``, probability of support.
        best: Shape ``(facts,)``, the best sentence, -1 if there is none.
        against: Shape ``(facts,)``, the entry of `Positions` with another value, -1 if there is
            none; it means something only where the fact is not supported.
    """

    values: NDArray[np.float64]
    best: NDArray[np.intp]
    against: NDArray[np.intp]


def judge(claims: Claims, premise: Premise, model: Model, *, compare: bool = False) -> Judged:
    """Judges facts.

    Args:
        claims: The facts.
        premise: The documents.
        model: The coefficients.
        compare: Whether to look for other values on the page, too.
    """
    count = len(claims.starts)
    if not count:
        return Judged(np.zeros(0), np.zeros(0, np.intp), np.zeros(0, np.intp))
    aligned = align(claims, premise)
    first = model.first.log_odds(aligned.table)
    values = model.probability("first", first)
    against = np.full(count, -1, dtype=np.intp)
    passed = first >= model.gate
    chosen = np.flatnonzero(passed | may_conflict(aligned) if compare else passed)
    if len(chosen):
        bound = bind(claims, premise, aligned, chosen)
        if compare:
            against[chosen] = conflicts(bound, len(chosen))
        kept = np.flatnonzero(passed[chosen])
        if len(kept):
            bound = bound.only(kept)
            chosen = chosen[kept]
            units = model.units.log_odds(bound.table) if len(bound.table) else np.zeros(0)
            table = np.hstack([aligned.table[chosen], summarize_units(bound, units, first[chosen])])
            found = model.probability("second", first[chosen] + model.correction(table))
            values[chosen] = np.where(denied(bound, len(chosen)), np.minimum(found, DENIED), found)
    return Judged(values, aligned.best, against)
