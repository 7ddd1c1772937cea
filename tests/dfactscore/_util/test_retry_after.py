from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.fetching import requested_wait, retry_after

NOW = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("1714521660", 60.0),  # seconds since 1970
        ("1714521660.5", 60.5),
        ("1714521600000", 0.0),  # milliseconds
        ("1714521000", 0.0),  # the past
        ("2024-05-01T00:00:30Z", 30.0),
        (" 0.25 ", 0.25),
        ("-3", 0.0),
        ("9" * 400, 1e9),
        ("", None),
        (None, None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
        ("²", None),
        ("١٢", None),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 1e9),
        ("Fri, 31 Dec 9999 23:59:59 -9999", None),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0.0),
        ("Fri, 31 Dec 99999 23:59:59 GMT", None),
        ("Fri, 99 Dec 2024 23:59:59 GMT", None),
        ("Fri, 31 Dec 2024 23:59:59 +99999999999999", None),
    ],
)
def test_values(value, seconds):
    assert retry_after(value, NOW) == seconds


def test_dates():
    date = format_datetime(NOW + timedelta(seconds=90), usegmt=True)
    assert retry_after(date, NOW) == 90
    assert retry_after(date, NOW + timedelta(hours=1)) == 0
    assert retry_after("Wed, 01 May 2024 00:00:30 -0000", NOW) == 30


def test_milliseconds_count_first():
    assert retry_after("9", milliseconds="1500") == 1.5
    assert retry_after("9", milliseconds="²") == 9
    assert retry_after("9", milliseconds="soon") == 9
    assert retry_after(None, milliseconds="1" * 500) == 1e9


@given(st.text(), st.text() | st.none())
def test_nothing_that_a_server_sends_raises(value, milliseconds):
    seconds = retry_after(value, milliseconds=milliseconds)
    assert seconds is None or 0 <= seconds <= 1e9


@given(
    st.builds(
        "{}, {} {} {} {}:{}:{} {}".format,
        st.sampled_from(["Mon", "x"]),
        st.integers(-9, 99),
        st.sampled_from(["Jan", "Feb", "Foo"]),
        st.integers(-1, 99_999),
        st.integers(-1, 99),
        st.integers(0, 99),
        st.integers(0, 99),
        st.sampled_from(["GMT", "+0000", "-9999", "+99999999999", "x"]),
    )
)
def test_no_date_raises(value):
    assert retry_after(value, NOW) is None or retry_after(value, NOW) >= 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3", "x-ratelimit-reset-tokens": "9s"}, 3.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"x-ratelimit-reset-tokens": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-requests": "7.66s"}, 7.66),
        ({"x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-reset-requests": "1h2m3s", "x-ratelimit-reset-tokens": "1s"}, 3723.0),
        ({"X-RateLimit-Reset-Tokens": "12"}, 12.0),
        ({"X-RateLimit-Reset": "1714521607000"}, 7.0),
        ({"ratelimit-reset": "30", "ratelimit-remaining": "0"}, 30.0),
        ({"ratelimit-reset": "30", "ratelimit-remaining": "5"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "99",
                "x-ratelimit-reset-requests": "8h",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "2s",
            },
            2.0,
        ),
        ({"anthropic-ratelimit-tokens-reset": "2024-05-01T00:00:09Z"}, 9.0),
        ({"x-ratelimit-reset-tokens": "soon"}, None),
        ({"x-ratelimit-reset-tokens": "0s"}, 0.0),
    ],
)
def test_limits_say_when_they_are_reset(headers, seconds):
    assert requested_wait(headers, NOW) == seconds
