"""Computes FActScore from human-labeled facts (FActScore's released annotations)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_jsonl
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
