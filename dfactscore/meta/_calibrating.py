"""Fits calibrations to an evaluator's judgments of labeled data."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import DFactScoreError, InputError
from dfactscore._util.jsonl import write_json
from dfactscore._util.numbers import counted
from dfactscore.engines._wrapping import FORMAT, CalibrationMap, MapKind, map_kind
from dfactscore.measures._agreement import calibration
from dfactscore.measures._calibration import fit_calibration
from dfactscore.meta._data_sets import DataSet, Item
from dfactscore.meta._judgements import Opinion

_FOLDS = 5
_RARER = 20  # minimum number of labels of the rarer kind, supported or not
_CLUSTERS = 10


class UselessCalibration(DFactScoreError):
    """Labels that are too few for a map, or a map that makes probabilities worse or is flat.

    The command writes no file and exits with status 1.
    """


@dataclass(frozen=True)
class FittedMap:
    """A calibration map, and its effect on labels that it was not fitted on."""

    map: CalibrationMap
    n: int  # labeled segments that have a probability
    clusters: int  # pages, people or claims, each of which is in a single fold
    # ECE and Brier score of the judge's probabilities (`before`), and of the same probabilities
    # mapped by a calibration fitted on the other folds (`after`).
    figures: Mapping[str, Mapping[str, float]]

    @property
    def record(self) -> dict[str, Any]:
        """The map and its figures as a JSON object."""
        return {
            **self.map.to_dict(),
            "n": self.n,
            "clusters": self.clusters,
            "figures": {name: dict(figures) for name, figures in self.figures.items()},
        }

    def __str__(self) -> str:
        before, after = self.figures["before"], self.figures["after"]
        return (
            f"{counted(self.n, 'labeled segment')} of {self.clusters} clusters, "
            f"{self.map.base_rate:.1%} supported, out of fold: "
            f"calibration error {before['ece']:.3f} -> {after['ece']:.3f}, "
            f"Brier score {before['brier']:.3f} -> {after['brier']:.3f}"
        )


@dataclass(frozen=True)
class FittedCalibration:
    """The maps of a judge: one for any evidence, or one each for passages and for pages."""

    judge: Mapping[str, Any]  # the verifier's settings
    data: Sequence[Mapping[str, str]]  # kind, name and SHA-256 of each label file
    maps: Mapping[MapKind, FittedMap]

    def write(self, path: Path) -> None:
        """Writes the maps to a file that ``score --calibration`` can read."""
        record = {
            "format": FORMAT,
            "judge": dict(self.judge),
            "maps": {kind: fitted.record for kind, fitted in self.maps.items()},
            "data": [dict(file) for file in self.data],
        }
        write_json(path, record)

    def __str__(self) -> str:
        return "\n".join(
            str(fitted) if kind == "any" else f"{kind}: {fitted}"
            for kind, fitted in self.maps.items()
        )


@dataclass(frozen=True)
class _Labels:
    """Probability, label, cluster and kind of evidence of labeled segments; shape `(n,)` each."""

    values: NDArray[np.float64]
    right: NDArray[np.bool_]
    clusters: NDArray[np.str_]
    kinds: NDArray[np.str_]

    def of_kind(self, kind: MapKind) -> _Labels:
        """Returns the labels of one kind of evidence."""
        rows = self.kinds == kind
        return _Labels(self.values[rows], self.right[rows], self.clusters[rows], self.kinds[rows])

    @cached_property
    def names(self) -> list[str]:
        """The clusters, in an order that does not depend on that of the labels."""
        clusters = set(self.clusters.tolist())
        return sorted(clusters, key=lambda name: (zlib.crc32(name.encode()), name))

    @property
    def too_few(self) -> str:
        """Why there are too few labels for a map; empty if there are enough."""
        supported, n = int(self.right.sum()), len(self.right)
        if min(supported, n - supported) >= _RARER and len(self.names) >= _CLUSTERS:
            return ""
        return (
            f"{counted(n, 'label')} with a probability in {counted(len(self.names), 'cluster')}, "
            f"{supported} of them supported: a calibration needs {_RARER} supported and {_RARER} "
            f"unsupported ones in {_CLUSTERS} clusters; no map was written"
        )

    @cached_property
    def mapped(self) -> NDArray[np.float64]:
        """The probabilities after a map that was fitted on the other folds."""
        folds = {name: place % _FOLDS for place, name in enumerate(self.names)}
        fold = np.array([folds[name] for name in self.clusters.tolist()])
        mapped = self.values.copy()
        for number in range(_FOLDS):
            others = fold != number
            found = fit_calibration(self.values[others], self.right[others])
            mapped[~others] = found.apply(self.values[~others])
        return mapped


def fit(
    data: Sequence[DataSet],
    opinions: Sequence[Sequence[Opinion | None]],
    judge: Mapping[str, Any],
) -> FittedCalibration:
    """Fits maps to a judge's probabilities: two if each kind of evidence has a good one."""
    labels = _labeled(data, opinions)
    if not len(labels.values):
        raise InputError(
            "0 labels with a probability: a calibration needs a judge that gives probabilities (an "
            "entailment model, or a model whose server gives log-probabilities)"
        )
    if problem := labels.too_few:
        raise UselessCalibration(problem)
    parts: dict[MapKind, _Labels] = {"any": labels}
    apart: dict[MapKind, _Labels] = {
        "passages": labels.of_kind("passages"),
        "page": labels.of_kind("page"),
    }
    if not any(part.too_few for part in apart.values()) and _brier(apart) < _brier(parts):
        parts = apart
    _check(parts)
    maps = {kind: _fitted(part) for kind, part in parts.items()}
    files = [
        {"kind": data_set.kind, "file": data_set.path.name, "sha256": data_set.digest}
        for data_set in data
    ]
    return FittedCalibration(judge, files, maps)


