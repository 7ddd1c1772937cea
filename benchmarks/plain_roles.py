"""Roles that take no time: a sentence is a fact, all facts are one group, half of them are true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.records import Biography, Entity, Fact, FactGroup, Verdict
from dfactscore.text.sentences import split_sentences

__all__ = ["PlainDecomposer", "PlainGrouper", "PlainVerifier"]


class _Plain:
    settings: Mapping[str, Any] = {"name": "plain"}


class PlainDecomposer(_Plain):
    """A sentence is a fact."""

    def decompose(self, biography: Biography) -> list[Fact]:
        """The sentences."""
        return [
            Fact(s.text, n, (s.start, s.end)) for n, s in enumerate(split_sentences(biography.text))
        ]


class PlainGrouper(_Plain):
    """All facts are one group."""

    def group(self, biography: Biography, facts: Sequence[Fact]) -> list[FactGroup]:
        """One group."""
        return [FactGroup(tuple(range(len(facts))), biography.name, True)]


class PlainVerifier(_Plain):
    """Every other fact is supported."""

    def verify(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> list[Verdict]:
        """One verdict a fact."""
        status = ("supported", "not_supported")
        return [Verdict(status[n % 2], 0.5) for n in range(len(facts))]  # type: ignore[arg-type]
