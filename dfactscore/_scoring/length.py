"""FActScore's penalty for short outputs."""

from __future__ import annotations

import math


def length_penalty(n_facts: int, gamma: float | None) -> float:
    """Returns ``exp(1 - gamma / n_facts)`` for at most gamma facts, else 1 (FActScore).

    Args:
        n_facts: Number of facts of one biography (facts, never groups).
        gamma: 10 in FActScore; None for no penalty.

    Example:
        >>> length_penalty(5, 10)
        0.36787944117144233
        >>> length_penalty(20, 10), length_penalty(5, None)
        (1.0, 1.0)
    """
    if gamma is None or gamma <= 0 or n_facts > gamma:
        return 1.0
    return math.exp(1 - gamma / n_facts) if n_facts else 0.0
