"""Metrics that need only counts."""

from __future__ import annotations

import math

#: Values of K for F1@K: median and maximum number of facts in the answers of the paper.
PAPER_KS = (64.0, 178.0)


def f1_at_k(supported: float, not_supported: float, k: float) -> float:
    """Computes F1@K, the harmonic mean of precision and recall up to K facts.

    ``P = S / (S + N)`` and ``R = min(S / K, 1)``; F1@K is 0 if no fact is supported. Irrelevant
    facts are not counted. Source: "Long-form factuality in large language models" (arXiv
    2403.18802, section 5).

    Example:
        >>> round(f1_at_k(10, 8, 64), 6), f1_at_k(0, 5, 64), f1_at_k(64, 0, 64)
        (0.243902, 0.0, 1.0)
    """
    for name, value in (("supported", supported), ("not_supported", not_supported)):
        if not 0 <= value < math.inf:
            raise ValueError(f"{name}={value!r}: expected a number of facts, 0 or more")
    if not 0 < k < math.inf:
        raise ValueError(f"k={k!r}: expected a number of facts above 0")
    if not supported:
        return 0.0
    precision, recall = supported / (supported + not_supported), min(supported / k, 1.0)
    return 2 * precision * recall / (precision + recall)


def f1_key(k: float) -> str:
    """Returns the key of F1@K in files.

    Example:
        >>> f1_key(64.0)
        'f1_at_64'
    """
    return f"f1_at_{k:g}"
