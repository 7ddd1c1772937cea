from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dfactscore.annotation._creating import allocate, doubles_of

PEOPLE = ["ann", "ben", "cat", "dan", "eva", "fay", "gus"]


def loads(found, keys=None):
    return Counter(n for k, names in found.items() if keys is None or k in keys for n in names)


def test_three_hundred_paragraphs():
    models = {m: [(m, i) for i in range(100)] for m in ("x", "y", "z")}
    found = allocate(models, PEOPLE[:3], double=0.1, seed=4)
    assert sum(map(len, found.values())) == 330
    assert set(loads(found).values()) == {110}
    for keys in models.values():
        assert set(loads(found, set(keys)).values()) == {36, 37}
        assert sum(len(found[k]) == 2 for k in keys) == 10
    pairs = Counter(frozenset(names) for names in found.values() if len(names) == 2)
    assert set(pairs.values()) == {10}
    assert found == allocate(models, PEOPLE[:3], double=0.1, seed=4)
    assert found != allocate(models, PEOPLE[:3], double=0.1, seed=5)


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=5),
    st.integers(1, 7),
    st.sampled_from([0, 0.05, 0.07, 0.1, 0.3, 0.5, 0.9, 1]),
    st.integers(0, 3),
)
def test_loads_are_equal(sizes, n_people, double, seed):
    strata = {f"m{s}": [(s, i) for i in range(n)] for s, n in enumerate(sizes)}
    people = PEOPLE[:n_people]
    found = allocate(strata, people, double=double, seed=seed)
    assert set(found) == {k for keys in strata.values() for k in keys}
    for keys in strata.values():
        within = loads(found, set(keys))
        assert max(within[p] for p in people) - min(within[p] for p in people) <= 1
        expected = doubles_of(len(keys), double) if n_people > 1 else 0
        assert sum(len(found[k]) == 2 for k in keys) == expected
    over = loads(found)
    assert max(over[p] for p in people) - min(over[p] for p in people) <= 1
    assert all(len(set(names)) == len(names) in (1, 2) for names in found.values())


@given(st.integers(3, 6), st.integers(1, 3))
def test_pairs_rotate(n_people, rounds):
    """Where the doubles go evenly into the pairs, no pair has many more than another."""
    people = PEOPLE[:n_people]
    n_pairs = n_people * (n_people - 1) // 2
    strata = {"m": list(range(rounds * n_pairs * 2))}
    found = allocate(strata, people, double=0.5)
    pairs = Counter(frozenset(names) for names in found.values() if len(names) == 2)
    assert len(pairs) == n_pairs
    assert max(pairs.values()) - min(pairs.values()) <= 2


def test_shares_as_written():
    assert [doubles_of(n, 0.1) for n in (0, 1, 10, 30, 31)] == [0, 1, 1, 3, 4]
    assert doubles_of(100, 0.07) == 7
    assert doubles_of(3, 1.0) == 3
