"""Questions are sorted into batches for the model."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines._nli.entailment_model import make_batches

lengths = st.lists(st.integers(1, 600), max_size=200)


@given(lengths, st.integers(1, 5000))
def test_every_question_once_longest_first_in_few_calls(sizes, limit):
    batches = make_batches(sizes, limit)
    order = [i for batch in batches for i in batch]
    assert sorted(order) == list(range(len(sizes)))
    assert [sizes[i] for i in order] == sorted(sizes, reverse=True)
    assert all(batches)
    assert len(batches) <= math.ceil(sum(sizes) / limit) + 1
    # Equal lengths keep their order, so that a resumed run has the same batches.
    assert order == sorted(order, key=lambda i: (-sizes[i], i))


@given(st.lists(st.integers(300, 400), min_size=1, max_size=200), st.integers(800, 20_000))
def test_calls_of_like_lengths_stay_within_the_limit(sizes, limit):
    for batch in make_batches(sizes, limit):
        # A question of 400 tokens may leave 399 of 800 unused, and more calls are not allowed.
        assert len(batch) * max(sizes[i] for i in batch) <= 2 * limit


def test_little_is_padded():
    sizes = [400] * 30 + [150] * 60 + [40] * 100
    batches = make_batches(sizes, 4096)
    padded = [len(batch) * max(sizes[i] for i in batch) for batch in batches]
    assert sum(padded) / sum(sizes) < 1.06
    assert max(padded) <= 4096


def test_one_more_call_is_spent_only_where_it_saves_something():
    assert make_batches([10] * 8, 100) == [list(range(8))]
    assert make_batches([60, 10, 10, 10], 1000) == [[0], [1, 2, 3]]
    assert make_batches([], 100) == []
    assert make_batches([500], 100) == [[0]]
