"""Searches a wiki and reads the pages found."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dfactscore._asking.search.results import (
    SearchError,
    SearchFailed,
    SearchResult,
    whole_sentences,
)
from dfactscore._asking.search.search_client import SearchLimits
from dfactscore._errors import MissingExtraError
from dfactscore._text.clean_text import clean

if TYPE_CHECKING:
    from dfactscore.ambigbio._api_source import ApiSource
    from dfactscore.retrieval import Page

_LOG = logging.getLogger(__name__)


_T = TypeVar("_T")
_SYNTAX = re.compile(r"[^\w\s\'’.,-]|(?<!\w)-")
_PAGES = 10  # number of pages to read per query, all in one request
_WORD = re.compile(r"\b[A-Z][\w'’-]{2,}")
_NAME = re.compile(r"\b[A-Z][\w'’.-]*(?:\s+(?:(?:of|de|van|von|the|del|la|le)\s+)*[A-Z][\w'’.-]*)+")


class WikiSearch:
    """Searches a MediaWiki and reads the pages it finds, one request at a time.

    A wiki's search requires all words of a query, so sentences rarely find pages. If a query finds
    too few pages, the names in the query are searched for. The results are the passages from these
    pages that BM25 ranks highest for the query.
    """

    def __init__(
        self,
        api_url: str,  # address of the `api.php`
        *,
        contact: str | None,  # your email address or URL, which Wikimedia requires
        cache: Path,
        lang: str = "en",
        interval: float = 0.5,  # minimum seconds between the starts of two requests
        timeout: float = 30.0,
        limits: SearchLimits | None = None,
    ) -> None:
        try:
            from dfactscore.ambigbio._wiki_client import check_contact
        except ModuleNotFoundError as error:
            raise MissingExtraError("searching a wiki", "wikipedia") from error
        check_contact(contact)
        self.api_url = api_url
        self.lang = lang
        self._contact, self._cache = contact, cache
        self._interval, self._timeout, self._limits = interval, timeout, limits or SearchLimits()
        # The client and its cache belong to one thread, which also sends one request at a time.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="wiki-search")
        self._source: ApiSource | None = None
        self._refused: tuple[asyncio.AbstractEventLoop, Exception] | None = None
        self._pages: dict[str, Page | None] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results, except the date."""
        return {"service": "mediawiki", "endpoint": self.api_url, "lang": self.lang}

    @property
    def requests(self) -> int:
        """The number of requests sent to the wiki."""
        return 0 if self._source is None else self._source.client.requests

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns the best passages of at most `k` pages; see `Search`."""
        return await self._in_thread(lambda: self._search(query, k))

    async def search_titles(
        self, query: str, titles: Collection[str], k: int
    ) -> Sequence[SearchResult]:
        """Returns the `k` passages from the pages with these titles that BM25 ranks best."""
        return await self._in_thread(lambda: _best(query, self._texts(list(titles)), k))

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        from dfactscore.ambigbio._errors import AmbigBioError, WikiAnswerError

        loop = asyncio.get_running_loop()

        def unless_refused() -> _T:
            # After a refusal, all queued requests would also be refused.
            if self._refused is not None and self._refused[0] is loop:
                raise self._refused[1]
            return work()

        try:  # the client has its own retries
            return await loop.run_in_executor(self._thread, unless_refused)
        except WikiAnswerError as error:
            raise SearchFailed(str(error)) from None
        except AmbigBioError as error:
            self._refused = loop, error
            raise SearchError(f"{error}; the same command resumes") from None

    def _open(self) -> ApiSource:
        if self._source is None:
            from dfactscore.ambigbio._api_source import ApiSource
            from dfactscore.ambigbio._cache import ResponseCache
            from dfactscore.ambigbio._languages import language
            from dfactscore.ambigbio._wiki_client import WikiClient
            from dfactscore.ambigbio._wiki_transport import Pace

            limits = self._limits
            client = WikiClient(
                self.api_url,
                contact=self._contact,
                cache=ResponseCache(self._cache),
                pace=Pace(
                    interval=self._interval,
                    timeout=self._timeout,
                    max_wait=limits.max_wait,
                    retries=limits.retries,
                    backoff=limits.backoff,
                ),
                report=_LOG.info,
            )
            self._source = ApiSource(client, language(self.lang))
        return self._source

    def _search(self, query: str, k: int) -> tuple[SearchResult, ...]:
        titles: dict[str, None] = {}
        for attempt in _ladder(query):
            titles.update(dict.fromkeys(self._titles(attempt, max(k, _PAGES))))
            if len(titles) >= max(k, _PAGES):
                break
        return _best(query, self._texts(list(titles)), k)

    def _titles(self, query: str, k: int) -> list[str]:
        if not query:
            return []
        return self._open().client.search(query, k)

    def _texts(self, titles: Sequence[str]) -> dict[str, Page]:
        from dfactscore.ambigbio._wikitext import page_of

        source = self._open()
        missing = [title for title in titles if title not in self._pages]
        if missing:
            site, raw = source.site(), source.lookup(missing)
            for title in missing:
                page = raw.get(title)
                self._pages[title] = (
                    None
                    if page is None
                    else page_of(page, extent="full", site=site, language=source.language)
                )
        read = {title: self._pages[title] for title in titles}
        return {title: page for title, page in read.items() if page is not None}

    async def aclose(self) -> None:
        """Closes the connection and the cache; a later search reopens them."""

        def close() -> None:
            if self._source is not None:
                self._source.client.close()
                self._source = None

        await asyncio.get_running_loop().run_in_executor(self._thread, close)


def _best(query: str, pages: Mapping[str, Page], k: int) -> tuple[SearchResult, ...]:
    """Returns the passages from the pages that BM25 ranks highest for a query."""
    from dfactscore.retrieval import PageBM25
    from dfactscore.retrieval._documents import split_text

    distinct = {page.title: page for page in pages.values()}.values()
    passages = []
    for page in distinct:
        parts = ["", *map(clean, split_text(page.text)), ""]
        passages += [(page, parts[i - 1 : i + 2]) for i in range(1, len(parts) - 1)]
    if not passages:
        return ()
    best = PageBM25([parts[1] for _, parts in passages]).select(query, k)
    texts = [(page, whole_sentences(*parts)) for page, parts in (passages[i] for i in best)]
    return tuple(_result(page, text, rank) for rank, (page, text) in enumerate(texts))


def _result(page: Page, text: str, rank: int) -> SearchResult:
    day = page.timestamp[:10]
    return SearchResult(clean(page.title), text, page.url, day, rank, "mediawiki")


def _ladder(query: str) -> list[str]:
    """Returns the query without search operators, then the names and capitalized words it contains.

    Example:
        >>> _ladder("Dick Hanley was born in 1936.")
        ['Dick Hanley was born in 1936', 'Dick Hanley', 'Dick', 'Hanley']
        >>> _ladder("In the war Hanley led a crew.")
        ['In the war Hanley led a crew', 'Hanley']
    """
    from dfactscore.retrieval._tokens import STOP_WORDS

    plain = " ".join(_SYNTAX.sub(" ", query).split()).strip(" .,-")
    names = [match.group().strip(" .,-") for match in _NAME.finditer(plain)]
    # In a run of capitalized words such as "At Michigan Dick Hanley", the last two are a name.
    ends = [" ".join(name.split()[-2:]) for name in names if len(name.split()) > 2]
    words = [word for word in _WORD.findall(plain) if word.lower() not in STOP_WORDS]
    return list(dict.fromkeys([plain, *names, *ends, *words]))
