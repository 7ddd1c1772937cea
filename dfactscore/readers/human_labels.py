"""FActScore from facts that people labeled (FActScore's released annotations)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dfactscore.errors import InputError

__all__ = ["human_factscore", "read_annotations"]


def read_annotations(path: str | Path) -> list[dict[str, Any]]:
    """Reads JSON lines of ``{topic, output, annotations}``.

    Raises:
        InputError: If a line is not readable or has no field ``annotations``.
    """
    path = Path(path)
    records = []
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # U+2028 may stand within a text
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            record["annotations"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}:{number}: field 'annotations' is missing") from None
        if not _is_labeled(record["annotations"]):
            raise InputError(
                f"{path}:{number}: field 'annotations': expected null or a list of sentences with "
                "{human-atomic-facts: [{text, label}]}"
            )
        records.append(record)
    if not records:
        raise InputError(f"{path}: holds no record")
    return records


def _is_labeled(annotations: Any) -> bool:
    if annotations is None:
        return True
    if not isinstance(annotations, list) or not all(isinstance(s, dict) for s in annotations):
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
