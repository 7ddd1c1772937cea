"""How much a score moves when the same facts are judged several times."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np

from dfactscore.scoring.record import Record

__all__ = ["spread"]


def spread(repetitions: Sequence[Sequence[Record]]) -> dict[str, Any]:
    """Describes the spread over repetitions of one job.

    Args:
        repetitions: The scored records of each, in the same order.

    Returns:
        For ``fs`` and ``dfs``: the mean of each repetition's macro average, their standard
        deviation (n - 1), least and greatest, and the mean standard deviation of a single
        biography's score; ``flipped``: the share of fact-entity cells whose status is not the
        same in all repetitions.
    """
    result: dict[str, Any] = {"repeats": len(repetitions)}
    for name in ("fs", "dfs"):
        rows = [[getattr(s.scores, name, None) for s in scored] for scored in repetitions]
        means = [
            statistics.fmean(present)
            for row in rows
            if (present := [value for value in row if value is not None])
        ]
        single = [
            statistics.stdev(present)
            for column in zip(*rows, strict=True)
            if len(present := [value for value in column if value is not None]) > 1
        ]
        result[name] = {
            "mean": statistics.fmean(means) if means else None,
            "sd": statistics.stdev(means) if len(means) > 1 else None,
            "min": min(means, default=None),
            "max": max(means, default=None),
            "sd_of_one_biography": statistics.fmean(single) if single else None,
            "each": means,
        }
    cells = flips = 0
    for same in zip(*repetitions, strict=True):
        matrices = [s.matrix for s in same if s.matrix is not None]
        if len({m.status.shape for m in matrices}) == 1 and len(matrices) == len(same):
            status = np.stack([m.status for m in matrices])
            cells += status[0].size
            flips += int((status != status[0]).any(axis=0).sum())
    result["flipped"] = flips / cells if cells else None
    return result
