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
    """Supported and other facts of one text; irrelevant ones are in neither count.

    Attributes:
        supported: Supported facts, equal ones once.
        others: Facts that are not, equal ones once.
        all_supported: Supported facts with repeats.
        all_others: Others with repeats.
        repeats: Facts that repeat an earlier one, except for case, blanks and punctuation.
    """

    supported: float
    others: float
    all_supported: float
    all_others: float
    repeats: int

    def f1_at(self, k: float, *, keep_repeats: bool = False) -> float:
        """F1@K of these counts (see `dfactscore._metrics.f1_at_k`)."""
        if keep_repeats:
            return f1_at_k(self.all_supported, self.all_others, k)
        return f1_at_k(self.supported, self.others, k)


def count_facts(record: Record, worth: Sequence[Any]) -> FactCounts:
    """Counts the relevant facts that are scored.

    Of facts that are equal, the one that is worth most counts.

    Args:
        record: The record, scored.
        worth: For each fact 1 where it is supported, 0 if not, or a probability.
    """
    kept = record.scores.facts if record.scores is not None else ()
    facts = [f for f in kept if record.facts[f].label != "irrelevant"]
    best: dict[str, float] = {}
    for fact in facts:
        text = plain_words(record.facts[fact].text)
        best[text] = max(best.get(text, 0.0), float(worth[fact]))
    total, once = float(sum(worth[fact] for fact in facts)), float(sum(best.values()))
    return FactCounts(once, len(best) - once, total, len(facts) - total, len(facts) - len(best))


def cell_values(record: Record, counts: Counts | None = None) -> NDArray[np.float64]:
    """Value of each cell of a record; an irrelevant fact's nothing.

    Args:
        record: The record, judged.
        counts: The unit of the counts; that of the record's scores if None.

    Returns:
        Shape ``(facts, entities)``.
    """
    values = matrix_values(record.decided, counts=counts or record.options.counts)
    values[[i for i, fact in enumerate(record.facts) if fact.label == "irrelevant"]] = 0.0
    return values


def fact_values(record: Record, counts: Counts | None = None) -> list[float]:
    """For each fact whether any column supports it, or the largest probability (``expected``)."""
    found: list[float] = cell_values(record, counts).max(axis=1, initial=0.0).tolist()
    return found


def linked_values(record: Record, counts: Counts | None = None) -> list[float]:
    """For each fact whether the entity supports it that its group is linked to; 0 without one."""
    values, found = cell_values(record, counts), [0.0] * len(record.facts)
    for group, link in zip(record.groups or (), record.links, strict=False):
        for fact in group.facts:
            if link.entity is not None:
                found[fact] = float(values[fact, link.entity])
    return found
