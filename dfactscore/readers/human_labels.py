"""FActScore from facts that people labeled (FActScore's released annotations)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dfactscore._util.jsonl import read_jsonl
from dfactscore.errors import InputError

__all__ = ["human_counts", "human_factscore", "read_annotations"]


def read_annotations(path: str | Path) -> list[dict[str, Any]]:
    """Reads JSON lines of ``{topic, output, annotations}``.

    Raises:
        InputError: If a line is not readable or has no field ``annotations``.
    """
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
    """Macro average of S / (S + NS + IR) over answered topics.

    Args:
        records: Labeled outputs; ``annotations`` is None for an abstention.
        irrelevant_sentences: Count the model's facts of sentences that people marked as
            irrelevant as IR too (people wrote no facts for those).

    Returns:
        A fraction, or None where nothing was answered.
    """
    shares = []
    for record in records:
        labels: list[str] = []
        for sentence in record["annotations"] or ():
            labels += [f["label"] for f in sentence.get("human-atomic-facts") or ()]
            if irrelevant_sentences and not sentence.get("is-relevant"):
                labels += ["IR" for _ in sentence.get("model-atomic-facts") or ()]
        if labels:
            shares.append(labels.count("S") / len(labels))
    return math.fsum(shares) / len(shares) if shares else None


def human_counts(records: Iterable[Mapping[str, Any]]) -> list[tuple[int, int, int]]:
    """Supported, unsupported and all facts of each output that has any; what F1@K is made of.

    Args:
        records: Labeled outputs.
    """
    found = []
    for record in records:
        sentences = record["annotations"] or ()
        labels = [f["label"] for s in sentences for f in s.get("human-atomic-facts") or ()]
        if labels:
            found.append((labels.count("S"), labels.count("NS"), len(labels)))
    return found
