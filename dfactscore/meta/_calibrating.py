"""Fits calibrations to an evaluator's judgments of labeled data."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._util.jsonl import write_json
from dfactscore._util.numbers import counted
from dfactscore.measures._agreement import calibration
from dfactscore.measures._calibration import Calibration, fit_calibration
from dfactscore.meta._data_sets import DataSet
from dfactscore.meta._judgements import Opinion

_FOLDS = 5
_LEAST = 50  # minimum number of labeled segments with a probability


@dataclass(frozen=True)
class FittedCalibration:
    """A calibration map for probabilities, and its effect on labels that it was not fitted on."""

    judge: Mapping[str, Any]
    data: Sequence[Mapping[str, str]]
    map: Calibration
    n: int
    clusters: int  # number of clusters (pages, people or claims), each of which is in a single fold
    # ECE and Brier score of the judge's probabilities (`before`), and of the same probabilities
    # mapped by a calibration fitted on the other folds (`after`).
    figures: Mapping[str, Mapping[str, float]]

    def write(self, path: Path) -> None:
        """Writes the calibration map to a file that ``score --calibration`` can read."""
        record = {
            "format": 1,
            "judge": dict(self.judge),
            "map": self.map.to_dict(),
            "data": [dict(file) for file in self.data],
            "n": self.n,
            "clusters": self.clusters,
            "figures": {name: dict(figures) for name, figures in self.figures.items()},
        }
        write_json(path, record)

    def __str__(self) -> str:
        before, after = self.figures["before"], self.figures["after"]
        return (
            f"{counted(self.n, 'labeled segment')} of {self.clusters} clusters, out of fold: "
            f"calibration error {before['ece']:.3f} -> {after['ece']:.3f}, "
            f"Brier score {before['brier']:.3f} -> {after['brier']:.3f}"
        )


def fit(
    data: Sequence[DataSet],
    opinions: Sequence[Sequence[Opinion | None]],
    judge: Mapping[str, Any],
) -> FittedCalibration:
    """Fits a calibration map to a judge's probabilities."""
    values, right, clusters = _labeled(data, opinions)
    if len(values) < _LEAST or right.all() or not right.any():
        raise InputError(
            f"{counted(len(values), 'label')} with a probability, {int(right.sum())} of them "
            f"supported: a calibration needs {_LEAST}, of both kinds, from a judge that gives "
            "probabilities (an entailment model, or a model whose server gives log-probabilities)"
        )
    fold = np.array([zlib.crc32(cluster.encode()) % _FOLDS for cluster in clusters])
    mapped = values.copy()
    for number in set(fold.tolist()):
        others = fold != number
        if others.any():
            mapped[~others] = fit_calibration(values[others], right[others]).apply(values[~others])
    return FittedCalibration(
        judge,
        [
            {"kind": data_set.kind, "file": data_set.path.name, "sha256": data_set.digest}
            for data_set in data
        ],
        fit_calibration(values, right),
        len(values),
        len(set(clusters)),
        {"before": calibration(values, ~right), "after": calibration(mapped, ~right)},
    )


def _labeled(
    data: Sequence[DataSet], opinions: Sequence[Sequence[Opinion | None]]
) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[str]]:
    """Probability, label and cluster of segments that have a reference text and a probability."""
    rows = [
        (judgement.probability, not segment.error, f"{item.group} {item.cluster}")
        for data_set, set_opinions in zip(data, opinions, strict=True)
        for item, opinion in zip(data_set.items, set_opinions, strict=True)
        if opinion is not None and item.has_text
        for segment, judgement in zip(item.segments, opinion.judgements, strict=True)
        if segment.claim and judgement.probability is not None
    ]
    values, right = (np.array([row[i] for row in rows]) for i in (0, 1))
    return values.astype(float), right.astype(bool), [row[2] for row in rows]
