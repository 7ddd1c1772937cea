"""Scores texts with SAFE and D-SAFE, using scoring jobs whose verifier searches for evidence."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._asking.cache import AnswerCache, default_cache_path
from dfactscore._asking.search import SearchClient, SearchLimits, SearchResult, open_search
from dfactscore._asking.session import estimated_requests
from dfactscore._errors import InputError
from dfactscore._evidence.entities import gather_entities
from dfactscore._jobs.estimate import asking_work
from dfactscore._jobs.job import Job
from dfactscore._jobs.opening import JudgesOfSettings, open_job
from dfactscore._jobs.settings import Config
from dfactscore._jobs.workers import existing_files
from dfactscore._readers import Reading
from dfactscore._readers.shown_text import no_text
from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore._runs import begin_records, load_run
from dfactscore._runs.worker_judges import Judges
from dfactscore._scorer.run_folder import Scoring, run_job
from dfactscore._scoring.record import Record
from dfactscore._util.files import write_text
from dfactscore._util.reporting import Progress, log_lines
from dfactscore._util.tables import csv_text
from dfactscore._util.usage import Usage
from dfactscore.engines._answers import count_facts, count_grouping
from dfactscore.engines._llm.roles.facts_step import RelevanceLabeler
from dfactscore.engines._wrapping import OPEN, CascadeVerifier
from dfactscore.safe._revising import LLMQueryWriter, QuestionRelevance, Reviser
from dfactscore.safe._safe_scores import safe_table
from dfactscore.safe._settings import SafeConfig
from dfactscore.safe._verifier import SearchVerifier
from dfactscore.work import Asked, in_folder, would_ask
from dfactscore.work._work import all_asked

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore.engines._roles import Decomposer
    from dfactscore.safe._safe_scores import SafeTable

_LOG = logging.getLogger(__name__)


_A_PASSAGE = " ".join(["word"] * 100)


_INDEX = "index:"


@contextmanager
def using_searches(settings: SafeConfig, session: LLMSession | None) -> Iterator[SearchClient]:
    """Opens the search service, which shares its cache and usage with the session's models."""
    search, cache = _opened(settings, session)
    try:
        yield search
    finally:
        if cache is not None:
            cache.close()


def _opened(
    settings: SafeConfig, session: LLMSession | None
) -> tuple[SearchClient, AnswerCache | None]:
    """The client of the search service, and the cache if it must be closed separately."""
    if settings.search is None:
        raise InputError(
            "no search service: give --search index:FOLDER (see 'dfactscore index build'), "
            "wikipedia, mediawiki:URL, searxng:URL or serper"
        )
    limits = SearchLimits(
        concurrency=settings.concurrency or 8,
        per_minute=settings.searches_per_minute,
        most=settings.max_searches,
        retries=settings.retries,
        backoff=settings.backoff,
        cache_days=settings.search_cache_days,
    )
    service = open_search(
        settings.search,
        contact=settings.contact,
        interval=settings.interval,
        timeout=settings.search_timeout,
        limits=limits,
    )
    cache = None if session is None else session.cache
    separate = session is None and not settings.no_cache and not settings.search.startswith(_INDEX)
    if separate:
        cache = AnswerCache(settings.cache or default_cache_path())
    usage = Usage() if session is None else session.usage
    search = SearchClient(service, cache=cache, usage=usage, limits=limits)
    return search, cache if separate else None


def open_safe_job(
    settings: SafeConfig,
    search: SearchClient,
    session: LLMSession | None = None,
) -> Job:
    """Opens pages, dataset and engine, together with a verifier that searches."""
    _check(settings)
    job = open_job(settings, session)
    writer = None
    if session is not None and settings.asks_model["verifier"]:
        client = session.client(settings.chat_model("verifier"))
        writer = LLMQueryWriter(client, prompts=settings.prompts)
    verifier = SearchVerifier(
        job.engine.verifier,
        search,
        writer=writer,
        steps=settings.steps,
        results=settings.results,
        per_entity=settings.per_entity,
        all_columns=settings.all_columns,
        addresses=_addresses(settings.dataset),
    )
    models_close = job.engine.close

    async def close() -> None:
        await search.aclose()
        if models_close is not None:
            await models_close()

    decomposer = _decomposer(settings, job.engine.decomposer, session)
    engine = replace(job.engine, decomposer=decomposer, verifier=verifier, close=close)
    judges = None if job.judges is None else JudgesOfSearches.of(settings)
    return replace(job, engine=engine, judges=judges, command="safe", usage=search.usage)


def _check(settings: SafeConfig) -> None:
    """Rejects conflicting settings."""
    if settings.all_columns and not settings.per_entity:
        raise InputError("--all-columns is for --per-entity; give both")
    if settings.index is not None:
        raise InputError("--index is for 'score'; here: --search index:FOLDER")
    if settings.roles[2] == "no-context":
        raise InputError("--verifier no-context reads no evidence, so nothing can be searched for")
    within = settings.search is not None and settings.search.startswith(_INDEX)
    if not within and (settings.workers != 1 or settings.on is not None):
        raise InputError(
            "--workers is for a search in an index; one process calls a search service: raise "
            "--concurrency instead"
        )
    if settings.max_searches is not None and (settings.workers != 1 or settings.on is not None):
        raise InputError("--max-searches needs a single process; leave out --workers and on")


