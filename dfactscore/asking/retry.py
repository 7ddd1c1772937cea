"""What is worth asking again, and after how long where the server does not say."""

from __future__ import annotations

import random

__all__ = ["backoff", "retryable_status"]

_RETRYABLE = frozenset({408, 409, 425, 429})


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
