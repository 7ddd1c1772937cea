"""Counts of supported and unsupported facts, for F1@K."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._metrics import f1_at_k
from dfactscore._scoring.matrix import Counts, matrix_values
from dfactscore._scoring.record import Record
from dfactscore._text.clean_text import plain_words


@dataclass(frozen=True, slots=True)
class FactCounts:
    """Number of supported facts and of other facts in a text, excluding irrelevant facts."""

    supported: float
    others: float
    all_supported: float
    all_others: float
    # Number of facts that equal an earlier one, ignoring case, whitespace and punctuation.
    repeats: int

    def f1_at(self, k: float, *, keep_repeats: bool = False) -> float:
        """Computes F1@K from the counts (see `dfactscore._metrics.f1_at_k`)."""
        if keep_repeats:
            return f1_at_k(self.all_supported, self.all_others, k)
        return f1_at_k(self.supported, self.others, k)


def count_facts(record: Record, values: Sequence[Any]) -> FactCounts:
    """Counts the relevant scored facts; among equal facts, the one with the best value counts."""
    scored = record.scores.facts if record.scores is not None else ()
    facts = [f for f in scored if record.facts[f].label != "irrelevant"]
    best: dict[str, float] = {}
    for fact in facts:
        text = plain_words(record.facts[fact].text)
        best[text] = max(best.get(text, 0.0), float(values[fact]))
    total, once = float(sum(values[fact] for fact in facts)), float(sum(best.values()))
    return FactCounts(once, len(best) - once, total, len(facts) - total, len(facts) - len(best))


def cell_values(record: Record, counts: Counts | None = None) -> NDArray[np.float64]:
    """Returns the value of each cell of a record; the cells of irrelevant facts are 0."""
    values = matrix_values(record.decided, counts=counts or record.options.counts)
    values[[i for i, fact in enumerate(record.facts) if fact.label == "irrelevant"]] = 0.0
    return values


def fact_values(record: Record, counts: Counts | None = None) -> list[float]:
    """Returns the value of each fact: the maximum over its cells."""
    values: list[float] = cell_values(record, counts).max(axis=1, initial=0.0).tolist()
    return values


def linked_values(record: Record, counts: Counts | None = None) -> list[float]:
    """Returns the value of each fact for the linked entity of its group; 0 if there is no link."""
    cells, values = cell_values(record, counts), [0.0] * len(record.facts)
    for group, link in zip(record.groups or (), record.links, strict=False):
        for fact in group.facts:
            if link.entity is not None:
                values[fact] = float(cells[fact, link.entity])
    return values
