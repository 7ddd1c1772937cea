"""Asks a search service: cache, limits, retries, and usage accounting."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.errors import BudgetError
from dfactscore._asking.limiter import Limiter
from dfactscore._asking.messages import Answer
from dfactscore._asking.paid_client import PaidClient
from dfactscore._asking.search.index import IndexSearch
from dfactscore._asking.search.results import (
    RestrictedSearch,
    Search,
    SearchError,
    SearchFailed,
    SearchResult,
)
from dfactscore._asking.transport import Transient
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.printable import short_repr
from dfactscore._util.retry_policy import RetryPolicy
from dfactscore._util.usage import Usage, current_usage

_STAGE = "search"
_KEY_FORMAT = 2  # Raise it when the meaning of stored results changes.
_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits(RetryPolicy):
    """Rate limits and retries of a service.

    Attributes:
        concurrency: Maximum number of searches at the same time.
        per_minute: Maximum number of searches per minute, or None.
        most: Maximum number of searches of this command, or None.
        cache_days: Results older than this are searched for again; None keeps them for good.
    """

    concurrency: int = 8
    per_minute: float | None = None
    most: int | None = None
    cache_days: float | None = None


class SearchClient(PaidClient[tuple[SearchResult, ...]]):
    """One service, asked by any number of facts at once; the same query is paid for once.

    Args:
        service: The service.
        cache: The cache of results; None stores none.
        usage: Books shared with the models of the command.
        limits: Its rate limits and retries.
    """

    def __init__(
        self,
        service: Search,
        *,
        cache: AnswerCache | None = None,
        usage: Usage | None = None,
        limits: SearchLimits | None = None,
    ) -> None:
        self.limits = limits or SearchLimits()
        super().__init__(usage=usage, patience=self.limits, refuses=SearchError)
        self.service = service
        self.cache = cache
        self.searches = 0

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that can change the results."""
        return dict(self.service.settings)

    @property
    def restricts(self) -> bool:
        """Whether it can search within the pages of one entity."""
        return isinstance(self.service, RestrictedSearch)

    @property
    def name(self) -> str:
        """The service's name, as usage is counted under it."""
        return str(self.settings.get("service", type(self.service).__name__))

    async def search(
        self, query: str, k: int, *, titles: Collection[str] = ()
    ) -> tuple[SearchResult, ...]:
        """Searches, unless the results are there.

        Args:
            query: The query.
            k: The largest number of results.
            titles: Only passages of these pages; for a service that `restricts`.

        Raises:
            SearchError: If the service refuses every search.
            SearchFailed: If this one failed for good.
            BudgetError: If the limit on searches is reached.
        """
        self._enter_loop()
        query = " ".join(query.split())
        if not query:
            return ()
        if titles and isinstance(self.service, RestrictedSearch):
            return tuple(await self.service.search_titles(query, titles, k))
        if isinstance(self.service, IndexSearch):
            # An index is on this disk: neither paid for, nor slow enough to be kept.
            self._spend()
            self._count(calls=1)
            return tuple(await self.service.search(query, k))
        key = self._key(query, k)
        if (results := await self._of_another(key)) is not None:
            self._count(cached=1)
            return results
        with self._asked_once(key) as mine:
            results, cached = self._stored(key), True
            if results is None:
                async with self._limiter.slot():
                    found, now = await self._search(query, k), _now()
                    results, cached = _at(found, now), False
                    await self._keep(query, k, key, results, now)
            mine.set_result(results)
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
            kept = parse_json(answer.text)
            days = self.limits.cache_days
            if days is not None and _now() - float(kept["time"]) > days * _DAY:
                return None
            return _at([SearchResult(**row) for row in kept["results"]], int(kept["time"]))
        except (ValueError, TypeError, KeyError, OverflowError, OSError):
            return None  # Damaged: searched for again.

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
        """Asks the service; an error names the query."""
        tally = self.usage.tally(_STAGE, self.name)

        async def once() -> tuple[SearchResult, ...]:
            self._spend()
            with self._paying():
                found = tuple(await self.service.search(query, k))
            tally.add(calls=1)
            return found

        asked = f" (searching for {short_repr(query, 80)})"
        try:
            return await self._until_answered(once, tally=tally)
        except SearchFailed as error:
            raise SearchFailed(f"{error.reason}{asked}") from None
        except SearchError as error:
            raise SearchError(f"{error}{asked}") from None

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
        """Into the books of the command, and of the biography that is being judged."""
        if "cached" in counts or isinstance(self.service, IndexSearch):
            self.usage.tally(_STAGE, self.name).add(**counts)
        collected = current_usage()
        if collected is not None:
            # A search counts where it is used, so that the sum is the same after a kill.
            collected.tally(_STAGE, self.name).add(answers=1)

    async def aclose(self) -> None:
        """Closes connections; the client can be used again."""
        await self.service.aclose()


def _now() -> int:
    """The time, or what ``SOURCE_DATE_EPOCH`` says it is, so that runs can be repeated exactly."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(said) if said.isdecimal() else int(time.time())


def _at(results: Sequence[SearchResult], seconds: int) -> tuple[SearchResult, ...]:
    """Results with the time at which the service gave them."""
    when = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return tuple(replace(result, time=when) for result in results)
