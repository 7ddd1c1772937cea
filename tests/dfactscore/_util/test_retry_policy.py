from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.fetching import backoff, retryable_status


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_can_pass_is_retried(status: int) -> None:
    assert retryable_status(status)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 501])
def test_what_cannot_pass_is_not(status: int) -> None:
    assert not retryable_status(status)


@given(st.integers(0, 10_000))
def test_backoff_doubles_within_its_cap(attempt: int) -> None:
    pause = backoff(attempt, base=0.5, cap=60)
    whole = min(60.0, 0.5 * 2.0 ** min(attempt, 30))
    assert whole / 2 <= pause <= whole
