"""Draws of paragraphs, which many figures of one report share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures.bootstrap import resample_counts

__all__ = ["drawn_counts"]

_MOST = 5_000_000  # counts that are kept: 40 MB


def drawn_counts(n: int, resamples: int, seed: int) -> Iterable[NDArray[np.float64]]:
    """How often each of n paragraphs is drawn, block by block; see `resample_counts`."""
    if n * resamples > _MOST:
        return resample_counts(n, resamples=resamples, seed=seed)
    return _kept(n, resamples, seed)


@lru_cache(maxsize=3)
def _kept(n: int, resamples: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    return tuple(resample_counts(n, resamples=resamples, seed=seed))