def _fitted(labels: _Labels) -> FittedMap:
    fitted = fit_calibration(labels.values, labels.right)
    return FittedMap(
        CalibrationMap(fitted, round(float(labels.right.mean()), 6)),
        len(labels.values),
        len(labels.names),
        {
            "before": calibration(labels.values, ~labels.right),
            "after": calibration(labels.mapped, ~labels.right),
        },
    )


def _brier(parts: Mapping[MapKind, _Labels]) -> float:
    """Returns the sum of squared errors after mapping each part."""
    return sum(float(((part.mapped - part.right) ** 2).sum()) for part in parts.values())


def _check(parts: Mapping[MapKind, _Labels]) -> None:
    """Raises UselessCalibration if the maps are worse than none, or than one share for all."""
    right = np.concatenate([part.right for part in parts.values()])
    before = calibration(np.concatenate([part.values for part in parts.values()]), ~right)
    after = calibration(np.concatenate([part.mapped for part in parts.values()]), ~right)
    rate = float(right.mean())
    if after["brier"] >= rate * (1 - rate):
        raise UselessCalibration(
            f"the probabilities say nothing about these labels: mapped, out of fold, their Brier "
            f"score is {after['brier']:.3f}, and that of {rate:.2f} for every label is "
            f"{rate * (1 - rate):.3f}; no map was written"
        )
    if after["ece"] > before["ece"] or after["brier"] > before["brier"]:
        raise UselessCalibration(
            f"the map makes the probabilities worse: out of fold, calibration error "
            f"{before['ece']:.3f} -> {after['ece']:.3f}, Brier score {before['brier']:.3f} -> "
            f"{after['brier']:.3f}; no map was written"
        )


def _labeled(data: Sequence[DataSet], opinions: Sequence[Sequence[Opinion | None]]) -> _Labels:
    """Collects the segments that have a reference text and a probability."""
    rows = [
        (judgement.probability, not segment.error, f"{item.group} {item.cluster}", _kind(item))
        for data_set, set_opinions in zip(data, opinions, strict=True)
        for item, opinion in zip(data_set.items, set_opinions, strict=True)
        if opinion is not None and item.has_text
        for segment, judgement in zip(item.segments, opinion.judgements, strict=True)
        if segment.claim and judgement.probability is not None
    ]
    values, right, clusters, kinds = (np.array([row[i] for row in rows]) for i in range(4))
    return _Labels(values.astype(float), right.astype(bool), clusters, kinds)


def _kind(item: Item) -> MapKind:
    """The kind of evidence that a judge sees; BM25 selects passages from pages to search."""
    if item.search:
        return "passages"
    if item.each:
        return max((map_kind([d]) for d in item.documents), key=("passages", "page").index)
    return map_kind(item.documents)
