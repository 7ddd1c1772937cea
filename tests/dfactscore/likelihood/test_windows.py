"""Which tokens belong to the continuation, and what is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.likelihood._continuations import Window, common_start, first_token, make_window


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.data())
def test_the_first_token_is_the_first_that_holds_a_character(lengths, data):
    ends = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    spans = list(zip([0, *ends], ends, strict=False))
    cut = data.draw(st.integers(0, ends[-1] - 1))
    holds = [i for i, (a, b) in enumerate(spans) if any(c >= cut for c in range(a, b))]
    assert first_token(spans, cut) == holds[0]


def test_nothing_after_the_cut():
    assert first_token([(0, 2), (2, 4)], 4) == 2


def test_common_start():
    assert common_start([1, 2, 3], [1, 2, 4, 5]) == 2
    assert common_start([], [1]) == 0


def window(n_context, n_target, *, bos, limit):
    ids = list(range(100, 100 + n_context + n_target))
    texts = ["xy"] * n_target
    return make_window(
        ids, n_context, texts, continuation="xy" * n_target, skipped="xy", bos=bos, limit=limit
    )


@pytest.mark.parametrize("bos", [None, 7])
@given(n_context=st.integers(0, 12), n_target=st.integers(1, 6), limit=st.integers(2, 16))
def test_the_continuation_stays_whole_and_the_oldest_context_goes(bos, n_context, n_target, limit):
    found = window(n_context, n_target, bos=bos, limit=limit)
    needed = n_target + (bos is not None) + (1 if n_context and bos is None else 0)
    if needed > limit:
        assert isinstance(found, str)
        assert "does not fit" in found
        return
    if n_context == 0 and bos is None:
        if n_target == 1:
            assert isinstance(found, str)
            return
        # The text's first token counts neither in the sum nor in the lengths.
        assert isinstance(found, Window)
        assert (len(found.prompt), len(found.target)) == (1, n_target - 1)
        assert found.characters == 2 * (n_target - 1)
        return
    assert isinstance(found, Window)
    assert len(found.target) == n_target
    assert found.characters == 2 * n_target
    assert len(found.prompt) + n_target <= limit
    assert found.dropped == max(0, n_context + n_target + (bos is not None) - limit)
    kept = list(found.prompt) if bos is None else list(found.prompt[1:])
    assert kept == list(range(100 + found.dropped, 100 + n_context))
    assert bos is None or found.prompt[0] == bos
