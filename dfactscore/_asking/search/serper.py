"""serper.dev, or a service that answers as it does."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._asking.search.cleaning import snippet
from dfactscore._asking.search.http import JSONService, check_address
from dfactscore._asking.search.response_forms import KnowledgeGraph, SerperAnswer
from dfactscore._asking.search.results import Row, SearchResult, ranked, says_something
from dfactscore._errors import InputError

_ADDRESS = "https://google.serper.dev"
_KEY = "SERPER_API_KEY"


class Serper(JSONService):
    """``POST /search`` with the key from ``$SERPER_API_KEY``; the key is written nowhere.

    Args:
        address: The address of the service; serper.dev by default.
        timeout: Seconds for one request.

    Raises:
        InputError: If the address is none, or there is no key.
    """

    def __init__(self, address: str = "", *, timeout: float = 30.0) -> None:
        self.address = check_address(address or _ADDRESS, "serper").removesuffix("/search")
        self._key = os.environ.get(_KEY, "").strip()
        if not self._key:
            raise InputError(f"serper needs a key: set {_KEY} in the environment")
        super().__init__(f"serper at {self.address}", timeout=timeout, secret=self._key)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change the results; never the key."""
        return {"service": "serper", "endpoint": self.address}

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results; see `dfactscore._asking.search.Search`."""
        answer = await self.ask(
            "POST",
            f"{self.address}/search",
            SerperAnswer,
            body={"q": query, "num": k},
            headers={"X-API-KEY": self._key},
            forbidden=f"the key in {_KEY} is not accepted",
        )
        rows = list(_rows(answer))
        found = ranked(rows, k, "serper")
        self.check_rows(rows if answer.organic else [], found)
        if not found:
            self.check_said(answer.message, answer.error, answer.errors, answer.detail)
        if answer.searchParameters is not None:
            self.check_echo(query, answer.searchParameters.q, found)
        return found


def _rows(answer: SerperAnswer) -> Iterator[Row]:
    """Yields the contents of the answer: answer, facts, pages that have a title."""
    if (box := answer.answerBox) is not None:
        parts = [snippet(said) for said in (box.answer, box.snippet, box.snippetHighlighted)]
        if text := " ".join(dict.fromkeys(part for part in parts if part)):
            yield snippet(box.title), text, snippet(box.link), snippet(box.date)
    if (graph := answer.knowledgeGraph) is not None and (text := _about(graph)):
        address = snippet(graph.descriptionLink) or snippet(graph.website)
        yield snippet(graph.title), text, address, ""
    for row in answer.organic:
        title = snippet(row.title)
        text = snippet(row.snippet) if says_something(title) else ""
        yield title, text, snippet(row.link), snippet(row.date)


def _about(graph: KnowledgeGraph) -> str:
    """Knowledge graph entries as sentences that name their subject."""
    title = snippet(graph.title)
    parts = [snippet(graph.description)]
    if kind := snippet(graph.type):
        parts.insert(0, f"{title}: {kind}.")
    for name, value in (graph.attributes or {}).items():
        if text := snippet(value):
            parts.append(f"{title} {snippet(name)}: {text}.")
    return " ".join(part for part in parts if part)
