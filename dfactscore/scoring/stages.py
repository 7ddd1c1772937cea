"""The stages of one biography: facts, groups, verdicts; each run once, or taken as given."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from dfactscore._util.answers import resolve
from dfactscore._util.usage import take_usage
from dfactscore.engines.answers import (
    checked_facts,
    checked_groups,
    extra_entities,
    label_facts,
    tells_entities_apart,
    verify_together,
)
from dfactscore.engines.protocols import Engine, GroupingError, RoleError
from dfactscore.linking import SupportMatrix
from dfactscore.records import Biography, Entity, Evidence, Fact, FactGroup, Verdict
from dfactscore.scoring.matrix import support_matrix
from dfactscore.scoring.summary import RecordStatus
from dfactscore.text.abstention import is_abstention

__all__ = ["NO_CONTEXT", "Judged", "StageStore", "judge", "judge_with_store"]

_T = TypeVar("_T")
_U = TypeVar("_U")
# What a verifier without documents judges against: one column, which gives FS and nothing else.
NO_CONTEXT = Entity("(no context)", "(no context)", ())


@dataclass(frozen=True, slots=True)
class Judged:
    """A biography with everything that models and rules had to say about it.

    Attributes:
        biography: The biography.
        status: How far it came; ``"scored"`` where facts, groups and verdicts are there.
        reason: Why it is not scored, or why it was not grouped.
        facts: The facts.
        groups: The groups, or None where grouping failed.
        entities: The entities, in retrieval order.
        matrix: The verdicts, shape ``(facts, entities)``; None where nothing was judged.
        tells_entities_apart: False for a verifier that reads no documents: it gives FS only.
        usage: By stage, what models were asked for it.
    """

    biography: Biography
    status: RecordStatus
    reason: str = ""
    facts: tuple[Fact, ...] = ()
    groups: tuple[FactGroup, ...] | None = None
    entities: tuple[Entity, ...] = ()
    matrix: SupportMatrix | None = None
    tells_entities_apart: bool = True
    usage: Mapping[str, Any] = field(default_factory=dict, compare=False)


class StageStore(Protocol):
    """Where finished stages of one biography are kept, so that none is run twice."""

    def facts(self) -> tuple[Fact, ...] | None:
        """The facts, if that stage is done."""

    def groups(self) -> tuple[tuple[FactGroup, ...] | None, str] | None:
        """The groups, or None with the reason why grouping failed, if that stage is done."""

    def matrix(self) -> SupportMatrix | None:
        """The support matrix, if that stage is done."""

    def save_facts(self, facts: tuple[Fact, ...]) -> None:
        """Keeps the facts."""

    def save_groups(self, groups: tuple[FactGroup, ...] | None, reason: str) -> None:
        """Keeps the groups."""

    def save_matrix(self, judged: Judged) -> None:
        """Keeps the entities and the matrix."""


async def judge(biography: Biography, engine: Engine, entities: Sequence[Entity]) -> Judged:
    """Runs the stages that the biography does not carry.

    Args:
        biography: With facts, groups, links or verdicts where they were made elsewhere.
        engine: The roles; each may answer at once or with an awaitable.
        entities: In retrieval order.

    Returns:
        What was found, with the status that says how far it came. A role that fails makes the
        status ``"error"``; a grouping that fails, ``"grouping_failed"``.
    """
    store = _Memory()
    judged = await judge_with_store(biography, engine, entities, store)
    return replace(judged, usage=store.usage)


async def judge_with_store(
    biography: Biography, engine: Engine, entities: Sequence[Entity], store: StageStore
) -> Judged:
    """As `judge`; takes finished stages from a store and keeps new ones there."""
    tells_apart = tells_entities_apart(engine.verifier)
    entities = tuple(entities) if tells_apart else (NO_CONTEXT,)
    if entities:
        entities += extra_entities(engine.verifier, entities)
    base = Judged(biography, "scored", entities=entities, tells_entities_apart=tells_apart)
    if biography.facts is None and is_abstention(biography.text):
        return replace(base, status="abstained")
    try:
        facts = await _facts(biography, engine, store)
        if not facts:
            return replace(base, status="no_facts", reason="the text makes no statement")
        base = replace(base, facts=facts)
        if not entities:
            reason = "there is no document to judge it against"
            return replace(base, status="no_candidates", reason=reason)
        _check_links(base)
        (groups, reason), matrix = await _side_by_side(
            _groups(biography, engine, facts, store), _matrix(base, engine, store), engine
        )
    except RoleError as error:
        return replace(base, status="error", reason=error.reason)
    status: RecordStatus = "scored" if groups is not None else "grouping_failed"
    return replace(base, status=status, reason=reason, groups=groups, matrix=matrix)


async def _side_by_side(
    grouping: Coroutine[Any, Any, _T], judging: Coroutine[Any, Any, _U], engine: Engine
) -> tuple[_T, _U]:
    """Groups and judges, at the same time where the grouper takes time."""
    if not inspect.iscoroutinefunction(engine.grouper.group):
        try:
            return await grouping, await judging
        finally:
            judging.close()  # Where grouping failed, it was never begun.
    import asyncio

    tasks = (asyncio.ensure_future(grouping), asyncio.ensure_future(judging))
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()  # Does nothing to what is done.


async def _facts(biography: Biography, engine: Engine, store: StageStore) -> tuple[Fact, ...]:
    facts = store.facts()
    if facts is None:
        facts = biography.facts
        if facts is None:
            answer = await resolve(engine.decomposer.decompose(biography))
            facts = checked_facts(answer, engine.decomposer)
        elif facts:
            # The relevance step is asked for by itself, whoever made the facts.
            facts = await label_facts(engine.decomposer, biography, facts)
        store.save_facts(facts)
    return facts


async def _groups(
    biography: Biography, engine: Engine, facts: tuple[Fact, ...], store: StageStore
) -> tuple[tuple[FactGroup, ...] | None, str]:
    done = store.groups()
    if done is not None:
        return done
    groups, reason = biography.groups, ""
    if groups is None:
        try:
            answer = await resolve(engine.grouper.group(biography, facts))
            groups = checked_groups(answer, engine.grouper)
            reason = _not_a_partition(groups, len(facts))
        except GroupingError as error:
            reason = error.reason
        groups = None if reason else groups
    store.save_groups(groups, reason)
    return groups, reason


async def _matrix(base: Judged, engine: Engine, store: StageStore) -> SupportMatrix:
    matrix = store.matrix()
    if matrix is not None:
        return matrix
    rows: Sequence[Sequence[Verdict]]
    if base.biography.verdicts is not None:
        rows = _given_verdicts(base.biography.verdicts, base.entities)
    else:
        asked = [(base.facts, entity) for entity in base.entities]
        rows = await verify_together(engine.verifier, base.biography, asked)
    matrix = support_matrix(base.entities, rows)
    store.save_matrix(replace(base, matrix=matrix))
    return matrix


def _check_links(base: Judged) -> None:
    known = [e.id for e in base.entities]
    unknown = [
        link for link in base.biography.links or () if link is not None and link not in known
    ]
    if unknown and base.tells_entities_apart:
        raise RoleError(f"the given links name no entity: {unknown}; the entities are {known}")


def _given_verdicts(
    given: Mapping[str, Sequence[Verdict]], entities: Sequence[Entity]
) -> tuple[tuple[Verdict, ...], ...]:
    known = {e.id for e in entities}
    unknown, absent = sorted(set(given) - known), sorted(known - set(given))
    if unknown or absent:
        raise RoleError(
            f"the given verdicts do not match the entities: unknown {unknown}, absent {absent}"
        )
    return tuple(tuple(_shown(v, e) for v in given[e.id]) for e in entities)


def _shown(verdict: Verdict, entity: Entity) -> Verdict:
    """A given verdict, without places that point to a text which is not there."""

    def there(place: Evidence | None) -> Evidence | None:
        if place is None or not 0 <= place.document < len(entity.documents):
            return None
        size = len(entity.documents[place.document].text)
        return place if 0 <= place.start <= place.end <= size else None

    found = there(verdict.evidence), there(verdict.conflict)
    if found == (verdict.evidence, verdict.conflict):
        return verdict
    return replace(verdict, evidence=found[0], conflict=found[1])


def _not_a_partition(groups: Sequence[FactGroup], n_facts: int) -> str:
    members = sorted(f for g in groups for f in g.facts)
    if members == list(range(n_facts)) and all(g.facts for g in groups):
        return ""
    return f"the groups are no partition of the {n_facts} facts: {members[:30]}"


class _Memory:
    """Keeps only what was asked of models for each stage."""

    def __init__(self) -> None:
        self.usage: dict[str, Any] = {}

    def facts(self) -> None:
        return None

    def groups(self) -> None:
        return None

    def matrix(self) -> None:
        return None

    def save_facts(self, facts: tuple[Fact, ...]) -> None:
        self.usage["facts"] = take_usage()

    def save_groups(self, groups: tuple[FactGroup, ...] | None, reason: str) -> None:
        self.usage["groups"] = take_usage("group")

    def save_matrix(self, judged: Judged) -> None:
        self.usage["verdicts"] = take_usage(without="group")
