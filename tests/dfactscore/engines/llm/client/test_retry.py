from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines.llm.client.retry import backoff, retry_after, retryable_status


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


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0.25", 0.25),
        ("-3", 0.0),
        ("", None),
        (None, None),
        ("soon", None),
        ("nan", None),
    ],
)
def test_retry_after_in_seconds(value: str | None, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_retry_after_as_a_date() -> None:
    now = datetime(2024, 5, 1, tzinfo=timezone.utc)
    date = format_datetime(now + timedelta(seconds=90), usegmt=True)
    assert retry_after(date, now) == 90
    assert retry_after(date, now + timedelta(hours=1)) == 0
    assert retry_after("Wed, 01 May 2024 00:00:30 -0000", now) == 30
