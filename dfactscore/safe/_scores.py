"""Computes a text's SAFE and D-SAFE scores from its support matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from dfactscore._scoring import FactCounts, Record, cell_values, count_facts, linked_values
from dfactscore.engines._corpus import OPEN

OpenSupport = Literal["linked", "namesake", "other", "unplaced"]


@dataclass(frozen=True, slots=True)
class SafeScores:
    """A text's scores, based on searched evidence.

    Scores are fractions in [0, 1]; the other fields are counts of facts.

    Attributes:
        n: Number of scored facts.
        safe: Share of facts that an open search supports; None if all its verdicts are unreadable.
        any: Share of facts that any column supports; None if there are no entity columns.
        d_safe: Share of facts supported by evidence about the linked entity; None if there are no
            entity columns.
        linked: Number of facts supported by both an open search and the linked entity.
        namesake: Number of facts supported by an open search and by another entity with the name,
            but not by the linked entity.
        other: Number of facts supported by an open search and, among entities, only by those with
            other names.
        unplaced: Number of facts supported by an open search but not by any entity.
        restricted: Number of facts supported only by a search about the linked entity.
        nothing: Number of facts for which searches found nothing.
        repeats: Number of facts that differ from an earlier fact only in case, spaces or
            punctuation.
        unreadable: Number of facts that could not be judged; they are included in `n` unless they
            are excluded from the scores.
        counts: Counts for computing F1@K from the open search; None if `safe` is None.
        d_counts: Counts for computing F1@K from evidence about the linked entities; None if
            `d_safe` is None.
    """

    n: int
    safe: float | None
    any: float | None
    d_safe: float | None
    linked: int
    namesake: int
    other: int
    unplaced: int
    restricted: int
    nothing: int
    repeats: int
    unreadable: int
    counts: FactCounts | None
    d_counts: FactCounts | None

    def f1_at(self, k: float) -> float | None:
        """F1@K based on the open search."""
        return None if self.counts is None else self.counts.f1_at(k)

    def d_f1_at(self, k: float) -> float | None:
        """F1@K based on evidence about the linked entities."""
        return None if self.d_counts is None else self.d_counts.f1_at(k)


def safe_scores(record: Record) -> SafeScores | None:
    """Scores a record judged by a `SearchVerifier`; None if the record has no scored facts.

    Args:
        record: The record, with scores.
    """
    if record.matrix is None or record.scores is None or not record.scores.n_facts:
        return None
    column = _open_column(record)
    if column is None:
        return None
    facts, matrix = list(record.scores.facts), record.decided
    values = cell_values(record, "verdicts")
    has_entities = values.shape[1] > 1 and record.scores.dfs is not None
    kinds = [open_support(record, fact) for fact in facts]
    linked = np.array(linked_values(record, "verdicts"))
    counts = count_facts(record, values[:, column].tolist())
    judged = bool(matrix.readable[facts, column].any())
    nothing = sum(
        not any(step.results for step in record.searches[fact].steps)
        for fact in facts
        if fact < len(record.searches)
    )
    return SafeScores(
        n=len(facts),
        safe=float(values[facts, column].mean()) if judged else None,
        any=float(values[facts].max(axis=1).mean()) if has_entities else None,
        d_safe=float(linked[facts].mean()) if has_entities else None,
        linked=kinds.count("linked"),
        namesake=kinds.count("namesake"),
        other=kinds.count("other"),
        unplaced=kinds.count("unplaced"),
        restricted=sum(bool(linked[f] and not values[f, column]) for f in facts)
        if has_entities
        else 0,
        nothing=nothing,
        repeats=counts.repeats,
        unreadable=int((~matrix.readable[facts, column]).sum()),
        counts=counts if judged else None,
        d_counts=count_facts(record, linked.tolist()) if has_entities else None,
    )


def open_support(record: Record, fact: int) -> OpenSupport | None:
    """A fact's class, based on which entities support it; None if no open search supports it."""
    column = _open_column(record)
    if record.matrix is None or column is None:
        return None
    support = record.decided.support[fact]
    if not support[column]:
        return None
    link = _links(record)[fact] if record.links else None
    if link is not None and support[link]:
        return "linked"
    others = [c for c in np.flatnonzero(support).tolist() if c not in (column, link)]
    if any(c in record.named for c in others):
        return "namesake"
    return "other" if others else "unplaced"


def _open_column(record: Record) -> int | None:
    return next((i for i, e in enumerate(record.entities) if e.id == OPEN), None)


def _links(record: Record) -> list[int | None]:
    link_of: list[int | None] = [None] * len(record.facts)
    for group, link in zip(record.groups or (), record.links, strict=False):
        for fact in group.facts:
            link_of[fact] = link.entity
    return link_of
