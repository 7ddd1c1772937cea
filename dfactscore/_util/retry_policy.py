"""Retry policy: which errors to retry, how often, after which delay."""

from __future__ import annotations

import random
from dataclasses import dataclass

_RETRYABLE = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Retries and longest wait for a service.

    Attributes:
        retries: Attempts after the first, for faults that may pass.
        backoff: Seconds before the first retry; doubles each time, with jitter.
        longest: Longest of these pauses.
        max_wait: Longest pause that a server may ask for; beyond it the run stops, resumably.
    """

    retries: int = 5
    backoff: float = 0.5
    longest: float = 30.0
    max_wait: float = 120.0


def retryable_status(status: int) -> bool:
    """Whether the same request can succeed later (time-outs, conflicts, limits, server faults)."""
    return status in _RETRYABLE or (status >= 500 and status not in (501, 505))


def backoff(attempt: int, *, base: float, cap: float) -> float:
    """Seconds to wait before the next attempt: doubling, capped, with jitter over the upper half.

    Args:
        attempt: 0 after the first failure.
        base: Seconds after the first failure.
        cap: Maximum seconds.
    """
    # Without jitter all requests that failed together would come back together.
    return min(cap, base * 2.0 ** min(attempt, 30)) * random.uniform(0.5, 1.0)
