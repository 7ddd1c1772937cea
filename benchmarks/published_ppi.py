"""PPI++ as its authors publish it, for comparison with `tuned`."""

from __future__ import annotations

import math

import numpy as np

from dfactscore.correct._estimator import Array
from dfactscore.measures._resampling import Interval


def ppi_mean(
    judge: Array, labels: Array, *, power: float | None = None, confidence: float = 0.95
) -> tuple[float, Interval, float]:
    """Returns mean, normal interval and λ of PPI++ (arXiv 2311.01453, sections 2 and 6).

    The texts without a label are the unlabeled sample. Its normal interval is too narrow for a few
    dozen skewed scores, which is why `correct` does not use it.

    Args:
        judge: Shape ``(texts,)``, the judge's scores.
        labels: Shape ``(texts,)``, NaN if a text has no label.
        power: λ; tuned, and clipped to [0, 1], by default.
        confidence: Confidence of the interval.
    """
    from scipy.stats import norm

    labeled = ~np.isnan(labels)
    scores, said, others = judge[labeled], labels[labeled], judge[~labeled]
    n, m = len(said), len(others)
    if power is None:
        spread = float(judge.var(ddof=1))
        shared = float(((said - said.mean()) * (scores - scores.mean())).mean())
        power = min(1.0, max(0.0, shared / ((1 + n / m) * spread))) if spread > 0 else 0.0
    mean = float(power * others.mean() + (said - power * scores).mean())
    error = math.sqrt(power**2 * others.var() / m + (said - power * scores).var() / n)
    half = float(norm.ppf((1 + confidence) / 2)) * error
    return mean, Interval(mean - half, mean + half), power
