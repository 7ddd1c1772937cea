"""Outcomes of the facts and groups of a scored record."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dfactscore._records import Entity, Fact, WhyNot
from dfactscore._scoring.fact_standings import Standing
from dfactscore._scoring.record import Record
from dfactscore.linking import Evidence


@dataclass(frozen=True, slots=True)
class FactResult:
    """The outcome of one fact.

    Attributes:
        fact: The fact.
        group: Index of its group, or None without a grouping.
        standing: ``"supported"`` by the linked entity; ``"elsewhere"``, supported by another only
            (FActScore counts it, D-FActScore does not); ``"unsupported"``; ``"unreadable"``.
        supported_by: Ids of all entities that support it, by retrieval rank.
        evidence: The sentence that decided, from the linked entity's documents, or from those of
            the best supporting one, or None.
        probability: Of support by that entity, or None.
        conflict: The words of the same documents that contradict the fact, or None.
        why_not: Of an unsupported fact ``"contradicted"`` or ``"not_stated"``, by the linked
            entity's documents (by any, without a link); None if the verifier shows no places.
    """

    fact: Fact
    group: int | None
    standing: Standing
    supported_by: tuple[str, ...]
    evidence: str | None
    probability: float | None
    conflict: str | None = None
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One perceived individual and the entity that it is linked to.

    Attributes:
        label: The individual's name as the text writes it.
        facts: Indices of its facts.
        entity: Id of the linked entity, or None.
        support: Number of its facts that the entity supports, or the expected number.
        runner_up: Id of the best other entity with any support, or None.
        margin: Support of the link minus that of the runner-up.
        bears_name: Whether the individual bears the target name; None if unknown.
        outside: Bearers of the name without a page, as the dataset lists them, one of which a
            group that no candidate supports may be about.
    """

    label: str
    facts: tuple[int, ...]
    entity: str | None
    support: float
    runner_up: str | None
    margin: float
    bears_name: bool | None
    outside: tuple[str, ...] = ()


def group_results(record: Record) -> tuple[GroupResult, ...]:
    """The groups of a record with their links."""
    ids = [e.id for e in record.entities]
    groups = record.groups or ()
    outside = record.outside or ((),) * len(groups)
    return tuple(
        GroupResult(
            group.label,
            group.facts,
            None if link.entity is None else ids[link.entity],
            link.support,
            None if link.runner_up is None else ids[link.runner_up],
            link.margin,
            group.bears_name,
            lines,
        )
        for group, link, lines in zip(groups, record.links, outside, strict=False)
    )


def fact_results(record: Record) -> tuple[FactResult, ...]:
    """The facts of a record with their outcome."""
    if record.scores is None:
        return tuple(FactResult(f, None, "unreadable", (), None, None) for f in record.facts)
    group_of = {f: g for g, group in enumerate(group_results(record)) for f in group.facts}
    return tuple(_fact(record, i, group_of.get(i)) for i in range(len(record.facts)))


def _fact(record: Record, index: int, group: int | None) -> FactResult:
    matrix = record.decided
    by_rank = sorted(range(len(matrix.entities)), key=lambda e: matrix.ranks[e])
    supporters = [e for e in by_rank if matrix.support[index, e]]
    linked = None if group is None else record.links[group].entity
    shown = linked if linked in supporters or not supporters else supporters[0]
    evidence = conflict = probability = None
    if shown is not None:
        p = float(matrix.probability[index, shown])
        probability = None if math.isnan(p) else p
        evidence = quoted(record.entities[shown], matrix.evidence_at(index, shown))
        conflict = quoted(record.entities[shown], matrix.conflict_at(index, shown))
    return FactResult(
        fact=record.facts[index],
        group=group,
        standing=record.standing[index],
        supported_by=tuple(matrix.entities[e] for e in supporters),
        evidence=evidence,
        probability=probability,
        conflict=conflict,
        why_not=record.why_not[index],
    )


def quoted(entity: Entity, place: Evidence | None) -> str | None:
    """The words at a place in an entity's documents."""
    if place is None:
        return None
    return entity.documents[place.document].text[place.start : place.end]
