"""A SearXNG server as a search service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.asking.search.answers import SearXNGAnswer
from dfactscore.asking.search.cleaning import snippet
from dfactscore.asking.search.http import JSONService, check_address
from dfactscore.asking.search.results import SearchResult, ranked

__all__ = ["SearXNG"]


class SearXNG(JSONService):
    """``GET /search?format=json`` of a SearXNG server.

    Args:
        address: The server's address.
        language: The language that results are asked in.
        categories: SearXNG's categories, separated by commas.
        timeout: Seconds for one request.

    Raises:
        InputError: If the address is none.
    """

    def __init__(
        self,
        address: str,
        *,
        language: str = "en",
        categories: str = "general",
        timeout: float = 30.0,
    ) -> None:
        self.address = check_address(address, "searxng").removesuffix("/search")
        self.language = language
        self.categories = categories
        super().__init__(f"SearXNG at {self.address}", timeout=timeout)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change the results."""
        return {
            "service": "searxng",
            "endpoint": self.address,
            "language": self.language,
            "categories": self.categories,
        }

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results; see `dfactscore.asking.search.Search`."""
        answer = await self.ask(
            "GET",
            f"{self.address}/search",
            SearXNGAnswer,
            params={
                "q": query,
                "format": "json",
                "language": self.language,
                "categories": self.categories,
            },
            forbidden="the server does not answer in JSON; add 'json' under search.formats in its "
            "settings.yml",
        )
        rows = (
            (snippet(row.title), snippet(row.content), snippet(row.url), snippet(row.publishedDate))
            for row in answer.results
        )
        return ranked(rows, k, "searxng")
