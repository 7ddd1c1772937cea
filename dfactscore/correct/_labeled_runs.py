"""Joins runs, or each of their models, with the labels for their texts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import Columns
from dfactscore._scoring.run_measures import MEASURES
from dfactscore._util.numbers import counted
from dfactscore.annotation._paragraphs import run_labels
from dfactscore.comparison._loading import By
from dfactscore.correct._matching import match
from dfactscore.correct._texts import Scores, Text, read_scores

Array = NDArray[np.float64]
Labels: TypeAlias = "Mapping[str, Sequence[str | Path]] | Sequence[str | Path] | str | Path"
"""Sources of labels, or a mapping from labels of runs to sources (``""``: any run)."""


def bound(by: Sequence[str], runs: Mapping[str, object]) -> dict[str, list[Path]]:
    """Parses sources of labels such as ``RUN=LABELS`` into a mapping by run (``""``: any run)."""
    sources: dict[str, list[Path]] = {}
    for source in by:
        run, separator, path = source.partition("=")
        if not separator or run not in runs or Path(source).exists():
            run, path = "", source
        sources.setdefault(run, []).append(Path(path))
    return sources


def matched_columns(
    runs: Mapping[str, str | Path],
    by: Labels,
    *,
    columns: Columns | None = None,
    percent: bool = False,
    rows: By = "auto",
) -> dict[str, RunColumns]:
    """Returns the judge's scores and the labels of each run as arrays; see `correct`."""
    parts, _ = read_parts(runs, by, columns, percent, rows)
    return {part.label: RunColumns(part.run, part.labels) for part in parts}


@dataclass(frozen=True)
class Part:
    """The texts of a run, or of one of its models, and their labels."""

    label: str
    run: Scores
    labels: Mapping[int, Text]
    source: str
    model: str | None = None


def read_parts(
    runs: Mapping[str, str | Path] | Sequence[str | Path] | str | Path,
    by: Labels,
    columns: Columns | None,
    percent: bool,
    rows: By,
) -> tuple[list[Part], list[Scores]]:
    """Reads runs and labels; returns the parts that have matching labels, and all labels."""
    if rows not in get_args(By):
        raise InputError(f"rows={rows!r} is unknown; choose {', '.join(get_args(By))}")
    run_scores = {
        label: read_scores(path, label=label) for label, path in _labeled_paths(runs).items()
    }
    if not isinstance(by, Mapping):
        by = {"": [by] if isinstance(by, (str, Path)) else list(by)}
    labels = [
        read_scores(path, of=run_label, columns=columns, percent=percent)
        for run_label, paths in by.items()
        for path in paths
    ]
    parts: list[Part] = []
    for label, run in run_scores.items():
        matched: dict[int, Text] = {}
        for source in labels:
            matched |= match(run, source, single_run=len(run_scores) == 1)
        parts += _by_model(label, run, matched, rows, single_run=len(run_scores) == 1)
    return parts, labels


def _by_model(
    label: str, run: Scores, matched: Mapping[int, Text], rows: By, *, single_run: bool
) -> list[Part]:
    """Splits a run into one part per model if requested, with the same labels as in comparisons."""
    places: dict[str, list[int]] = {}
    for i, text in enumerate(run.texts):
        places.setdefault(text.model, []).append(i)
    if rows == "run" or not any(places) or (rows == "auto" and len(places) < 2):
        return [Part(label, run, matched, label)]
    parts = []
    for model, indexes in places.items():
        part_label = (model or "no model") if single_run else f"{label}/{model or 'no model'}"
        texts = replace(run, label=part_label, texts=tuple(run.texts[i] for i in indexes))
        labels = {at: matched[i] for at, i in enumerate(indexes) if i in matched}
        parts.append(Part(part_label, texts, labels, label, model))
    return parts


def _labeled_paths(
    runs: Mapping[str, str | Path] | Sequence[str | Path] | str | Path,
) -> dict[str, Path]:
    if isinstance(runs, Mapping):
        return {label: Path(path) for label, path in runs.items()}

    paths = [Path(run) for run in ([runs] if isinstance(runs, (str, Path)) else runs)]
    if not paths:
        raise InputError("nothing to correct: give at least one run")
    return dict(zip(run_labels(paths), paths, strict=True))


def no_match(parts: Sequence[Part], labels: Sequence[Scores]) -> str:
    """Returns the error message if no label matches a text."""
    label, text = labels[0].texts[0], parts[0].run.texts[0]
    runs = ", ".join(dict.fromkeys(part.run.source for part in parts))
    return (
        f"{labels[0].source}: has labels for no text of {runs}"
        f" (the first label is for {label.name or label.id!r}, the first text is about "
        f"{text.name or text.id!r})"
    )


def unmatched(labels: Sequence[Scores], parts: Sequence[Part]) -> list[str]:
    """Returns messages about labels that match no text."""
    used = {id(text) for part in parts for text in part.labels.values()}
    runs = {part.source for part in parts}
    return [
        f"{source.label}: {count} of {counted(len(source.texts), 'label')} "
        f"{'matches' if count == 1 else 'match'} no text of "
        f"{'this run' if len(runs) == 1 else 'these runs'}"
        for source in labels
        if (count := sum(id(text) not in used for text in source.texts))
    ]


class RunColumns:
    """The scores of one run as arrays: the judge's scores and the labels."""

    def __init__(self, run: Scores, labels: Mapping[int, Text]) -> None:
        self.label, self.names = run.label, [text.paired_by for text in run.texts]
        self.labels = len(labels)
        self._run, self._labels = run, labels

    def of(self, measure: str) -> tuple[Array, Array]:
        """Returns the judge's scores and the labels for all texts, with NaN for missing ones."""
        judge = np.array([t.values.get(measure, math.nan) for t in self._run.texts])
        labels = np.full(len(judge), math.nan)
        for place, text in self._labels.items():
            labels[place] = text.values.get(measure, math.nan)
        return judge, labels

    def measures(self) -> list[str]:
        """Returns the measures that both the judge and the labels have, in the order of tables."""
        judge = {m for text in self._run.texts for m in text.values}
        labeled = {m for text in self._labels.values() for m in text.values}
        others = sorted(m for m in judge & labeled if m not in MEASURES)
        return [m for m in (*MEASURES, *others) if m in judge & labeled]
