"""Metrics that need only counts."""

from __future__ import annotations

import math

#: K of F1@K: the median and the largest number of facts of the paper's answers.
PAPER_KS = (64.0, 178.0)


def f1_at_k(supported: float, not_supported: float, k: float) -> float:
    """F1@K: precision, and recall as far as a reader wants K facts.

    "Long-form factuality in large language models" (arXiv 2403.18802, section 5). With
    ``P = S / (S + N)`` and ``R = min(S / K, 1)``, the harmonic mean of both; 0 without a supported
    fact. Irrelevant facts are in neither count.

    Args:
        supported: S, supported facts; a sum of probabilities counts as well.
        not_supported: N, facts that are not.
        k: K, the number of facts that the reader wants.

    Returns:
        A fraction in [0, 1].

    Raises:
        ValueError: If a count is negative or not finite, or K is not above 0.

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
    """The key of F1@K in files.

    Example:
        >>> f1_key(64.0)
        'f1_at_64'
    """
    return f"f1_at_{k:g}"
