"""SAFE's verifier: searches for evidence on each fact in several steps, then judges the fact."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from dfactscore._asking.search import SearchClient, SearchFailed, SearchResult
from dfactscore._records import Biography, Document, Entity, Fact, FactSearch, SearchStep, Verdict
from dfactscore.engines._answers import verify_together
from dfactscore.engines._roles import Found, Verifier
from dfactscore.engines._wrapping import OPEN, CascadeVerifier
from dfactscore.safe._found_pages import BY_ADDRESS, Attributed, People, handle_of, judge_of_pages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PAGE = 10  # results that a service returns and bills per request
_NOTHING = Verdict("not_supported", 0.0)
_FAILED = Verdict("error")


class QueryWriter(Protocol):
    """Writes the next query for a fact (see `dfactscore.safe._revising.LLMQueryWriter`)."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""

    async def next_query(
        self, fact: Fact, queries: Sequence[str], results: Sequence[SearchResult]
    ) -> str | Literal[False] | None:
        """Returns a query, False if the results suffice, or None if the answer is unreadable."""


@dataclass
class _FactSearches:
    """The searches for one fact."""

    steps: list[tuple[str, tuple[SearchResult, ...]]] = field(default_factory=list)
    ended: str = "one step"
    beyond: list[SearchResult] = field(default_factory=list)

    @property
    def results(self) -> tuple[SearchResult, ...]:
        """The distinct results, each in the form in which it was first returned."""
        by_text = {(r.title, r.text): r for _, row in reversed(self.steps) for r in reversed(row)}
        ordered = {(r.title, r.text): None for _, row in self.steps for r in row}
        return tuple(by_text[key] for key in ordered)


