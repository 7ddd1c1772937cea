"""The summary of a fact's units, compared with plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines._builtin.verify import summary
from dfactscore.engines._builtin.verify.binding import UNIT_FEATURES, Bound
from dfactscore.engines._builtin.verify.summary import BOUND, SORTS, summarize_units, worst_sort

ROLE = UNIT_FEATURES.index("is_role")


def bound(owners: list[int], sorts: list[int], seed: int) -> Bound:
    chance = np.random.default_rng(seed)
    table = chance.normal(size=(len(owners), len(UNIT_FEATURES))).astype(np.float32)
    table[:, ROLE] = chance.integers(0, 2, len(owners))
    owner, nothing = np.array(owners, np.intp), np.zeros(len(owners), np.intp)
    return Bound(table, owner, np.array(sorts, np.int32), nothing, nothing)


def slow(units: Bound, values: np.ndarray, first: np.ndarray) -> dict[str, list[float]]:
    """The same summary, one fact after another."""
    found: dict[str, list[float]] = {name: [] for name in BOUND}
    for fact, odds in enumerate(first):
        mine = sorted(np.flatnonzero(units.owner == fact), key=lambda unit: values[unit])
        told = values[mine]
        sorts = {
            "number": [unit for unit in mine if units.sort[unit] >= 2],
            "name": [unit for unit in mine if units.sort[unit] == 1],
            "word": [unit for unit in mine if units.sort[unit] == 0],
            "role": [unit for unit in mine if units.table[unit, ROLE] > 0],
        }
        row = {
            "first": odds,
            "worst": told[0] if mine else 6.0,
            "second_worst": told[1] if len(mine) > 1 else 6.0,
            "mean": told.mean() if mine else 6.0,
            "units": len(mine),
            "together": -np.logaddexp(0, -told).sum(),
            "doubted": (told < 1).sum(),
        }
        for sort, those in sorts.items():
            row[f"worst_{sort}"] = values[those[0]] if those else 6.0
        for name in summary._WORST:
            row[f"worst_{name}"] = feature(units, mine[:1], name, 0.0)
        for sort in ("number", "name"):
            for name in summary._BY_SORT:
                row[f"{sort}_{name}"] = feature(units, sorts[sort][:1], name, -99.0)
        for name in summary._LEAST:
            row[f"least_{name}"] = feature(units, mine, name, 9.0)
        for name in BOUND:
            found[name].append(float(row[name]))
    return found


def feature(units: Bound, rows: list[int], name: str, otherwise: float) -> float:
    return float(min(units.table[rows, UNIT_FEATURES.index(name)], default=otherwise))


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=14),
    st.integers(0, 1000),
)
def test_sums_are_those_of_plain_loops(parts: list[tuple[int, int]], seed: int) -> None:
    parts.sort()
    units = bound([owner for owner, _ in parts], [sort for _, sort in parts], seed)
    chance = np.random.default_rng(seed + 1)
    values, first = chance.normal(0, 3, len(parts)), chance.normal(size=5)
    table = summarize_units(units, values, first)
    assert table.shape == (5, len(BOUND))
    expected = slow(units, values, first)
    for column, name in enumerate(BOUND):
        np.testing.assert_allclose(table[:, column], expected[name], rtol=1e-5, err_msg=name)


def test_the_worst_part_is_a_number_a_name_or_a_word() -> None:
    units = bound([0, 0, 1, 1, 2, 2], [3, 0, 1, 4, 0, 1], 0)
    values = np.array([-2.0, 1.0, -2.0, 1.0, -2.0, 1.0])
    sorts = worst_sort(summarize_units(units, values, np.zeros(3)))
    assert [SORTS[sort] for sort in sorts] == ["number", "name", "word"]
