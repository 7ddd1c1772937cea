"""Reads FActScore's published predictions: facts from texts, labeled by models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.numbers import mean
from dfactscore._util.printable import short_repr

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
