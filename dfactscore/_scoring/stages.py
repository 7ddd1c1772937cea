"""The stages of a biography: facts, groups, verdicts. Stages supplied in the input are not run."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from dfactscore._readers.shown_text import no_text
from dfactscore._records import Biography, Entity, Fact, FactGroup, Verdict
from dfactscore._scoring.matrix import support_matrix
from dfactscore._scoring.record import Record, RecordStatus, Stage
from dfactscore._text.clean_text import plain_words
from dfactscore._text.language import language_reason, other_language
from dfactscore._util.tasks import resolve, together
from dfactscore._util.usage import collect_usage, take_usage
from dfactscore.engines._answers import (
    checked_facts,
    checked_groups,
    checked_rows,
    columns,
    label_facts,
    weigh,
)
from dfactscore.engines._roles import Engine, GroupingError, RoleError
from dfactscore.engines._wrapping import FS_ONLY
from dfactscore.linking import Evidence, SupportMatrix

_T = TypeVar("_T")
_U = TypeVar("_U")
Keep = Callable[[Stage, Record], None]
# The only column of a verifier that reads no documents and therefore gives FS only.
NO_CONTEXT = Entity("(no context)", "(no context)", ())


async def judge(
    record: Record, engine: Engine, *, keep: Keep = lambda stage, record: None
) -> Record:
    """Fills the missing stages of a record: facts, groups and matrix."""
    # Returns the record with its status: `"error"` if a role failed, `"grouping_failed"` if only
    # the grouping failed.
    biography = record.biography
    tells_apart = engine.verifier.tells_entities_apart
    entities = columns(engine.verifier, record.entities if tells_apart else (NO_CONTEXT,))
    filling = _Filling(replace(record, entities=entities, tells_entities_apart=tells_apart), keep)
    if (ending := no_text(biography)) is not None:
        return filling.ended(ending.status, ending.reason)
    language = None if engine.any_language else _unread_language(biography, engine)
    if language is not None:
        return filling.ended(
            "not_english",
            f"{language_reason(language)}; the built-in engine reads English only",
        )
    with collect_usage():
        try:
            await _facts(filling, engine)
            if not filling.record.facts:
                return filling.ended("no_facts", "the text makes no statement")
            if not entities:
                return filling.ended("no_candidates", "there is no document to judge it against")
            _check_links(filling.record)
            reason, _ = await _side_by_side(
                _groups(filling, engine), _matrix(filling, engine), engine
            )
        except RoleError as error:
            return filling.ended("error", error.reason)
    return filling.ended("grouping_failed" if reason else "scored", reason)


def _unread_language(biography: Biography, engine: Engine) -> str | None:
    """Returns the language of a text that is not English if a required role reads only English."""
    needed = (
        engine.decomposer if biography.facts is None else None,
        engine.grouper if biography.groups is None else None,
        engine.verifier if biography.verdicts is None else None,
    )
    if not any(role.english_only for role in needed if role is not None):
        return None
    return other_language(biography.text)


class _Filling:
    """The record that concurrent stages fill in."""

    def __init__(self, record: Record, keep: Keep) -> None:
        self.record = record
        self._keep = keep

    def fill(self, stage: Stage, usage: Mapping[str, Any], **fields: Any) -> None:
        """Adds the result of a stage to the record and calls `keep`."""
        usages = {**self.record.usage, stage: usage}
        self.record = replace(self.record, usage=usages, **fields)
        self._keep(stage, self.record)

    def ended(self, status: RecordStatus, reason: str = "") -> Record:
        """Returns the record with its final status."""
        return replace(self.record, status=status, reason=reason)


async def _side_by_side(
    grouping: Coroutine[Any, Any, _T], judging: Coroutine[Any, Any, _U], engine: Engine
) -> tuple[_T, _U]:
    """Groups and judges facts, concurrently if the grouper is asynchronous."""
    if not inspect.iscoroutinefunction(engine.grouper.group):
        try:
            return await grouping, await judging
        finally:
            judging.close()  # not awaited if grouping failed

    tasks = asyncio.ensure_future(grouping), asyncio.ensure_future(judging)
    await together(tasks)
    return tasks[0].result(), tasks[1].result()


async def _facts(filling: _Filling, engine: Engine) -> None:
    biography = filling.record.biography
    if filling.record.facts:
        return
    facts = biography.facts
    if facts is None:
        answer = await resolve(engine.decomposer.decompose(biography))
        facts = checked_facts(answer, engine.decomposer)
    elif facts:
        # The relevance step also labels facts supplied by the input.
        facts = await label_facts(engine.decomposer, biography, facts)
    filling.fill("facts", take_usage(), facts=facts)


async def _groups(filling: _Filling, engine: Engine) -> str:
    """Groups the facts; returns the reason if grouping failed, and an empty string otherwise."""
    record = filling.record
    if record.groups is not None:
        return ""
    groups, reason = record.biography.groups, ""
    if groups is None:
        try:
            answer = await resolve(engine.grouper.group(record.biography, record.facts))
            groups = checked_groups(answer, engine.grouper)
            reason = _not_a_partition(groups, len(record.facts))
        except GroupingError as error:
            reason = error.reason
        groups = None if reason else groups
    filling.fill("groups", take_usage("group"), groups=groups, reason=reason)
    return reason


async def _matrix(filling: _Filling, engine: Engine) -> None:
    record = filling.record
    if record.matrix is not None:
        return
    fields: dict[str, Any] = {}
    if record.biography.verdicts is not None:
        verdicts = _given_verdicts(record.biography.verdicts, record.entities)
        matrix = support_matrix(record.entities, verdicts)
    else:
        verifier, facts = engine.verifier, record.facts
        answer = await verifier.find_and_verify(record.biography, facts, record.entities)
        rows = checked_rows(answer.rows, verifier, [(facts, e) for e in answer.entities])
        matrix = support_matrix(answer.entities, [_agreeing(facts, row) for row in rows])
        matrix = _weighed(matrix, answer.entities, engine)
        fields = {"entities": answer.entities, "searches": answer.searches}
    filling.fill("verdicts", take_usage(without="group"), matrix=matrix, **fields)


def _agreeing(facts: Sequence[Fact], row: Sequence[Verdict]) -> Sequence[Verdict]:
    """Returns the verdicts, making contradictory verdicts on repeated facts unreadable."""
    statuses: dict[str, set[str]] = {}
    for fact, verdict in zip(facts, row, strict=True):
        statuses.setdefault(plain_words(fact.text), set()).add(verdict.status)
    contradictory = {
        text for text, seen in statuses.items() if seen >= {"supported", "not_supported"}
    }
    if not contradictory:
        return row
    return [
        Verdict("unparsed") if plain_words(fact.text) in contradictory else verdict
        for fact, verdict in zip(facts, row, strict=True)
    ]


def _weighed(matrix: SupportMatrix, entities: Sequence[Entity], engine: Engine) -> SupportMatrix:
    """Returns the matrix with probabilities that the verifier has weighed together."""
    readable = np.where(matrix.readable, matrix.probability, np.nan)
    # An FS-only column adds evidence to FS but not to D-FS: the share that weighs it is that of all
    # columns, and the share that weighs the entities is theirs alone.
    of_entities = [e for e, entity in enumerate(entities) if entity.id not in FS_ONLY]
    weighed = weigh(engine.verifier, entities, readable).copy()
    if 0 < len(of_entities) < len(entities):
        chosen = [entities[e] for e in of_entities]
        weighed[:, of_entities] = weigh(engine.verifier, chosen, readable[:, of_entities])
    probability = np.where(np.isnan(readable), matrix.probability, weighed)
    return replace(matrix, probability=probability)


def _check_links(record: Record) -> None:
    known = [e.id for e in record.entities]
    unknown = [
        link for link in record.biography.links or () if link is not None and link not in known
    ]
    if unknown and record.tells_entities_apart:
        raise RoleError(f"the given links name no entity: {unknown}; the entities are {known}")


def _given_verdicts(
    verdicts: Mapping[str, Sequence[Verdict]], entities: Sequence[Entity]
) -> tuple[tuple[Verdict, ...], ...]:
    known = {e.id for e in entities}
    unknown, absent = sorted(set(verdicts) - known), sorted(known - set(verdicts))
    if unknown or absent:
        raise RoleError(
            f"the given verdicts do not match the entities: unknown {unknown}, absent {absent}"
        )
    return tuple(tuple(_within(v, e) for v in verdicts[e.id]) for e in entities)


def _within(verdict: Verdict, entity: Entity) -> Verdict:
    """Returns a given verdict without any places that lie outside the entity's documents."""

    def existing(place: Evidence | None) -> Evidence | None:
        if place is None or not 0 <= place.document < len(entity.documents):
            return None
        size = len(entity.documents[place.document].text)
        return place if 0 <= place.start <= place.end <= size else None

    evidence, conflict = existing(verdict.evidence), existing(verdict.conflict)
    if (evidence, conflict) == (verdict.evidence, verdict.conflict):
        return verdict
    return replace(verdict, evidence=evidence, conflict=conflict)


def _not_a_partition(groups: Sequence[FactGroup], n_facts: int) -> str:
    members = sorted(f for g in groups for f in g.facts)
    if members == list(range(n_facts)) and all(g.facts for g in groups):
        return ""
    return f"the groups are not a partition of the {n_facts} facts: {members[:30]}"
