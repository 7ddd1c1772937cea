"""A SearXNG server as a search service."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dfactscore._asking.search.cleaning import snippet
from dfactscore._asking.search.http import JSONService, check_address
from dfactscore._asking.search.response_forms import SearXNGResponse
from dfactscore._asking.search.results import SearchResult, has_letters, ranked
from dfactscore._asking.transport import Transient

_LOG = logging.getLogger(__name__)
_PARAMETERS = {"language": "en", "categories": "general"}


class SearXNG(JSONService):
    """Searches with a SearXNG server's ``GET /search?format=json``."""

    def __init__(self, address: str, *, timeout: float = 30.0) -> None:
        self.address = check_address(address, "searxng").removesuffix("/search")
        self._warned = False
        super().__init__(f"SearXNG at {self.address}", timeout=timeout)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results."""
        return {"service": "searxng", "endpoint": self.address, **_PARAMETERS}

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results; see `dfactscore._asking.search.Search`."""
        answer = await self.ask(
            "GET",
            f"{self.address}/search",
            SearXNGResponse,
            params={"q": query, "format": "json", **_PARAMETERS},
            forbidden="the server does not answer in JSON; add 'json' under search.formats in its "
            "settings.yml",
        )
        rows = [
            (snippet(row.title), snippet(row.content), snippet(row.url), snippet(row.publishedDate))
            for row in answer.results
        ]
        results = ranked([row for row in rows if has_letters(row[0])], k, "searxng")
        self.check_rows(rows, results)
        if not results:
            self.check_failure(answer.message, answer.error, answer.errors, answer.detail)
        self._check_engines(answer, results)
        self.check_echo(query, answer.query, results)
        return results

    def _check_engines(self, answer: SearXNGResponse, results: Sequence[SearchResult]) -> None:
        """Checks that a lack of results is not due to engines that did not answer."""
        missing = _engines(answer.unresponsive_engines)
        if results:
            if missing and not self._warned:
                self._warned = True
                _LOG.info(f"{self.name}: engines that do not answer: {', '.join(missing)}")
            return
        if missing:
            raise Transient(f"{self.name} finds nothing: no answer from {', '.join(missing)}")
        count = answer.number_of_results
        if isinstance(count, (int, float)) and count > 0:
            raise Transient(f"{self.name} counts {count:g} results, and gives none")


def _engines(value: Any) -> list[str]:
    """Returns the engines that did not answer, each with the reason."""
    rows = value.items() if isinstance(value, Mapping) else value or ()
    rows = rows if isinstance(rows, Iterable) and not isinstance(rows, str) else [rows]
    names = (row if isinstance(row, (list, tuple)) else [row] for row in rows)
    return [" ".join(": ".join(map(str, filter(None, name))).split())[:60] for name in names][:9]
