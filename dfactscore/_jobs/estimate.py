"""Estimates the requests and cost of a job, without calling a model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dfactscore._evidence.entities import gather_entities
from dfactscore._jobs.job import Job, settings_of
from dfactscore._readers.shown_text import no_text
from dfactscore._records import Biography, Entity
from dfactscore._runs import begin_records, record_work
from dfactscore._scoring.record import Record
from dfactscore._scoring.stages import NO_CONTEXT
from dfactscore.engines._answers import count_facts, count_grouping
from dfactscore.engines._roles import Verifier
from dfactscore.work import Asked, Asks, Place, Work, WouldAsk, would_ask
from dfactscore.work._work import all_asked

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


def estimate(
    job: Job,
    biographies: Iterable[Biography],
    place: Place | None = None,  # run folder; texts already finished in it need no requests
    drawn: Mapping[str, int] | None = None,  # sample size and seed, if the input is a random sample
) -> WouldAsk:
    """Builds all remaining prompts and counts them.

    The built-in decomposer stands in for a model, so the numbers of facts and tokens are estimates.
    """
    engine = job.engine

    async def asks(record: Record) -> AsyncIterator[Asked]:
        biography, requests = record.biography, list[Asked]()
        if no_text(biography):
            return
        facts = await count_facts(biography, engine.decomposer, requests)
        entities = _entities(biography, engine.verifier, job.source)
        if facts and entities:  # without evidence, facts are not grouped
            await count_grouping(biography, facts, engine.grouper, requests)
            if biography.verdicts is None:
                pairs = [(facts, entity) for entity in entities]
                requests += await all_asked(engine.verifier.asks(biography, pairs))
        for request in requests:
            yield request

    return would_ask(asking_work(job, biographies, asks, drawn), place)


def asking_work(
    job: Job,
    biographies: Iterable[Biography],
    asks: Callable[[Record], Asks],
    drawn: Mapping[str, int] | None = None,
) -> Work[Record, None]:
    """Returns the work of `run_job`, for counting its requests."""
    records = begin_records(biographies)
    job.check_evidence(record.biography for record in records if record.status is None)
    return record_work(
        records,
        job.engine,
        job.source,
        lambda finished: None,
        name=job.command,
        settings=settings_of(job.settled(records), records, drawn),
        asks=asks,
    )


def _entities(
    biography: Biography, verifier: Verifier, source: KnowledgeSource | None
) -> Sequence[Entity]:
    if not verifier.tells_entities_apart:
        return (NO_CONTEXT,)
    return verifier.columns(gather_entities(biography, source).entities)
