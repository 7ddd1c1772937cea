"""A mean of what passes by has the digits of the mean of all; one thing, several things."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.numbers import Mean, counted, decimal, is_probability, mean

VALUES = st.none() | st.integers(-9, 9) | st.floats(-1e200, 1e200)


@given(values=st.lists(VALUES, max_size=60), cut=st.integers(0, 60))
def test_every_digit(values, cut):
    whole, first, second = Mean(), Mean(), Mean()
    for number, value in enumerate(values):
        whole.add(value)
        (first if number < cut else second).add(value)
    first.merge(second)
    assert whole.value == first.value == mean(values)
    assert whole.count == first.count


def test_a_handful_of_floats():
    total = Mean()
    for number in range(20_000):
        total.add(1 / (1 + number))
    assert len(total._parts) < 10


@given(n=st.integers(0, 99), thing=st.sampled_from(["text", "biography", "answer", "page"]))
def test_one_thing_or_several(n, thing):
    said = counted(n, thing)
    assert said.startswith(f"{n} {thing[:-1]}")
    assert said.endswith("s") == (n != 1)


def test_numbers_that_no_float_holds():
    assert decimal(10**400) == decimal("9" * 400) == -decimal(-(10**400)) == float("inf")
    assert not is_probability(10**400)
    assert is_probability(1)
