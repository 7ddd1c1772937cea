"""Reads the labels released with FActScore: facts labeled by people or by models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.message_text import short_repr
from dfactscore._util.numbers import mean


def read_annotations(path: str | Path) -> list[dict[str, Any]]:
    """Reads JSON lines of ``{topic, output, annotations}``."""
    path = Path(path)
    records = []
    for where, record in read_jsonl(path, error=InputError):
        if not isinstance(record, dict) or "annotations" not in record:
            raise InputError(f"{where}: field 'annotations' is missing")
        if not _is_labeled(record["annotations"]):
            raise InputError(
                f"{where}: field 'annotations': expected null or a list of sentences with "
                "{human-atomic-facts: [{text, label}]}"
            )
        records.append(record)
    if not records:
        raise InputError(f"{path}: contains no records")
    return records


def _is_labeled(annotations: Any) -> bool:
    if annotations is None:
        return True
    if not isinstance(annotations, list) or not all(isinstance(s, dict) for s in annotations):
        return False
    groups = [s.get("human-atomic-facts") or [] for s in annotations]
    groups += [s.get("model-atomic-facts") or [] for s in annotations]
    if not all(isinstance(facts, list) for facts in groups):
        return False
    facts = [f for s in annotations for f in s.get("human-atomic-facts") or ()]
    return all(isinstance(f, dict) and "label" in f for f in facts)


def human_factscore(
    records: Iterable[Mapping[str, Any]], *, irrelevant_sentences: bool = False
) -> float | None:
    """Returns the macro average of S / (S + NS + IR) over answered topics."""
    labels_of_outputs = (_labels(record, irrelevant_sentences) for record in records)
    return mean(labels.count("S") / len(labels) for labels in labels_of_outputs if labels)


def human_counts(records: Iterable[Mapping[str, Any]]) -> list[tuple[int, int, int]]:
    """Returns counts for F1@K: supported, unsupported and all facts, for each output with facts."""
    labels_of_outputs = (_labels(record, False) for record in records)
    return [
        (labels.count("S"), labels.count("NS"), len(labels))
        for labels in labels_of_outputs
        if labels
    ]


def _labels(record: Mapping[str, Any], irrelevant_sentences: bool) -> list[str]:
    labels: list[str] = []
    for sentence in record["annotations"] or ():
        labels += [fact["label"] for fact in sentence.get("human-atomic-facts") or ()]
        if irrelevant_sentences and not sentence.get("is-relevant"):
            labels += ["IR" for _ in sentence.get("model-atomic-facts") or ()]
    return labels


_ENDING = "_labels"
_LABELS = ("S", "NS", "IR")


def has_model_labels(record: object) -> bool:
    """Whether a record has facts and a model's labels: ``{prompt, facts, NAME_Labels}``."""
    return isinstance(record, Mapping) and "facts" in record and bool(_labelers(record))


def _labelers(record: Mapping[str, Any]) -> list[str]:
    return [str(key) for key in record if str(key).lower().endswith(_ENDING)]


def labeled_scores(path: Path, *, of: int | None = None) -> dict[str, float | None]:
    """Returns FActScore for each labeler: the macro average of S / (S + NS + IR) over answers."""
    # `path`: JSON lines of `{prompt, facts, NAME_Labels, ...}`; a text without facts is an
    # abstention.
    shares: dict[str, list[float]] = {}
    sizes: list[int] = []
    count = 0
    for where, record in read_jsonl(path, error=InputError):
        count += 1
        if not has_model_labels(record):
            raise InputError(f"{where}: expected {{prompt, facts, NAME_Labels}}")
        facts = record["facts"] or []
        if not isinstance(facts, list):
            raise InputError(f"{where}: field 'facts': expected a list, found {short_repr(facts)}")
        if facts:
            sizes.append(len(facts))
        for name in _labelers(record):
            labels = record[name] or []
            _check(labels, len(facts), name, where)
            shares_of_labeler = shares.setdefault(name[: -len(_ENDING)], [])
            if facts:
                shares_of_labeler.append(labels.count("S") / len(labels))
    if not count:
        raise InputError(f"{path}: contains no records")
    total = count if of is None else of
    if total < count:
        raise InputError(f"--of {total}: the file has {count} records")
    scores = {
        f"score ({name})": mean(shares_of_labeler) for name, shares_of_labeler in shares.items()
    }
    rate = len(sizes) / total
    # `score (NAME)` for each labeler, `num_facts_per_response`, `respond_ratio`.
    return {**scores, "num_facts_per_response": mean(map(float, sizes)), "respond_ratio": rate}


def _check(labels: Any, n: int, name: str, where: str) -> None:
    if not isinstance(labels, Sequence) or isinstance(labels, str) or len(labels) != n:
        raise InputError(
            f"{where}: field {name!r}: expected {n} labels, found {short_repr(labels)}"
        )
    wrong = next((label for label in labels if label not in _LABELS), None)
    if wrong is not None:
        raise InputError(
            f"{where}: field {name!r}: expected S, NS or IR, found {short_repr(wrong)}"
        )
