"""Outcomes of the facts and groups of a scored record."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dfactscore._records import Entity, Fact, WhyNot
from dfactscore._scoring.matrix import Standing
from dfactscore._scoring.record import Record
from dfactscore.linking import Evidence


@dataclass(frozen=True, slots=True)
class FactResult:
    """The outcome of a fact."""

    fact: Fact
    group: int | None  # index of the group it belongs to; None if there is no grouping
    # `"supported"` by the linked entity; `"elsewhere"`, supported only by other entities (FActScore
    # counts it, D-FActScore does not); `"unsupported"`; `"unreadable"`.
    standing: Standing
    supported_by: tuple[str, ...]
    # The sentence that decides the verdict, or None. It comes from the linked entity's documents
    # or, if that entity does not support the fact, from those of the best supporting entity.
    evidence: str | None
    probability: float | None
    conflict: str | None = None
    # Whether an unsupported fact is `"contradicted"` or `"not_stated"` by the linked entity's
    # documents (without a link, by any); None if the verifier gives no evidence.
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class GroupResult:
    """A perceived individual and the entity linked to it."""

    label: str
    facts: tuple[int, ...]
    entity: str | None
    support: float  # actual or expected number of the group's facts that the entity supports
    runner_up: str | None  # id of the entity with the second most support, if any, or None
    margin: float
    bears_name: bool | None  # whether the individual bears the target name; None if unknown
    # Descriptions of the people the group may be about who share the name but have no page; empty
    # if a candidate supports the group.
    outside: tuple[str, ...] = ()
    # Whether the individual may be the person of a page that was not judged, whatever the link.
    may_be_unread: bool = False


def group_results(record: Record) -> tuple[GroupResult, ...]:
    """Returns the groups of a record with their links."""
    ids = [e.id for e in record.entities]
    groups = record.groups or ()
    outside = record.outside or ((),) * len(groups)
    unread = record.scores.open_groups if record.scores is not None else ()
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
            number in unread,
        )
        for number, (group, link, lines) in enumerate(
            zip(groups, record.links, outside, strict=False)
        )
    )


def fact_results(record: Record) -> tuple[FactResult, ...]:
    """Returns the facts of a record with their outcomes."""
    if record.scores is None:
        return tuple(FactResult(f, None, "unreadable", (), None, None) for f in record.facts)
    group_of = {f: g for g, group in enumerate(group_results(record)) for f in group.facts}
    return tuple(_fact(record, i, group_of.get(i)) for i in range(len(record.facts)))


def _fact(record: Record, index: int, group: int | None) -> FactResult:
    matrix = record.decided
    by_rank = sorted(range(len(matrix.entities)), key=lambda e: matrix.ranks[e])
    supporters = [e for e in by_rank if matrix.support[index, e]]
    linked = None if group is None else record.links[group].entity
    entity = linked if linked in supporters or not supporters else supporters[0]
    if group is not None and entity is None:  # any page may contradict a person without a link
        entity = next((e for e in by_rank if matrix.conflict_at(index, e)), None)
    evidence = conflict = probability = None
    if entity is not None:
        p = float(matrix.probability[index, entity])
        probability = None if math.isnan(p) else p
        evidence = quoted(record.entities[entity], matrix.evidence_at(index, entity))
        conflict = quoted(record.entities[entity], matrix.conflict_at(index, entity))
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
    """Returns the text at a given position in an entity's documents."""
    if place is None:
        return None
    return entity.documents[place.document].text[place.start : place.end]
