"""A local index as a search service, which needs no network."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._asking.search.results import SearchResult, whole_sentences
from dfactscore._text.clean_text import clean
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