class SearchVerifier(Verifier):
    """Searches for evidence on each fact and has another verifier judge it (SAFE, section 3).

    The column ``(open)``, which is not an entity, contains the verdicts based on an unrestricted
    search. With `per_entity`, each candidate entity also has a column that contains the verdicts
    based on evidence about that entity (D-SAFE).

    Args:
        inner: Verifier that judges facts against the results; in an open search, the built-in
            verifier judges each page separately (see `dfactscore.safe._found_pages.PageByPage`).
        search: Client for the search service.
        writer: Writes further queries; if None, the fact is the only query.
        steps: Maximum number of open searches per fact.
        results: Number of results to use per search.
        per_entity: Also search for evidence about each entity.
        all_columns: Judge all facts against all entities, not only the facts that ``(open)``
            supports.
        addresses: Addresses of pages about an entity, by entity id.
    """

    def __init__(
        self,
        inner: Verifier,
        search: SearchClient,
        *,
        writer: QueryWriter | None = None,
        steps: int = 5,
        results: int = 3,
        per_entity: bool = False,
        all_columns: bool = False,
        addresses: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.inner = inner
        self.judge = judge_of_pages(inner)
        self.search = search
        self.writer = writer
        self.steps = steps
        self.results = results
        self.per_entity = per_entity
        self.all_columns = all_columns
        self.addresses = addresses or {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change a verdict."""
        return {
            "name": "search",
            "search": self.search.settings,
            "steps": self.steps if self.writer else 1,
            "results": self.results,
            "queries": dict(self.writer.settings) if self.writer else None,
            "per_entity": self.per_entity,
            "all_columns": self.per_entity and self.all_columns,
            "addresses": {k: list(v) for k, v in self.addresses.items()} or None,
            "judge": dict(self.judge.settings),
        }

    @property
    def threshold(self) -> float | None:
        """The threshold of the verifier that judges facts."""
        return self.inner.threshold

    @property
    def calibrated(self) -> bool:
        """Whether the verifier that judges facts is calibrated."""
        return self.inner.calibrated

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns the probabilities as weighed by the verifier that judges facts."""
        return self.inner.weigh(entities, probability)

    def columns(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """The columns, without documents: the entities if `per_entity` is set, and ``(open)``."""
        columns = tuple(entities) if self.per_entity else ()
        rank = max((entity.rank for entity in columns), default=-1) + 1
        return (*columns, Entity(OPEN, "what a search finds", (), rank))

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, based on the results of an open search."""
        open_ = replace(entity, id=OPEN, documents=())
        return tuple((await self.find_and_verify(biography, facts, (open_,))).rows[0])

    async def find_and_verify(
        self, biography: Biography, facts: Sequence[Fact], entities: Sequence[Entity]
    ) -> Found:
        """Searches for evidence and judges all facts in all columns."""
        candidates = [entity for entity in entities if entity.id != OPEN]
        people = People(biography.name, candidates, self.addresses)
        gathered = await asyncio.gather(*(self._open_search(biography, fact) for fact in facts))
        pool = _Pool(lambda result: _document(result, _note(people, people.give(result))))
        places = [[pool.place(r) for r in searches.results] for searches in gathered]
        open_row = await self._judge(biography, facts, gathered, places, entities)
        fact_searches = [_fact_search(searches, pool) for searches in gathered]
        restricted = await self._restricted(facts, gathered, candidates, people, open_row)
        columns = {OPEN: (tuple(pool.documents), open_row)}
        for number, entity in enumerate(candidates):
            evidence = [by_entity[number] for by_entity in restricted]
            columns[entity.id] = await self._column(biography, facts, entity, evidence, open_row)
            for fact, fact_evidence in enumerate(evidence):
                if fact_evidence.step is not None:
                    steps = (*fact_searches[fact].steps, fact_evidence.step)
                    fact_searches[fact] = replace(fact_searches[fact], steps=steps)
        documented = tuple(replace(e, documents=columns[e.id][0]) for e in entities)
        rows = [columns[e.id][1] for e in entities]
        return Found(documented, rows, tuple(fact_searches))

    async def _open_search(self, biography: Biography, fact: Fact) -> _FactSearches:
        """Runs an open search whose first query is the fact; the model writes the others."""
        searches = _FactSearches()
        query, sent = " ".join(fact.text.split()), set[str]()
        try:
            for step in range(self.steps if self.writer else 1):
                sent.add(query.casefold())
                results = await self.search.search(query, self._results_to_request)
                searches.steps.append((query, results[: self.results]))
                searches.beyond.extend(results[self.results :])
                if self.writer is None:
                    break
                if await self._sure(biography, fact, searches):
                    searches.ended = "sure"
                    break
                if step + 1 == self.steps:
                    searches.ended = "steps"
                    break
                queries = [text for text, _ in searches.steps]
                reply = await self.writer.next_query(fact, queries, searches.results)
                if not reply:
                    searches.ended = "unreadable" if reply is None else "enough"
                    break
                if reply.casefold() in sent:
                    searches.ended = "repeated"
                    break
                query = reply
        except SearchFailed as error:
            self.search.usage.problems[f"search: {error.reason}"] += 1
            searches.ended = "failed"
        return searches

    @property
    def _results_to_request(self) -> int:
        """Number of results to request, which is larger if one request may serve all candidates."""
        several = self.per_entity and not self.search.restricts
        return max(self.results, _PAGE) if several else self.results

    async def _sure(self, biography: Biography, fact: Fact, searches: _FactSearches) -> bool:
        """Whether a cascade can judge the evidence so far without its second verifier."""
        if not isinstance(self.judge, CascadeVerifier) or not searches.results:
            return False
        entity = Entity(OPEN, OPEN, tuple(map(_document, searches.results)))
        return not await self.judge.unsure(biography, [fact], entity)

    async def _judge(
        self,
        biography: Biography,
        facts: Sequence[Fact],
        gathered: Sequence[_FactSearches],
        places: Sequence[Sequence[int]],
        entities: Sequence[Entity],
    ) -> list[Verdict]:
        """Returns the column ``(open)``: the verdict on each fact, based on its search results."""
        label = next((e.label for e in entities if e.id == OPEN), OPEN)
        pairs = [
            None
            if searches.ended == "failed" or not searches.results
            else ([fact], Entity(OPEN, label, tuple(map(_document, searches.results))))
            for fact, searches in zip(facts, gathered, strict=True)
        ]
        failed = [searches.ended == "failed" for searches in gathered]
        return await self._verdicts(self.judge, biography, pairs, places, failed)

    @staticmethod
    async def _verdicts(
        judge: Verifier,
        biography: Biography,
        pairs: Sequence[tuple[Sequence[Fact], Entity] | None],
        places: Sequence[Sequence[int]],
        failed: Sequence[bool],
    ) -> list[Verdict]:
        """Returns one verdict per fact; `places` has the indices of each fact's documents."""
        rows = iter(await verify_together(judge, biography, [a for a in pairs if a]))
        row = []
        for pair, indices, is_failed in zip(pairs, places, failed, strict=True):
            if pair is None:
                row.append(_FAILED if is_failed else _NOTHING)
                continue
            row.append(next(rows)[0].moved(indices))
        return row

    async def _restricted(
        self,
        facts: Sequence[Fact],
        gathered: Sequence[_FactSearches],
        candidates: Sequence[Entity],
        people: People,
        open_row: Sequence[Verdict],
    ) -> list[list[_Evidence]]:
        """Returns, for each fact, the evidence about each entity."""

        async def evidence_of(number: int, fact: Fact) -> list[_Evidence]:
            if not candidates or not self._is_judged(open_row[number]):
                return [_Evidence() for _ in candidates]
            results = (*gathered[number].results, *gathered[number].beyond)
            attributed = [(result, people.give(result)) for result in results]
            # If addresses distinguish the candidates, the results of one request serve all.
            served = any(attribution.why == BY_ADDRESS for _, attribution in attributed)
            tasks = (
                self._evidence_about(fact, place, entity, people, attributed, served)
                for place, entity in enumerate(candidates)
            )
            return list(await asyncio.gather(*tasks))

        return list(await asyncio.gather(*(evidence_of(i, fact) for i, fact in enumerate(facts))))

    def _is_judged(self, open_: Verdict) -> bool:
        return open_.status == "supported" or (self.all_columns and open_.status != "error")

    async def _evidence_about(
        self,
        fact: Fact,
        place: int,
        entity: Entity,
        people: People,
        attributed: Sequence[tuple[SearchResult, Attributed]],
        served: bool,
    ) -> _Evidence:
        """Evidence for a fact about one entity: passages from its pages, or results about it."""
        pool = _Pool(lambda result, attribution: _document(result, attribution.why))
        for result, attribution in attributed:
            if attribution.entity == place:
                pool.place(result, attribution)
        titles = (entity.id, entity.label, *entity.aliases, *(d.title for d in entity.documents))
        try:
            if self.search.restricts:
                results = await self.search.search(
                    fact.text, self.results, titles=tuple(dict.fromkeys(titles))
                )
                documents = tuple(_document(r, "a page about it") for r in results)
                return _Evidence(documents, SearchStep(fact.text, (), entity.id))
            if served:
                return _Evidence(tuple(pool.documents[: self.results]))
            query = " ".join([fact.text.rstrip(" ."), handle_of(entity, fact.text)]).strip()
            for result in await self.search.search(query, self._results_to_request):
                attribution = people.give(result)
                if attribution.entity == place:
                    pool.place(result, attribution)
            step = SearchStep(query, (), entity.id)
            return _Evidence(tuple(pool.documents[: self.results]), step)
        except SearchFailed as error:
            self.search.usage.problems[f"search: {error.reason}"] += 1
            return _Evidence(failed=True)

    async def _column(
        self,
        biography: Biography,
        facts: Sequence[Fact],
        entity: Entity,
        evidence: Sequence[_Evidence],
        open_row: Sequence[Verdict],
    ) -> tuple[tuple[Document, ...], list[Verdict]]:
        """The documents and verdicts of an entity's column."""
        pool = _Pool(lambda document: document)
        places = [[pool.place(document) for document in about.documents] for about in evidence]
        pairs = [
            ([fact], replace(entity, documents=about.documents)) if about.documents else None
            for fact, about in zip(facts, evidence, strict=True)
        ]
        failed = [about.failed for about in evidence]
        row = await self._verdicts(self.inner, biography, pairs, places, failed)
        for number, open_ in enumerate(open_row):
            if open_.status not in ("supported", "not_supported"):
                # An unreadable verdict in the open column applies to all entities.
                row[number] = Verdict(open_.status)
        return tuple(pool.documents), row


@dataclass(frozen=True, slots=True)
class _Evidence:
    documents: tuple[Document, ...] = ()
    step: SearchStep | None = None
    failed: bool = False


class _Pool:
    """The distinct documents in a column, in the order in which they were added."""

    def __init__(self, make: Callable[..., Document]) -> None:
        self._make = make
        self._places: dict[tuple[str, str], int] = {}
        self.documents: list[Document] = []

    def place(self, item: SearchResult | Document, *arguments: Any) -> int:
        """Adds a result or document if it is new, and returns its index."""
        place = self._places.setdefault((item.title, item.text), len(self.documents))
        if place == len(self.documents):
            self.documents.append(self._make(item, *arguments))
        return place


def _note(people: People, attribution: Attributed) -> str:
    """A note that says which entity an open search result is about."""
    if not people.entities:
        return ""
    if attribution.entity is None:
        return f"about no candidate: {attribution.why}"
    return f"about {people.entities[attribution.entity].label}: {attribution.why}"


def _fact_search(searches: _FactSearches, pool: _Pool) -> FactSearch:
    steps = tuple(
        SearchStep(query, tuple(pool.place(result) for result in row))
        for query, row in searches.steps
    )
    return FactSearch(steps, searches.ended)


def _document(result: SearchResult, note: str = "") -> Document:
    # Excludes the time of the search, so that the same results give the same bytes.
    return Document(result.title, result.text, result.address, result.date, note=note)
