"""The client for a search service or a local index: caching, limits, retries and usage."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import Answer, BudgetError
from dfactscore._asking.paid_client import Limiter, PaidClient
from dfactscore._asking.search.results import (
    RestrictedSearch,
    Search,
    SearchError,
    SearchFailed,
    SearchResult,
    whole_sentences,
)
from dfactscore._asking.transport import Transient
from dfactscore._text.clean_text import clean
from dfactscore._util.fetching import RetryPolicy
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.message_text import short_repr
from dfactscore._util.usage import Usage, current_usage
from dfactscore.retrieval import PageBM25, Retriever

if TYPE_CHECKING:
    from dfactscore.retrieval import Hit, Passage


class IndexSearch:
    """Searches an index folder."""

    def __init__(self, folder: str | Path) -> None:
        self._retriever = Retriever(folder)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results."""
        manifest = self._retriever.manifest
        return {
            "service": "index",
            "method": manifest.kind,
            "index": manifest.corpus_hash,
            "snapshot": manifest.snapshot,
            "encoder": dict(manifest.encoder),
        }

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` passages, completed to whole sentences from their neighbors.

        See `dfactscore._asking.search.Search`.
        """
        if not query.strip():
            return ()
        hits = self._retriever.search([query], k, method="auto")[0]
        return self._results(hits)

    async def search_titles(
        self, query: str, titles: Collection[str], k: int
    ) -> Sequence[SearchResult]:
        """Returns the `k` passages from the given pages that BM25 ranks best for a query."""
        by_position: dict[int, Hit] = {}
        for hits in self._retriever.search(
            [t for t in titles if t.strip()], 10_000, method="title"
        ):
            by_position.update((hit.position, hit) for hit in hits)
        passages = list(by_position.values())
        if not passages or not query.strip():
            return ()
        best = PageBM25([hit.passage.text for hit in passages]).select(query, k)
        return self._results([passages[place] for place in best])

    def _results(self, hits: Sequence[Hit]) -> tuple[SearchResult, ...]:
        results = []
        for rank, hit in enumerate(hits):
            near = self._retriever.passages.range(max(hit.position - 1, 0), hit.position + 2)
            place = next(i for i, passage in enumerate(near) if passage.id == hit.passage.id)
            previous = [p for p in near[:place] if _continues(p, hit.passage)]
            following = [p for p in near[place + 1 :] if _continues(hit.passage, p)]
            text = whole_sentences(
                clean(previous[0].text) if previous else "",
                clean(hit.passage.text),
                clean(following[0].text) if following else "",
            )
            results.append(SearchResult(clean(hit.passage.title), text, "", "", rank, "index"))
        return tuple(results)

    async def aclose(self) -> None:
        """Does nothing; the files stay open for the next search."""


def _continues(first: Passage, second: Passage) -> bool:
    """Whether, by their ids, the second passage directly follows the first on the same page."""
    numbered = first.id.isdecimal() and second.id.isdecimal()
    return first.title == second.title and numbered and int(second.id) == int(first.id) + 1


_STAGE = "search"
_KEY_FORMAT = 2  # must be increased when the meaning of stored results changes
_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits(RetryPolicy):
    """Rate limits and retries for a search service."""

    concurrency: int = 8
    per_minute: float | None = None  # maximum number of searches per minute; None for no limit
    most: int | None = None  # maximum number of searches in one command; None for no limit
    cache_days: float | None = None  # maximum age of cached results in days; None for no limit


class SearchClient(PaidClient[tuple[SearchResult, ...]]):
    """The client for one search service, which sends identical queries only once."""

    def __init__(
        self,
        service: Search,
        *,
        cache: AnswerCache | None = None,
        usage: Usage | None = None,  # usage counts, shared with the command's models
        limits: SearchLimits | None = None,
    ) -> None:
        self.limits = limits or SearchLimits()
        super().__init__(usage=usage, policy=self.limits, refuses=SearchError)
        self.service = service
        self.cache = cache
        self.searches = 0

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that can affect the results."""
        return dict(self.service.settings)

    @property
    def restricts(self) -> bool:
        """Whether the service can restrict a search to the pages of one entity."""
        return isinstance(self.service, RestrictedSearch)

    @property
    def name(self) -> str:
        """The service's name, under which usage is counted."""
        return str(self.settings.get("service", type(self.service).__name__))

    async def search(
        self, query: str, k: int, *, titles: Collection[str] = ()
    ) -> tuple[SearchResult, ...]:
        """Returns the results for a query, from the cache if possible."""
        self._enter_loop()
        query = " ".join(query.split())
        if not query:
            return ()
        if titles and isinstance(self.service, RestrictedSearch):
            return tuple(await self.service.search_titles(query, titles, k))
        if isinstance(self.service, IndexSearch):
            # A local index costs nothing and is too fast for a cache.
            self._spend()
            self._count(calls=1)
            return tuple(await self.service.search(query, k))
        key = self._key(query, k)
        if (results := await self._shared_answer(key)) is not None:
            self._count(cached=1)
            return results
        with self._asked_once(key) as shared:
            results, cached = self._stored(key), True
            if results is None:
                async with self._limiter.slot():
                    undated, now = await self._search(query, k), _now()
                    results, cached = _at(undated, now), False
                    with self._storing():
                        await self._keep(query, k, key, results, now)
            shared.set_result(results)
            self.usage.note_found(result.time for result in results)
            self._count(**({"cached": 1} if cached else {"calls": 1}))
            return results

    def _new_limiter(self) -> Limiter:
        return Limiter(self.limits.concurrency, requests_per_minute=self.limits.per_minute)

    def _key(self, query: str, k: int) -> bytes:
        text = dump_json([_KEY_FORMAT, _STAGE, self.settings, query, k])
        return hashlib.sha256(text.encode()).digest()

    def _stored(self, key: bytes) -> tuple[SearchResult, ...] | None:
        if self.cache is None:
            return None
        answer = self.cache.get(key)
        if answer is None:
            return None
        try:
            entry = parse_json(answer.text)
            days = self.limits.cache_days
            if days is not None and _now() - float(entry["time"]) > days * _DAY:
                return None
            return _at([SearchResult(**row) for row in entry["results"]], int(entry["time"]))
        except (ValueError, TypeError, KeyError, OverflowError, OSError):
            return None  # a damaged entry

    async def _keep(
        self, query: str, k: int, key: bytes, results: tuple[SearchResult, ...], now: int
    ) -> None:
        if self.cache is not None:
            text = dump_json({"time": now, "results": [asdict(r) for r in results]})
            await self.cache.put(
                key,
                Answer(text, model=self.name),
                {"model": self.name, "query": query, "k": k, **self.settings},
                endpoint=str(self.settings.get("endpoint", self.name)),
                stage=_STAGE,
                version=str(_KEY_FORMAT),
                sample=0,
            )

    async def _search(self, query: str, k: int) -> tuple[SearchResult, ...]:
        """Sends the query and names it in any error."""
        tally = self.usage.tally(_STAGE, self.name)

        async def once() -> tuple[SearchResult, ...]:
            self._spend()
            with self._paying(), self._charged(tally):
                return tuple(await self.service.search(query, k))

        context = f" (searching for {short_repr(query, 80)})"
        try:
            return await self._until_answered(once, tally=tally)
        except SearchFailed as error:
            raise SearchFailed(f"{error.reason}{context}") from None
        except SearchError as error:
            raise SearchError(f"{error}{context}") from None

    def _given_up(self, fault: Transient, attempts: int) -> Exception:
        if fault.unreachable:
            return SearchError(f"{fault.reason}; nothing is lost, and the same command resumes")
        return SearchFailed(f"{fault.reason}, {attempts} times")

    def _spend(self) -> None:
        most = self.limits.most
        if most is not None and self.searches >= most:
            raise BudgetError(
                f"stopped at --max-searches {most}: nothing is lost, and the same command with a "
                "higher limit resumes from here"
            )
        self.searches += 1

    def _count(self, **counts: int) -> None:
        """Adds counts to the usage of the command and to that of the current biography."""
        if "cached" in counts or isinstance(self.service, IndexSearch):
            self.usage.tally(_STAGE, self.name).add(**counts)
        collector = current_usage()
        if collector is not None:
            # Cached results also count, so that interruptions do not change the total.
            collector.tally(_STAGE, self.name).add(answers=1)

    async def aclose(self) -> None:
        """Closes connections; the client can still be used again."""
        await self.service.aclose()


def _now() -> int:
    """Returns the time given in ``SOURCE_DATE_EPOCH`` (for reproducible runs) or by the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(epoch) if epoch.isdecimal() else int(time.time())


def _at(results: Sequence[SearchResult], seconds: int) -> tuple[SearchResult, ...]:
    """Adds the time of the search to results."""
    stamp = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return tuple(replace(result, time=stamp) for result in results)
