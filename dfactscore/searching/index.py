"""An index of one's own as a search service: no network."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore.searching.results import SearchResult
from dfactscore.text.cleaning import clean

if TYPE_CHECKING:
    from dfactscore.retrieval import Passage
    from dfactscore.retrieval.retriever import SearchMethod

__all__ = ["IndexSearch"]


class IndexSearch:
    """Searches an index folder with any of its methods.

    Args:
        folder: The folder, made by ``dfactscore index build``.
        method: How it is searched; by default as it was built.

    Raises:
        dfactscore.retrieval.RetrievalError: If it cannot be opened.
    """

    def __init__(self, folder: str | Path, *, method: SearchMethod = "auto") -> None:
        from dfactscore.retrieval import Retriever

        self._retriever = Retriever(folder)
        self._method = method

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change the results."""
        manifest = self._retriever.manifest
        return {
            "service": "index",
            "method": manifest.kind if self._method == "auto" else self._method,
            "index": manifest.corpus_hash,
            "snapshot": manifest.snapshot,
            "encoder": dict(manifest.encoder),
        }

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` passages; see `dfactscore.searching.Search`."""
        if not query.strip():
            return ()
        hits = self._retriever.search([query], k, method=self._method)[0]
        return tuple(_result(hit.passage, rank) for rank, hit in enumerate(hits))

    async def search_titles(
        self, query: str, titles: Collection[str], k: int
    ) -> Sequence[SearchResult]:
        """Returns the `k` passages of some pages that BM25 ranks best for a query.

        Args:
            query: The query.
            titles: Titles of the pages, each as it is or with another spelling of spaces or case.
            k: How many, at most.
        """
        from dfactscore.retrieval import PageBM25

        found: dict[str, Passage] = {}
        for hits in self._retriever.search(
            [t for t in titles if t.strip()], 10_000, method="title"
        ):
            found.update((hit.passage.id, hit.passage) for hit in hits)
        passages = list(found.values())
        if not passages or not query.strip():
            return ()
        best = PageBM25([passage.text for passage in passages]).select(query, k)
        return tuple(_result(passages[place], rank) for rank, place in enumerate(best))

    async def aclose(self) -> None:
        """Nothing to close: the files stay open for the next search."""


def _result(passage: Passage, rank: int) -> SearchResult:
    return SearchResult(clean(passage.title), clean(passage.text), "", "", rank, "index")
