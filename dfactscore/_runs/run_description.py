"""Describes a run's input and settings for the manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._runs.input_records import record_keys
from dfactscore._scoring.record import Record
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._util.files import digest
from dfactscore.engines._answers import checked_settings
from dfactscore.engines._roles import Engine
from dfactscore.linking import CandidateMode

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


def describe_input(name: str, records: Sequence[Record], n_bad: int = 0) -> dict[str, Any]:
    """Returns an input's manifest entry: the input's name, the hash of its records, and counts."""
    total = hashlib.sha256()
    for number, key in enumerate(record_keys(records)):
        total.update(f"\n{key}".encode() if number else key.encode())
    return {
        "file": name,
        "sha256": total.hexdigest(),
        "records": len(records) + n_bad,
        "bad": n_bad,
    }


def describe_settings(
    engine: Engine,
    source: KnowledgeSource | None,
    options: ScoreOptions,
    candidates: CandidateMode,
    **entries: Any,
) -> dict[str, Any]:
    """Returns all settings that can affect a result, for the manifest."""
    return {
        "decomposer": checked_settings(engine.decomposer),
        "grouper": checked_settings(engine.grouper),
        "verifier": checked_settings(engine.verifier),
        "evidence": "passages" if source is None else "page",
        "pages": None if source is None else _describe_source(source),
        "candidates": candidates,
        "scores": asdict(options),
        **({"language": "any"} if engine.any_language else {}),
        **entries,
    }


def _describe_source(source: KnowledgeSource) -> dict[str, Any]:
    """Describes a source by its contents, so that it stays the same when its file is moved."""
    described = source.describe()
    if described.get("path"):
        path = Path(described["path"])
        described["path"] = path.name
        if described.get("kind") in ("jsonl", "folder", "table"):  # a store already has a hash
            described["sha256"] = digest(path, "*.txt")
    return described
