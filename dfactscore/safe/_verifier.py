"""SAFE's verifier: searches evidence for each fact in several steps, then judges it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from dfactscore._asking.search import SearchClient, SearchFailed, SearchResult
from dfactscore._records import (
    Biography,
    Document,
    Entity,
    Fact,
    FactSearch,
    SearchStep,
    Verdict,
)
from dfactscore.engines._answers import verify_together
from dfactscore.engines._cascade import CascadeVerifier
from dfactscore.engines._corpus import OPEN
from dfactscore.engines._roles import Found, Verifier
from dfactscore.safe._pages import judge_of_pages
from dfactscore.safe._people import BY_ADDRESS, Attributed, People, handle_of

_PAGE = 10  # results of one request; a service sends and bills so many at once
_NOTHING = Verdict("not_supported", 0.0)
_FAILED = Verdict("error")


class QueryWriter(Protocol):
    """Writes the next query for a fact (see `dfactscore.safe._queries.LLMQueryWriter`)."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""

    async def next_query(
        self, fact: Fact, queries: Sequence[str], found: Sequence[SearchResult]
    ) -> str | Literal[False] | None:
        """Returns a query, False if the results are enough, or None for no readable answer."""


@dataclass
class _Gathered:
    """The results of the searches for one fact, in order."""

    steps: list[tuple[str, tuple[SearchResult, ...]]] = field(default_factory=list)
    ended: str = "one step"
    beyond: list[SearchResult] = field(default_factory=list)

    @property
    def results(self) -> tuple[SearchResult, ...]:
        """Each result once; ranks are those of the search that found it first."""
        found = {(r.title, r.text): r for _, row in reversed(self.steps) for r in reversed(row)}
        ordered = {(r.title, r.text): None for _, row in self.steps for r in row}
        return tuple(found[key] for key in ordered)


