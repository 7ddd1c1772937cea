"""FActScore's penalty for short outputs."""

from __future__ import annotations

import math


def length_penalty(n_facts: int, gamma: float | None) -> float:
    """Computes FActScore's length penalty: ``exp(1 - gamma / n_facts)`` up to gamma facts, 1 above.

    Example:
        >>> length_penalty(5, 10)
        0.36787944117144233
        >>> length_penalty(20, 10), length_penalty(5, None)
        (1.0, 1.0)
    """
    if gamma is None or gamma <= 0 or n_facts > gamma:
        return 1.0
    return math.exp(1 - gamma / n_facts) if n_facts else 0.0
