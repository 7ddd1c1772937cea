"""Retry policy: which statuses to retry, how often, and after what delay."""

from __future__ import annotations

import random
from dataclasses import dataclass

# 424 (a generation failed), 498 (capacity exceeded) and 499 (closed) are of services of models.
_RETRYABLE = frozenset({408, 409, 424, 425, 429, 498, 499})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Retries and maximum delays for a service."""

    retries: int = 5
    backoff: float = 0.5  # seconds before the first retry; the delay doubles each time, with jitter
    longest: float = 30.0
    # The maximum delay in seconds that a server may request; a longer one stops the run, which can
    # be resumed.
    max_wait: float = 120.0


def retryable_status(status: int) -> bool:
    """Whether a request with this status might succeed if it is repeated later."""
    return status in _RETRYABLE or (status >= 500 and status not in (501, 505))


def backoff(attempt: int, *, base: float, cap: float) -> float:
    """Returns the delay in seconds before the next attempt: exponential, half of it random."""
    # Without jitter, requests that failed together would be repeated together.
    return min(cap, base * 2.0 ** min(attempt, 30)) * random.uniform(0.5, 1.0)
