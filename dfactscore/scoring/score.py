"""From what was judged to scores: pure, so that a saved run can be scored again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from dfactscore.engines.corpus import FS_ONLY
from dfactscore.linking import CandidateMode, candidate_mask
from dfactscore.scoring.biography import ScoreOptions, score_matrix
from dfactscore.scoring.record import Record

__all__ = ["score_record"]


def score_record(
    record: Record,
    *,
    options: ScoreOptions | None = None,
    candidates: CandidateMode = "retrieved",
    dataset: Collection[str] = (),
) -> Record:
    """Scores what was judged; no model is asked.

    Args:
        record: One biography, judged.
        options: How scores are made of the matrix; the paper's choices by default.
        candidates: Which entities a group may be linked to; FS ranges over all.
        dataset: Titles of the name's entities, for candidates ``"dataset"``; where there are none,
            there is no D-FActScore, and the reason says so.

    Returns:
        The record with its scores, in place of any that it had.

    Raises:
        dfactscore.linking.LinkingError: If the options cannot be applied.
    """
    options = options or ScoreOptions()
    record = replace(
        record, options=options, candidates=candidates, candidate_columns=(), scores=None
    )
    if record.matrix is None or record.status not in ("scored", "grouping_failed"):
        return record
    titles = [(e.id, e.label, *e.aliases) for e in record.entities]
    unlisted = candidates == "dataset" and not dataset
    mask = (
        np.zeros(len(titles), dtype=bool)
        if unlisted
        else candidate_mask(titles, record.name, mode=candidates, dataset=dataset)
    )
    columns = {e.id: i for i, e in enumerate(record.entities)}
    fs_only = [column for id, column in columns.items() if id in FS_ONLY]
    mask[fs_only] = False
    groups = record.groups
    links = record.biography.links if groups is not None else None
    scores = score_matrix(
        record.matrix,
        None if groups is None else [g.facts for g in groups],
        options=options,
        candidates=mask,
        fs_only=fs_only,
        named_entities=record.named,
        named_groups=None if groups is None else [g.bears_name for g in groups],
        irrelevant=[i for i, f in enumerate(record.facts) if f.label == "irrelevant"],
        fixed_links=None if links is None else [columns.get(e or "") for e in links],
        dfs_reason=(
            f"the dataset lists no one called {record.name!r}" if unlisted else _no_dfs(record)
        ),
    )
    linkable = tuple(int(c) for c in np.flatnonzero(mask))
    return replace(record, candidate_columns=linkable, scores=scores)


def _no_dfs(record: Record) -> str:
    if not record.tells_entities_apart:
        return "the verifier reads no documents and cannot tell entities apart"
    if record.entities and all(entity.id in FS_ONLY for entity in record.entities):
        return "evidence was searched for without regard to who it is about; see --per-entity"
    return record.reason if record.groups is None else ""