class SearchVerifier(Verifier):
    """Searches for evidence of each fact, then lets another verifier judge it (SAFE, section 3).

    One column, ``(open)``, holds what an unrestricted search found; it is not an entity. With
    `per_entity` each candidate entity has a column of its own, with evidence about it alone
    (D-SAFE).

    Args:
        inner: Judges a fact against the documents found for it; in an open search the built-in
            one takes each page by itself (see `dfactscore.safe._pages.PageByPage`).
        search: The service.
        writer: Writes further queries; without one there is one step.
        steps: Maximum number of searches for a fact.
        results: Results kept of each search.
        per_entity: Search for evidence about each entity, too.
        all_columns: Judge every fact against every entity; else only those that ``(open)``
            supports.
        addresses: By entity id, addresses of pages about it.
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
        """Everything that can change an answer."""
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
        """The judging verifier's."""
        return self.inner.threshold

    def columns(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """The columns before anything is found: the entities, if wanted, and ``(open)``."""
        own = tuple(entities) if self.per_entity else ()
        rank = max((entity.rank for entity in own), default=-1) + 1
        return (*own, Entity(OPEN, "what a search finds", (), rank))

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, on what an open search finds."""
        open_ = replace(entity, id=OPEN, documents=())
        return tuple((await self.find_and_verify(biography, facts, (open_,))).rows[0])

    async def find_and_verify(
        self, biography: Biography, facts: Sequence[Fact], entities: Sequence[Entity]
    ) -> Found:
        """Searches and judges."""
        own = [entity for entity in entities if entity.id != OPEN]
        people = People(biography.name, own, self.addresses)
        gathered = await asyncio.gather(*(self._open_search(biography, fact) for fact in facts))
        pool = _Pool(lambda result: _document(result, _note(people, people.give(result))))
        places = [[pool.place(r) for r in one.results] for one in gathered]
        open_row = await self._judge(biography, facts, gathered, places, entities)
        searches = [_trail(one, pool) for one in gathered]
        restricted = await self._restricted(facts, gathered, own, people, open_row)
        columns = {OPEN: (tuple(pool.documents), open_row)}
        for number, entity in enumerate(own):
            about = [found[number] for found in restricted]
            columns[entity.id] = await self._about(biography, facts, entity, about, open_row)
            for fact, one in enumerate(about):
                if one.step is not None:
                    more = (*searches[fact].steps, one.step)
                    searches[fact] = replace(searches[fact], steps=more)
        found = [(replace(e, documents=columns[e.id][0]), columns[e.id][1]) for e in entities]
        return Found(tuple(e for e, _ in found), [row for _, row in found], tuple(searches))

    async def _open_search(self, biography: Biography, fact: Fact) -> _Gathered:
        """The steps of an open search: the fact itself, then what the model asks for."""
        one = _Gathered()
        query, asked = " ".join(fact.text.split()), set[str]()
        try:
            for step in range(self.steps if self.writer else 1):
                asked.add(query.casefold())
                found = await self.search.search(query, self._wanted_results)
                one.steps.append((query, found[: self.results]))
                one.beyond.extend(found[self.results :])
                if self.writer is None:
                    break
                if await self._sure(biography, fact, one):
                    one.ended = "sure"
                    break
                if step + 1 == self.steps:
                    one.ended = "steps"
                    break
                queries = [text for text, _ in one.steps]
                said = await self.writer.next_query(fact, queries, one.results)
                if not said:
                    one.ended = "unreadable" if said is None else "enough"
                    break
                if said.casefold() in asked:
                    one.ended = "repeated"
                    break
                query = said
        except SearchFailed as error:
            self.search.usage.problems[f"search: {error.reason}"] += 1
            one.ended = "failed"
        return one

    @property
    def _wanted_results(self) -> int:
        """Results of an open search: more where one request may serve all candidates."""
        several = self.per_entity and not self.search.restricts
        return max(self.results, _PAGE) if several else self.results

    async def _sure(self, biography: Biography, fact: Fact, one: _Gathered) -> bool:
        """Whether a cascade needs no model for the evidence so far."""
        if not isinstance(self.judge, CascadeVerifier) or not one.results:
            return False
        entity = Entity(OPEN, OPEN, tuple(map(_document, one.results)))
        return not await self.judge.unsure(biography, [fact], entity)

    async def _judge(
        self,
        biography: Biography,
        facts: Sequence[Fact],
        gathered: Sequence[_Gathered],
        places: Sequence[Sequence[int]],
        entities: Sequence[Entity],
    ) -> list[Verdict]:
        """The column ``(open)``: each fact against what was found for it."""
        label = next((e.label for e in entities if e.id == OPEN), OPEN)
        asked = [
            None
            if one.ended == "failed" or not one.results
            else ([fact], Entity(OPEN, label, tuple(map(_document, one.results))))
            for fact, one in zip(facts, gathered, strict=True)
        ]
        failed = [one.ended == "failed" for one in gathered]
        return await self._verdicts(self.judge, biography, asked, places, failed)

    @staticmethod
    async def _verdicts(
        judge: Verifier,
        biography: Biography,
        asked: Sequence[tuple[Sequence[Fact], Entity] | None],
        places: Sequence[Sequence[int]],
        failed: Sequence[bool],
    ) -> list[Verdict]:
        """One verdict for each; evidence points into the column's documents at `places`."""
        said = iter(await verify_together(judge, biography, [a for a in asked if a]))
        row = []
        for one, own, lost in zip(asked, places, failed, strict=True):
            if one is None:
                row.append(_FAILED if lost else _NOTHING)
                continue
            row.append(next(said)[0].moved(own))
        return row

    async def _restricted(
        self,
        facts: Sequence[Fact],
        gathered: Sequence[_Gathered],
        own: Sequence[Entity],
        people: People,
        open_row: Sequence[Verdict],
    ) -> list[list[_About]]:
        """For each fact and entity, what was found about the entity."""

        async def one(number: int, fact: Fact) -> list[_About]:
            if not own or not self._wanted(open_row[number]):
                return [_About() for _ in own]
            results = (*gathered[number].results, *gathered[number].beyond)
            given = [(result, people.give(result)) for result in results]
            # One request serves all candidates where addresses tell them apart.
            served = any(said.why == BY_ADDRESS for _, said in given)
            tasks = (
                self._about_one(fact, place, entity, people, given, served)
                for place, entity in enumerate(own)
            )
            return list(await asyncio.gather(*tasks))

        return list(await asyncio.gather(*(one(i, fact) for i, fact in enumerate(facts))))

    def _wanted(self, open_: Verdict) -> bool:
        return open_.status == "supported" or (self.all_columns and open_.status != "error")

    async def _about_one(
        self,
        fact: Fact,
        place: int,
        entity: Entity,
        people: People,
        given: Sequence[tuple[SearchResult, Attributed]],
        served: bool,
    ) -> _About:
        """Evidence of a fact about one entity: its own pages, or results that are given to it."""
        found = _Pool(lambda result, said: _document(result, said.why))
        for result, said in given:
            if said.entity == place:
                found.place(result, said)
        titles = (entity.id, entity.label, *entity.aliases, *(d.title for d in entity.documents))
        try:
            if self.search.restricts:
                results = await self.search.search(
                    fact.text, self.results, titles=tuple(dict.fromkeys(titles))
                )
                documents = tuple(_document(r, "a page about it") for r in results)
                return _About(documents, SearchStep(fact.text, (), entity.id))
            if served:
                return _About(tuple(found.documents[: self.results]))
            query = " ".join([fact.text.rstrip(" ."), handle_of(entity, fact.text)]).strip()
            for result in await self.search.search(query, self._wanted_results):
                said = people.give(result)
                if said.entity == place:
                    found.place(result, said)
            step = SearchStep(query, (), entity.id)
            return _About(tuple(found.documents[: self.results]), step)
        except SearchFailed as error:
            self.search.usage.problems[f"search: {error.reason}"] += 1
            return _About(failed=True)

    async def _about(
        self,
        biography: Biography,
        facts: Sequence[Fact],
        entity: Entity,
        found: Sequence[_About],
        open_row: Sequence[Verdict],
    ) -> tuple[tuple[Document, ...], list[Verdict]]:
        """The column of one entity."""
        pool = _Pool(lambda document: document)
        places = [[pool.place(document) for document in about.documents] for about in found]
        asked = [
            ([fact], replace(entity, documents=about.documents)) if about.documents else None
            for fact, about in zip(facts, found, strict=True)
        ]
        failed = [about.failed for about in found]
        row = await self._verdicts(self.inner, biography, asked, places, failed)
        for number, open_ in enumerate(open_row):
            if open_.status not in ("supported", "not_supported"):
                # Cells of the open column that could not be read have no entity either.
                row[number] = Verdict(open_.status)
        return tuple(pool.documents), row


@dataclass(frozen=True, slots=True)
class _About:
    documents: tuple[Document, ...] = ()
    step: SearchStep | None = None
    failed: bool = False


class _Pool:
    """Documents of a column, each once, in the order in which they come.

    Args:
        made: Makes a document of what comes first, a result or a document.
    """

    def __init__(self, made: Callable[..., Document]) -> None:
        self._made = made
        self._places: dict[tuple[str, str], int] = {}
        self.documents: list[Document] = []

    def place(self, found: SearchResult | Document, *more: Any) -> int:
        """The index of what is found among the documents."""
        place = self._places.setdefault((found.title, found.text), len(self.documents))
        if place == len(self.documents):
            self.documents.append(self._made(found, *more))
        return place


def _note(people: People, said: Attributed) -> str:
    """To whose evidence a result of an open search was given."""
    if not people.entities:
        return ""
    if said.entity is None:
        return f"no one's: {said.why}"
    return f"about {people.entities[said.entity].label}: {said.why}"


def _trail(one: _Gathered, pool: _Pool) -> FactSearch:
    steps = tuple(
        SearchStep(query, tuple(pool.place(result) for result in row)) for query, row in one.steps
    )
    return FactSearch(steps, one.ended)


def _document(result: SearchResult, note: str = "") -> Document:
    # Not when it was found: the same results give the same bytes, whenever they are found.
    return Document(result.title, result.text, result.address, result.date, note=note)
