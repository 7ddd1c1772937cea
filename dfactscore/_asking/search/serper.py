"""The search service serper.dev, or a service compatible with it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._asking.search.cleaning import snippet
from dfactscore._asking.search.http import JSONService, check_address
from dfactscore._asking.search.response_forms import KnowledgeGraph, SerperResponse
from dfactscore._asking.search.results import Row, SearchResult, has_letters, ranked
from dfactscore._errors import InputError

_ADDRESS = "https://google.serper.dev"
_KEY = "SERPER_API_KEY"


class Serper(JSONService):
    """Searches with ``POST /search`` and the key in ``$SERPER_API_KEY``, which is never stored."""

    def __init__(self, address: str = "", *, timeout: float = 30.0) -> None:
        self.address = check_address(address or _ADDRESS, "serper").removesuffix("/search")
        self._key = os.environ.get(_KEY, "").strip()
        if not self._key:
            raise InputError(f"serper needs a key: set {_KEY} in the environment")
        super().__init__(f"serper at {self.address}", timeout=timeout, secret=self._key)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results, except the key."""
        return {"service": "serper", "endpoint": self.address}

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results; see `dfactscore._asking.search.Search`."""
        answer = await self.ask(
            "POST",
            f"{self.address}/search",
            SerperResponse,
            body={"q": query, "num": k},
            headers={"X-API-KEY": self._key},
            forbidden=f"the key in {_KEY} is not accepted",
        )
        rows = list(_rows(answer))
        results = ranked(rows, k, "serper")
        self.check_rows(rows if answer.organic else [], results)
        if not results:
            self.check_failure(answer.message, answer.error, answer.errors, answer.detail)
        if answer.searchParameters is not None:
            self.check_echo(query, answer.searchParameters.q, results)
        return results


def _rows(answer: SerperResponse) -> Iterator[Row]:
    """Yields the answer box, the knowledge graph entry, and the pages."""
    if (box := answer.answerBox) is not None:
        parts = [snippet(field) for field in (box.answer, box.snippet, box.snippetHighlighted)]
        if text := " ".join(dict.fromkeys(part for part in parts if part)):
            yield snippet(box.title), text, snippet(box.link), snippet(box.date)
    if (graph := answer.knowledgeGraph) is not None and (text := _about(graph)):
        address = snippet(graph.descriptionLink) or snippet(graph.website)
        yield snippet(graph.title), text, address, ""
    for row in answer.organic:
        title = snippet(row.title)
        text = snippet(row.snippet) if has_letters(title) else ""
        yield title, text, snippet(row.link), snippet(row.date)


def _about(graph: KnowledgeGraph) -> str:
    """Turns a knowledge graph entry into sentences that name its subject."""
    title = snippet(graph.title)
    parts = [snippet(graph.description)]
    if kind := snippet(graph.type):
        parts.insert(0, f"{title}: {kind}.")
    for name, value in (graph.attributes or {}).items():
        if text := snippet(value):
            parts.append(f"{title} {snippet(name)}: {text}.")
    return " ".join(part for part in parts if part)
