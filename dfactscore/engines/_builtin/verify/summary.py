"""Summarizes the units of a fact by their worst values and the features of the worst unit."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify.binding import UNIT_FEATURES, Bound
from dfactscore.engines._builtin.verify.runs import starts_of

SORTS = ("number", "name", "word")  # a number includes dates and years

_WORST = tuple(
    """
    covered near lead_near lead_close lead_after lead_ahead sentence lead_typed of_peak lead_event
    verb type holder
    """.split()
)
# features of the worst number or date, and of the worst name
_BY_SORT = tuple(
    """
    lead_near lead_event event_gap near type verb rival_fine unlike_near holder lead_typed
    of_subject
    """.split()
)
_LEAST = ("lead_near", "lead_event", "near")  # their minimum over all units
_WHOLE = """
    first worst second_worst mean worst_number worst_name worst_word units together doubted
    worst_role
    """.split()
BOUND = (
    *_WHOLE,
    *(f"worst_{name}" for name in _WORST),
    *(f"{sort}_{name}" for sort in ("number", "name") for name in _BY_SORT),
    *(f"least_{name}" for name in _LEAST),
)
_NAMES = {"worst": _WORST, "number": _BY_SORT, "name": _BY_SORT, "least": _LEAST}
# columns of the summary, and of the units' table
_PLACES = {
    of: (
        [BOUND.index(f"{of}_{name}") for name in names],
        [UNIT_FEATURES.index(name) for name in names],
    )
    for of, names in _NAMES.items()
}
_WORST_OF = {of: BOUND.index(f"worst_{of}") for of in (*SORTS, "role")} | {"worst": 1}
_NO_UNIT = [BOUND.index("second_worst"), BOUND.index("mean"), *_WORST_OF.values()]
_IS_ROLE = UNIT_FEATURES.index("is_role")
_FINE = 6.0  # log-odds if there is no such unit
_NONE = {"number": -99.0, "name": -99.0, "least": 9.0}  # the values used for missing features


def worst_sort(table: NDArray[np.float32]) -> NDArray[np.intp]:
    """Returns the index in `SORTS` of the worst unit's sort, for rows that end with `BOUND`."""
    bound = table[:, -len(BOUND) :]
    worst = bound[:, BOUND.index("worst")]
    number, name = (bound[:, BOUND.index(f"worst_{sort}")] <= worst for sort in SORTS[:2])
    return np.where(number, 0, np.where(name, 1, 2))


def summarize_units(
    bound: Bound, values: NDArray[np.float64], first: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Summarizes the units of each fact, shape ``(facts, len(BOUND))``."""
    # `values`: shape `(units,)`, each unit's log-odds of being right.
    table = np.zeros((len(first), len(BOUND)), dtype=np.float32)
    for of, value in _NONE.items():
        table[:, _PLACES[of][0]] = value
    table[:, _NO_UNIT] = _FINE
    table[:, 0] = first
    if not len(values):
        return table
    order = np.lexsort((values, bound.owner))
    owners, ranked, features = bound.owner[order], values[order], bound.table[order]
    starts = starts_of(owners)
    facts, sizes = owners[starts], np.append(starts[1:], len(owners)) - starts
    two = sizes > 1
    table[facts[two], 2] = ranked[starts[two] + 1]
    table[facts, 3] = np.add.reduceat(ranked, starts) / sizes
    table[facts, 7] = sizes
    table[facts, 8] = np.add.reduceat(-np.logaddexp(0.0, -ranked), starts)
    table[facts, 9] = np.add.reduceat((ranked < 1.0).astype(np.float64), starts)
    places, columns = _PLACES["least"]
    table[facts[:, None], places] = np.minimum.reduceat(features[:, columns], starts)
    sorts = bound.sort[order]
    for of, chosen in {
        "worst": starts,
        "number": np.flatnonzero(sorts >= 2),
        "name": np.flatnonzero(sorts == 1),
        "word": np.flatnonzero(sorts == 0),
        "role": np.flatnonzero(features[:, _IS_ROLE] > 0),
    }.items():
        worst = chosen[starts_of(owners[chosen])]
        those = owners[worst]
        table[those, _WORST_OF[of]] = ranked[worst]
        if of in _PLACES:
            places, columns = _PLACES[of]
            table[those[:, None], places] = features[worst][:, columns]
    return table
