"""Joins runs, or each of their models, with the labels of their texts by text, id and name."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import Columns
from dfactscore._scoring.biography_scores import MEASURES
from dfactscore._text.clean_text import one_line
from dfactscore._util.numbers import counted
from dfactscore.annotation._paragraphs import public_text, run_labels
from dfactscore.comparison._loading import By
from dfactscore.correct._texts import Scores, Text, read_scores, scores_of, texts_by

_Indexes = Mapping[str, Mapping[str, Sequence[Text]]]  # texts by attribute and attribute value


def match(run: Scores, labels: Scores, *, single_run: bool = True) -> dict[int, Text]:
    """Finds the labels for a run's texts."""
    places = {id(text): i for i, text in enumerate(run.texts)}
    indexes = {key: texts_by(run.texts, key) for key in ("text", "id", "paired_by")}
    labels_by_index: dict[int, Text] = {}
    for label in labels.texts:
        text = _text_of(label, run, indexes, single_run)
        if text is None:
            continue
        place = places[id(text)]
        other = labels_by_index.get(place)
        if other is not None and other.values != label.values:
            raise InputError(
                f"{other.place} and {label.place} label the text of {_description(text)} "
                "differently; keep one of them"
            )
        labels_by_index[place] = label
    return labels_by_index


def _text_of(label: Text, run: Scores, indexes: _Indexes, single_run: bool) -> Text | None:
    models = {text.model for text in run.texts if text.model}
    if not single_run and label.run and label.run not in (run.label, *models):
        return None
    if label.model and models and label.model not in models:
        return None
    models_of_label = {label.model, label.run} & models
    equal_texts = _like("text", label, indexes, models_of_label)
    if not label.text:  # empty texts are equal; they are distinguished by id or name
        equal_texts = [t for t in equal_texts if t.id == label.id or (t.name and label.name)]
    if equal_texts:
        return next((text for text in equal_texts if text.id == label.id), equal_texts[0])
    candidates = _like("id" if label.id else "paired_by", label, indexes, models_of_label)
    if label.text is not None and any(text.text is not None for text in run.texts):
        other = next((text for text in candidates if text.text is not None), None)
        if other is not None and other.text is not None and single_run:
            raise InputError(
                f"{label.place}: labels another text about {_description(other)} than the run's: "
                f"it begins {one_line(label.text, 60)!r}, but in {other.place} "
                f"{one_line(other.text, 60)!r}"
            )
        return None
    if not candidates and label.id and label.name and indexes["id"].get(label.id):
        text = indexes["id"][label.id][0]
        raise InputError(
            f"{label.place}: id {label.id!r} is {label.name!r} here and {text.name!r} in "
            f"{text.place}"
        )
    if len(candidates) > 1:
        raise InputError(
            f"{label.place}: {len(candidates)} texts of {run.source} are about "
            f"{_description(candidates[0])}; labels need the ids of the texts"
            f"{' or a column model' if len(models) > 1 else ''}"
        )
    if candidates and not single_run and not label.run and not models_of_label:
        raise InputError(
            f"{label.place}: the run of this label is unknown; add a column 'run' with the "
            f"run's name ({run.label!r}), or the texts"
        )
    return candidates[0] if candidates else None


def _like(key: str, label: Text, indexes: _Indexes, writers: Collection[str]) -> list[Text]:
    """Returns the texts by `writers` that have the label's `key` and name."""
    value = getattr(label, key)
    equal = indexes[key].get(public_text(value), ()) if value is not None else ()
    same_name = [t for t in equal if not label.name or not t.name or t.paired_by == label.paired_by]
    return [text for text in same_name if not writers or text.model in writers]


def _description(text: Text) -> str:
    return f"{text.name!r}" + (f" (id {text.id!r})" if text.id else "")


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
    scores: Mapping[str, str] | None = None,
) -> dict[str, RunColumns]:
    """Returns the judge's scores and the labels of each run as arrays; see `correct`."""
    parts, _ = read_parts(runs, by, columns, percent, rows, scores)
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
    scores: Mapping[str, str] | None = None,
) -> tuple[list[Part], list[Scores]]:
    """Reads runs and labels; returns the parts that have matching labels, and all labels."""
    if rows not in get_args(By):
        raise InputError(f"rows={rows!r} is unknown; choose {', '.join(get_args(By))}")
    run_scores = {
        label: read_scores(
            path,
            label=label,
            columns=columns if scores else None,
            measured={measure: measure for measure in scores or ()},
        )
        for label, path in _labeled_paths(runs).items()
    }
    if not isinstance(by, Mapping):
        by = {"": [by] if isinstance(by, (str, Path)) else list(by)}
    labels = [
        read_scores(path, of=run_label, columns=columns, percent=percent, measured=scores)
        for run_label, paths in by.items()
        for path in paths
    ]
    if scores:  # a file may leave the labels of most texts empty
        labels = [replace(s, texts=tuple(t for t in s.texts if t.values)) for s in labels]
    parts: list[Part] = []
    for label, run in run_scores.items():
        matched: dict[int, Text] = {}
        for source in labels:
            matched |= match(run, source, single_run=len(run_scores) == 1)
        parts += _by_model(label, run, matched, rows, single_run=len(run_scores) == 1)
    return parts, labels


def parts_in_memory(scores: Any, labels: Any) -> tuple[list[Part], list[Scores]]:
    """Returns the parts of scores and labels that are not in files; see `correct`."""
    scores, labels = _plain(scores), _plain(labels)
    judges = scores if _is_nested(scores) else {"score": scores}
    given = labels if _is_nested(labels) else dict.fromkeys(judges, labels)
    if unknown := [judge for judge in judges if judge not in given]:
        raise InputError(f"labels: none for {unknown[0]!r}; it has {', '.join(map(str, given))}")
    run = scores_of("scores", {str(judge): judges[judge] for judge in judges}, source="scores")
    source = scores_of("labels", {str(judge): given[judge] for judge in judges}, source="labels")
    source = replace(source, texts=tuple(text for text in source.texts if text.values))
    if not source.texts:
        raise InputError("labels: has no value")
    return [Part("scores", run, match(run, source), "scores")], [source]


def _plain(values: Any) -> Any:
    """Converts a data frame, a series or an array to mappings and lists."""
    for method in ("to_dict", "tolist"):
        if hasattr(values, method):
            return getattr(values, method)()
    return values


def _is_nested(values: Any) -> bool:
    return (
        bool(values)
        and isinstance(values, Mapping)
        and all(
            isinstance(value, (Mapping, list, tuple)) or hasattr(value, "tolist")
            for value in values.values()
        )
    )


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
