"""Runs, or each of their models, joined with the labels of their texts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._readers.columns import Columns
from dfactscore._scoring.run_measures import MEASURES
from dfactscore._util.numbers import counted
from dfactscore.annotation._paragraphs import run_labels
from dfactscore.comparison._loading import By
from dfactscore.correct._matching import match
from dfactscore.correct._texts import Scores, Text, read_scores

Array = NDArray[np.float64]
Labels: TypeAlias = "Mapping[str, Sequence[str | Path]] | Sequence[str | Path] | str | Path"
"""Sources of labels; by the label of their run where a source does not say it (``""``: any)."""


def bound(by: Sequence[str], runs: Mapping[str, object]) -> dict[str, list[Path]]:
    """Sources of labels by the run that ``RUN=LABELS`` binds them to, ``""`` for any."""
    found: dict[str, list[Path]] = {}
    for one in by:
        of, equals, path = one.partition("=")
        if not equals or of not in runs or Path(one).exists():
            of, path = "", one
        found.setdefault(of, []).append(Path(path))
    return found


def matched_columns(
    runs: Mapping[str, str | Path],
    by: Labels,
    *,
    columns: Columns | None = None,
    percent: bool = False,
    rows: By = "auto",
) -> dict[str, RunColumns]:
    """The judge's scores of runs as arrays, with the labels beside them; see `correct`."""
    parts, _ = read_parts(runs, by, columns, percent, rows)
    return {part.label: RunColumns(part.run, part.labels) for part in parts}


@dataclass(frozen=True)
class Part:
    """A row: the texts of a run, or of one of its models, with their labels.

    Attributes:
        label: Its name in tables.
        run: Its texts.
        labels: By the place of the text.
        source: The run that it is of.
        model: The model; None for a whole run.
    """

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
    """The rows with their labels, and the labels as they were read."""
    if rows not in get_args(By):
        raise InputError(f"rows={rows!r} is unknown; choose {', '.join(get_args(By))}")
    read = {label: read_scores(path, label=label) for label, path in _named(runs).items()}
    if not isinstance(by, Mapping):
        by = {"": [by] if isinstance(by, (str, Path)) else list(by)}
    labels = [
        read_scores(path, of=of, columns=columns, percent=percent)
        for of, paths in by.items()
        for path in paths
    ]
    parts: list[Part] = []
    for label, run in read.items():
        matched: dict[int, Text] = {}
        for one in labels:
            matched |= match(run, one, alone=len(read) == 1)
        parts += _by_model(label, run, matched, rows, alone=len(read) == 1)
    return parts, labels


def _by_model(
    label: str, run: Scores, matched: Mapping[int, Text], rows: By, *, alone: bool
) -> list[Part]:
    """A run as one row, or as one per model: called as a comparison calls them."""
    places: dict[str, list[int]] = {}
    for i, text in enumerate(run.texts):
        places.setdefault(text.model, []).append(i)
    if rows == "run" or not any(places) or (rows == "auto" and len(places) < 2):
        return [Part(label, run, matched, label)]
    parts = []
    for model, own in places.items():
        called = (model or "no model") if alone else f"{label}/{model or 'no model'}"
        texts = replace(run, label=called, texts=tuple(run.texts[i] for i in own))
        labels = {at: matched[i] for at, i in enumerate(own) if i in matched}
        parts.append(Part(called, texts, labels, label, model))
    return parts


def _named(runs: Mapping[str, str | Path] | Sequence[str | Path] | str | Path) -> dict[str, Path]:
    if isinstance(runs, Mapping):
        return {label: Path(path) for label, path in runs.items()}

    paths = [Path(run) for run in ([runs] if isinstance(runs, (str, Path)) else runs)]
    if not paths:
        raise InputError("nothing to correct: give at least one run")
    return dict(zip(run_labels(paths), paths, strict=True))


def no_match(parts: Sequence[Part], labels: Sequence[Scores]) -> str:
    """Message if no label belongs to a text."""
    label, text = labels[0].texts[0], parts[0].run.texts[0]
    runs = ", ".join(dict.fromkeys(part.run.source for part in parts))
    return (
        f"{labels[0].source}: has labels for no text of {runs}"
        f" (the first label is of {label.name or label.id!r}, the first text of "
        f"{text.name or text.id!r})"
    )


def unmatched(labels: Sequence[Scores], parts: Sequence[Part]) -> list[str]:
    """Messages about labels without a text."""
    used = {id(text) for part in parts for text in part.labels.values()}
    runs = {part.source for part in parts}
    return [
        f"{one.label}: {left} of {counted(len(one.texts), 'label')} {'is' if left == 1 else 'are'} "
        f"of no text of {'this run' if len(runs) == 1 else 'these runs'}"
        for one in labels
        if (left := sum(id(text) not in used for text in one.texts))
    ]


class RunColumns:
    """The scores of one run as arrays: the judge's and, if there are any, the labels'."""

    def __init__(self, run: Scores, labels: Mapping[int, Text]) -> None:
        self.label, self.names = run.label, [text.paired_by for text in run.texts]
        self.labels = len(labels)
        self._run, self._labels = run, labels

    def of(self, measure: str) -> tuple[Array, Array]:
        """Judge and labels of every text, NaN if there is none."""
        judge = np.array([t.values.get(measure, math.nan) for t in self._run.texts])
        said = np.full(len(judge), math.nan)
        for place, text in self._labels.items():
            said[place] = text.values.get(measure, math.nan)
        return judge, said

    def measures(self) -> list[str]:
        """Measures that judge and labels share, in the order of the tables."""
        judge = {m for text in self._run.texts for m in text.values}
        said = {m for text in self._labels.values() for m in text.values}
        more = sorted(m for m in judge & said if m not in MEASURES)
        return [m for m in (*MEASURES, *more) if m in judge & said]