@dataclass(frozen=True)
class JudgesOfSearches(JudgesOfSettings):
    """Opens the engine, pages and index named in settings, in a worker process."""

    @classmethod
    def of(cls, config: Config) -> JudgesOfSearches:
        """Creates the judges for a configuration, using the absolute path of the index."""
        settings = dict(super().of(config).settings)
        folder = Path(settings["search"].removeprefix(_INDEX)).absolute()
        return cls({**settings, "search": f"{_INDEX}{folder}"})

    @property
    def files(self) -> Sequence[Path]:
        """The paths of the page, redirect and index files."""
        return [*super().files, *existing_files([self.settings["search"].removeprefix(_INDEX)])]

    def __call__(self) -> Judges:
        """Opens the engine, pages and index."""
        settings = SafeConfig.model_validate(self.settings)
        job = open_safe_job(settings, _opened(settings, None)[0])
        return Judges(replace(job.engine, close=None), job.source)


def _decomposer(
    settings: SafeConfig, decomposer: Decomposer, session: LLMSession | None
) -> Decomposer:
    """The decomposer, plus steps for revision and for relevance to the question if requested."""
    if session is None:
        return decomposer
    # `QuestionRelevance` replaces the labels for biographies, which do not use the question.
    decomposer = decomposer.decomposer if isinstance(decomposer, RelevanceLabeler) else decomposer
    if not settings.revise and not settings.relevance:
        return decomposer
    client = session.client(settings.chat_model("decomposer"))
    if settings.revise:
        decomposer = Reviser(decomposer, client, prompts=settings.prompts)
    return (
        QuestionRelevance(decomposer, client, prompts=settings.prompts)
        if settings.relevance
        else decomposer
    )


def _addresses(dataset: Path | None) -> Mapping[str, list[str]]:
    if dataset is None:
        return {}
    from dfactscore import ambigbio

    people = (person for name in ambigbio.load(dataset).names for person in name.people)
    return {person.title: [person.url] for person in people if person.url}


def safe(
    settings: SafeConfig,
    reading: Reading,
    *,
    session: LLMSession | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
) -> tuple[Scoring, SafeTable, Usage]:
    """Scores texts against searched evidence, writing to a run folder or resuming the run in it."""
    if settings.input is None:
        raise InputError("no input: name a file of texts, or give 'input' in --config")
    log_lines(_LOG, reading.cuts)
    with using_searches(settings, session) as search:
        scoring = run_job(
            open_safe_job(settings, search, session),
            begin_records(reading.biographies),
            out or settings.out,
            name=settings.input.name,
            bad=reading.bad,
            progress=progress,
        )
        usage = search.usage
    table = safe_table(load_run(scoring.folder).records(texts=False))
    write_text(scoring.folder / "safe.csv", csv_text(table.rows))
    # The run, its scores (also written to `safe.csv` in the run folder), and the number of searches
    # and the model usage.
    return scoring, table, usage


def most_needed(
    settings: SafeConfig, biographies: Sequence[Biography], session: LLMSession | None
) -> tuple[dict[str, int], Usage]:
    """Estimates offline the maximum number of searches, calls and tokens for the remaining texts.

    Facts are estimated with the built-in engine instead of a model, and each search result counts
    as a passage of a hundred words.
    """
    # Returns the number of texts (excluding abstentions), facts and searches; and calls, tokens and
    # cost by stage. Cached answers cost nothing.
    sums: Counter[str] = Counter()
    with using_searches(settings, session) as search:
        job = open_safe_job(settings, search, session)
        verifier: Any = job.engine.verifier
        steps = verifier.steps if verifier.writer else 1

        async def asks(record: Record) -> AsyncIterator[Asked]:
            biography, requests = record.biography, list[Asked]()
            if no_text(biography):
                return
            facts = await count_facts(biography, job.engine.decomposer, requests)
            await count_grouping(biography, facts, job.engine.grouper, requests)
            entities = gather_entities(biography, job.source).entities
            sums.update(texts=1, facts=len(facts), searches=len(facts) * steps)
            if verifier.per_entity and not search.restricts:
                sums.update(searches=len(facts) * len(entities))
            for fact in facts:
                await _count_fact(biography, fact, verifier, entities, requests)
            for asked in requests:
                yield asked

        place = None if settings.out is None else in_folder(settings.out)
        work = asking_work(job, biographies, asks)
        usage = would_ask(work, place).usage
    return {name: sums[name] for name in ("texts", "facts", "searches")}, usage


async def _count_fact(
    biography: Biography,
    fact: Fact,
    verifier: SearchVerifier,
    entities: Sequence[Entity],
    requests: list[Asked],
) -> None:
    """Counts the requests for writing queries for a fact, and for judging it."""
    steps = verifier.steps if verifier.writer else 1
    results = [SearchResult(f"result {i}", _A_PASSAGE) for i in range(steps * verifier.results)]
    writer: Any = verifier.writer
    for step in range(1, steps):
        request = writer.request(fact, [fact.text] * step, results[: step * verifier.results])
        requests += estimated_requests(writer.client, request, 30)
    inner = verifier.inner
    judge = inner.second if isinstance(inner, CascadeVerifier) else inner
    for column in verifier.columns(entities):
        open_ = column.id == OPEN
        documents = (
            Document(r.title, r.text) for r in (results if open_ else results[: verifier.results])
        )
        entity = replace(column, documents=tuple(documents))
        requests += await all_asked(judge.asks(biography, [([fact], entity)]))
