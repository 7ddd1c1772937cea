"""The variation in scores when the same facts are judged several times."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np

from dfactscore._scoring.record import Record
from dfactscore._util.numbers import mean


def spread(repetitions: Sequence[Sequence[Record]]) -> dict[str, Any]:
    """Describes the variation across repetitions of a job."""
    result: dict[str, Any] = {"repeats": len(repetitions)}
    for name in ("fs", "dfs"):
        rows = [[getattr(s.scores, name, None) for s in scored] for scored in repetitions]
        means = [value for row in rows if (value := mean(row)) is not None]
        columns = ([v for v in column if v is not None] for column in zip(*rows, strict=True))
        single = [statistics.stdev(values) for values in columns if len(values) > 1]
        result[name] = {
            "mean": mean(means),
            "sd": statistics.stdev(means) if len(means) > 1 else None,
            "min": min(means, default=None),
            "max": max(means, default=None),
            "sd_of_one_biography": mean(single),
            "each": means,
        }
    # Under `fs` and `dfs`: the macro average of each repetition (`each`); the mean, standard
    # deviation (n - 1), minimum and maximum of these averages; and the mean standard deviation of a
    # single biography's score. Under `flipped`: the share of fact-entity cells whose status differs
    # between repetitions.
    return {**result, "flipped": _flipped(repetitions)}


def _flipped(repetitions: Sequence[Sequence[Record]]) -> float | None:
    """Returns the share of cells whose status differs between repetitions."""
    cells = flips = 0
    for same in zip(*repetitions, strict=True):
        matrices = [s.matrix for s in same if s.matrix is not None]
        if len({m.status.shape for m in matrices}) == 1 and len(matrices) == len(same):
            status = np.stack([m.status for m in matrices])
            cells += status[0].size
            flips += int((status != status[0]).any(axis=0).sum())
    return flips / cells if cells else None
