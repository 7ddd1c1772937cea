"""How many facts are supported and how many are not: what F1@K is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dfactscore.metrics import f1_at_k
from dfactscore.scoring.record import Record

__all__ = ["FactCounts", "count_facts", "fact_values", "linked_values", "plain_fact"]

_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class FactCounts:
    """Supported and other facts of one text; irrelevant ones are in neither count.

    Attributes:
        supported: Supported facts, equal ones once.
        others: Facts that are not, equal ones once.
        all_supported: Supported facts with repeats.
        all_others: Others with repeats.
        repeats: Facts that say what an earlier one said, but for case, blanks and punctuation.
    """

    supported: float
    others: float
    all_supported: float
    all_others: float
    repeats: int

    def f1_at(self, k: float, *, keep_repeats: bool = False) -> float:
        """F1@K of these counts (see `dfactscore.metrics.f1_at_k`)."""
        if keep_repeats:
            return f1_at_k(self.all_supported, self.all_others, k)
        return f1_at_k(self.supported, self.others, k)


def count_facts(record: Record, worth: Sequence[Any]) -> FactCounts:
    """Counts the relevant facts that are scored.

    Of facts that are equal, the one that is worth most counts.

    Args:
        record: The record, scored.
        worth: For each fact 1 where it is supported, 0 where not, or a probability.
    """
    kept = record.scores.facts if record.scores is not None else ()
    facts = [f for f in kept if record.facts[f].label != "irrelevant"]
    best: dict[str, float] = {}
    for fact in facts:
        text = plain_fact(record.facts[fact].text)
        best[text] = max(best.get(text, 0.0), float(worth[fact]))
    total, once = float(sum(worth[fact] for fact in facts)), float(sum(best.values()))
    return FactCounts(once, len(best) - once, total, len(facts) - total, len(facts) - len(best))


def fact_values(record: Record) -> list[float]:
    """For each fact whether any column supports it, or the largest probability (``soft``)."""
    values = _values(record)
    return [max(row, default=0.0) for row in values]


def linked_values(record: Record) -> list[float]:
    """For each fact whether the entity supports it that its group is linked to; 0 without one."""
    values, found = _values(record), [0.0] * len(record.facts)
    for group, link in zip(record.groups or (), record.links, strict=False):
        for fact in group.facts:
            if link.entity is not None:
                found[fact] = values[fact][link.entity]
    return found


def _values(record: Record) -> list[list[float]]:
    """The worth of each cell; an irrelevant fact has none."""
    matrix = record.decided
    values = matrix.support.astype(float)
    if record.options.soft:
        given = matrix.readable & ~np.isnan(matrix.probability)
        values = np.where(given, matrix.probability, values)
    for i, fact in enumerate(record.facts):
        if fact.label == "irrelevant":
            values[i] = 0.0
    worth: list[list[float]] = values.tolist()
    return worth


def plain_fact(text: str) -> str:
    """A fact as it is compared: without case, punctuation and blanks.

    Example:
        >>> plain_fact("Ann Lee sang.") == plain_fact(" ann  lee SANG")
        True
    """
    return " ".join(_SIGNS.sub(" ", text.casefold()).split())
