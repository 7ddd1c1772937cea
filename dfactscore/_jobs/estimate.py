"""What a job would ask and cost, found without asking a model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dfactscore._asking.asked import asked_of
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Request
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.tokens import estimate_tokens
from dfactscore._evidence.entities import gather_entities
from dfactscore._jobs.job import Job, settings_of
from dfactscore._records import Biography, Entity, Fact
from dfactscore._runs import begin_records, record_work
from dfactscore._scoring.record import Record
from dfactscore._scoring.stages import NO_CONTEXT
from dfactscore._text.abstention import is_abstention
from dfactscore.engines._cascade import asked_by
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._llm.roles.grouper import LLMGrouper
from dfactscore.engines._llm.roles.relevance import RelevanceLabeler
from dfactscore.engines._llm.roles.verifier import NoContextVerifier
from dfactscore.engines._protocols import Decomposer, Grouper, Verifier
from dfactscore.work import Asked, Asks, Place, Work, WouldAsk, would_ask

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


def estimate(
    job: Job,
    biographies: Iterable[Biography],
    place: Place | None = None,
    drawn: Mapping[str, int] | None = None,
) -> WouldAsk:
    """Builds every prompt of what is left and counts it.

    Facts that a model would make are taken from the built-in decomposer, so the numbers of facts
    and tokens are near the true ones, not equal to them.

    Args:
        job: How it is scored; at least one of its roles is a model's.
        biographies: The input.
        place: The run's folder, whose texts that are done ask nothing.
        drawn: How the input was drawn, where it is a random sample.

    Raises:
        DFactScoreError: What `run_job` refuses before it asks.
    """
    engine = job.engine

    async def asks(record: Record) -> AsyncIterator[Asked]:
        biography, found = record.biography, list[Asked]()
        if biography.facts is None and is_abstention(biography.text):
            return
        facts = await count_facts(biography, engine.decomposer, found)
        entities = _entities(biography, engine.verifier, job.source)
        if facts and entities:  # Nothing is grouped where there is nothing to judge against.
            count_grouping(biography, facts, engine.grouper, found)
            if biography.verdicts is None:
                pairs = [(facts, entity) for entity in entities]
                found += await asked_by(engine.verifier, biography, pairs)
        for one in found:
            yield one

    return would_ask(asking_work(job, biographies, asks, drawn), place)


def asking_work(
    job: Job,
    biographies: Iterable[Biography],
    asks: Callable[[Record], Asks],
    drawn: Mapping[str, int] | None = None,
) -> Work[Record, None]:
    """The work of `run_job`, as far as it is needed to count what it would ask."""
    records = begin_records(biographies)
    job.check_evidence(record.biography for record in records if record.status is None)
    return record_work(
        records,
        job.engine,
        job.source,
        lambda found: None,
        name=job.command,
        settings=settings_of(job.settled(records), records, drawn),
        asks=asks,
    )


async def count_facts(
    biography: Biography, decomposer: Decomposer, found: list[Asked]
) -> Sequence[Fact]:
    """Counts what making the facts asks; facts near those that would be made."""
    labeler = decomposer if isinstance(decomposer, RelevanceLabeler) else None
    if biography.facts is not None:
        return _labeled(biography, biography.facts, labeler, found)
    inner = labeler.decomposer if labeler else decomposer
    if isinstance(inner, LLMDecomposer):
        requests = inner.requests(biography)
        if all(_stored(inner.client, request) for request in requests):
            for request in requests:
                found += asked_of(inner.client, request, 0)
            # The true ones, without a call.
            facts = await inner.decompose(biography, again=False)
            return _labeled(biography, facts, labeler, found)
    from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer

    facts = BuiltinDecomposer().decompose(biography)
    if isinstance(inner, LLMDecomposer):
        requests = inner.requests(biography)
        answer = sum(estimate_tokens(fact.text) + 3 for fact in facts)
        for request in requests:
            found += asked_of(inner.client, request, answer // len(requests) + 8)
    return _labeled(biography, facts, labeler, found)


def count_grouping(
    biography: Biography, facts: Sequence[Fact], grouper: Grouper, found: list[Asked]
) -> None:
    """Counts what grouping the facts asks."""
    if biography.groups is None and isinstance(grouper, LLMGrouper):
        found += asked_of(grouper.client, grouper.request(biography, facts), 60 + 7 * len(facts))


def _stored(client: ChatClient, request: Request) -> bool:
    return client.cached(request, client.known_capabilities() or Capabilities())


def _labeled(
    biography: Biography,
    facts: Sequence[Fact],
    labeler: RelevanceLabeler | None,
    found: list[Asked],
) -> Sequence[Fact]:
    if labeler:
        open_ = [fact for fact in facts if fact.label is None]
        for request in labeler.relevance_requests(biography, open_):
            found += asked_of(labeler.client, request, 6 * min(len(open_), labeler.facts_per_call))
    return facts


def _entities(
    biography: Biography, verifier: Verifier, source: KnowledgeSource | None
) -> tuple[Entity, ...]:
    if isinstance(verifier, NoContextVerifier):
        return (NO_CONTEXT,)
    return gather_entities(biography, source).entities
