"""A table of keys is a dict that needs little memory."""

from __future__ import annotations

import hashlib
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.bounded_memory import KeyTable


def digest(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()[:32]


KEYS = [digest(i) for i in range(40)] + ["a", "", "b" * 31, "A" * 32, "0" * 32, "f" * 32, "é" * 32]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "forget"]),
        st.sampled_from(KEYS),
        st.integers(0, 2**63),
        st.integers(0, 2**32 - 1),
    ),
    max_size=200,
)


@given(steps=STEPS)
def test_like_a_dict(steps):
    table, known = KeyTable(), {}
    for step, key, start, length in steps:
        if step == "put":
            table.put(key, start, length)
            known[key] = (start, length)
        else:
            table.forget(key)
            known.pop(key, None)
    assert list(table) == list(known)
    assert len(table) == len(known)
    assert table.total() == sum(length for _, length in known.values())
    for key in KEYS:
        assert table.get(key) == known.get(key)
        assert (key in table) == (key in known)


def test_numbers_are_of_entries():
    table = KeyTable()
    for i in range(100):
        table.put(digest(i))
    table.forget(digest(3))
    assert [table.number(digest(i)) for i in (0, 2, 3, 4, 99, 100)] == [0, 2, None, 4, 99, None]


def test_fifty_bytes_a_key():
    keys = [digest(i) for i in range(20_000)]
    tracemalloc.start()
    try:
        table = KeyTable()
        for i, key in enumerate(keys):
            table.put(key, i, 1)
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert size < 50 * len(keys)
