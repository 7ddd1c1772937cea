"""The two stages: how much of a fact is on the page, and whether its parts are close together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify import conflict
from dfactscore.engines._builtin.verify.binding import bind
from dfactscore.engines._builtin.verify.claims import Claims
from dfactscore.engines._builtin.verify.features import FEATURES, align
from dfactscore.engines._builtin.verify.model import Model
from dfactscore.engines._builtin.verify.premise import Premise
from dfactscore.engines._builtin.verify.summary import summarize_units

DENIES = -2  # in place of an entry: the best sentence denies the fact
_OTHER_YEAR = FEATURES.index("role_conflict")
DENIED = 0.01  # the highest probability, before the map, of a fact that the page denies


@dataclass(frozen=True, eq=False, slots=True)
class Judged:
    """The results of judging facts against an entity's documents."""

    values: NDArray[np.float64]  # shape `(facts,)`, the probability of support
    best: NDArray[np.intp]  # shape `(facts,)`, the best sentence; -1 if there is none
    # Shape `(facts,)`, the entry of `Positions` with a conflicting value, `DENIES` if the best
    # sentence denies the fact, -1 otherwise. Only meaningful for unsupported facts.
    against: NDArray[np.intp]


def judge(
    claims: Claims, premises: Sequence[Premise], model: Model, *, compare: bool = False
) -> list[Judged]:
    """Judges facts against several entities' documents, treating each entity as the only one."""
    count = len(claims.starts)
    if not count:
        return [Judged(np.zeros(0), np.zeros(0, np.intp), np.zeros(0, np.intp)) for _ in premises]
    aligned = align(claims, premises)
    features = aligned.table
    first = model.first.log_odds(features)
    values = model.probability("first", first)
    against = np.full(len(first), -1, dtype=np.intp)
    passed = first >= model.gate
    chosen = np.flatnonzero(passed | conflict.may_conflict(features) if compare else passed)
    if len(chosen):
        bound = bind(claims, premises, aligned, chosen)
        if compare:
            against[chosen] = conflict.conflicts(bound, len(chosen))
            for row in np.flatnonzero(features[:, _OTHER_YEAR]):
                page, fact = divmod(int(row), count)
                against[row] = conflict.life_year(claims.roles[fact], premises[page])
        passing = np.flatnonzero(passed[chosen])
        if len(passing):
            bound = bound.only(passing)
            chosen = chosen[passing]
            units = model.units.log_odds(bound.table) if len(bound.table) else np.zeros(0)
            table = np.hstack([features[chosen], summarize_units(bound, units, first[chosen])])
            probability = model.probability("second", first[chosen] + model.correction(table))
            is_denied = conflict.denied(bound, len(chosen))
            values[chosen] = np.where(is_denied, np.minimum(probability, DENIED), probability)
            if compare:
                against[chosen[is_denied & (against[chosen] < 0)]] = DENIES
    return [
        Judged(values[part], aligned.best[part], against[part])
        for part in (slice(start, start + count) for start in range(0, len(first), count))
    ]
