"""The retriever, which searches an index by embeddings, BM25, both, or exact title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from dfactscore.retrieval._bm25 import CorpusBM25
from dfactscore.retrieval._dense import DenseIndex
from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval._embeddings import Embeddings
from dfactscore.retrieval._encoders import check_encoder, check_same_encoder, encoder_from_settings
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._files import load_array
from dfactscore.retrieval._index_manifest import check_corpus, read_manifest

if TYPE_CHECKING:
    import numpy as np

    from dfactscore.retrieval._encoders import Encoder


#: The query used in the paper (section 2.2).
QUERY_TEMPLATE = "Tell me a bio of {name}"
#: Constant for reciprocal rank fusion (Cormack et al., 2009).
FUSION_CONSTANT = 60
_DEPTH = 100

_Index = TypeVar("_Index")
SearchMethod = Literal["auto", "dense", "bm25", "hybrid", "title"]
_DISAMBIGUATION = re.compile(r"(?<![\s_])[\s_]*\(disambiguation\)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result."""

    passage: Passage
    score: float  # inner product, BM25 score or fused score; comparable only within a single search
    position: int


def bio_query(name: str, template: str = QUERY_TEMPLATE) -> str:
    """Builds the query for a name, removing "(disambiguation)", as in the paper.

    Example:
        >>> bio_query("Dick Hanley (disambiguation)")
        'Tell me a bio of Dick Hanley'
    """
    if "{name}" not in template:
        raise ValueError(f"the query template '{template}' has no '{{name}}' in it")
    return template.replace("{name}", _DISAMBIGUATION.sub("", name).strip())


def fuse_ranks(
    rankings: Sequence[Sequence[int]], k: int, *, constant: int = FUSION_CONSTANT
) -> list[tuple[float, int]]:
    """Fuses rankings by reciprocal rank: a passage's score is the sum of 1 / (constant + rank).

    Example:
        >>> [position for _, position in fuse_ranks([[1, 2, 3], [3, 1]], k=2)]
        [1, 3]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, position in enumerate(ranking, start=1):
            scores[position] = scores.get(position, 0.0) + 1 / (constant + rank)
    best = sorted(((-score, position) for position, score in scores.items()))[:k]
    # Scores and positions, best first, with ties sorted by position.
    return [(-score, position) for score, position in best]


class Retriever:
    """Searches an index folder; threads may share it."""

    def __init__(
        self, folder: str | Path, *, encoder: Encoder | None = None, verify: bool = False
    ) -> None:
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)
        self.passages = check_corpus(self.folder, self.manifest, full=verify)
        self._bm25: CorpusBM25 | None = None
        self._dense: DenseIndex | None = None
        if self.manifest.kind != "dense":
            self._bm25 = CorpusBM25(self.folder / "bm25")
            self._check_size("bm25", len(self._bm25))
        if self.manifest.kind != "bm25":
            vectors = Embeddings(self.folder / "embeddings")
            if vectors.meta["corpus"] != self.manifest.corpus_hash:
                raise IndexFolderError(
                    f"{vectors.folder}: made of another corpus than {self.folder}; rebuild it"
                )
            self._dense = DenseIndex(self.folder / "dense", vectors)
            self._check_size("dense", len(self._dense))
        self._encoder: Encoder | None = None
        if encoder is not None and self._dense is not None:
            self._encoder = self._checked(encoder)

    def _check_size(self, name: str, size: int) -> None:
        if size != self.manifest.passages:
            raise IndexFolderError(
                f"{self.folder / name}: indexes {size} passages, the corpus has "
                f"{self.manifest.passages}; run 'index add' again or rebuild the index"
            )

    def _checked(self, encoder: Encoder) -> Encoder:
        check_encoder(encoder)
        recorded_probe = load_array(self.folder / "probe.npy", mapped=False)
        check_same_encoder(encoder, recorded_probe, str(self.manifest.encoder.get("model", "")))
        return encoder

    @property
    def encoder(self) -> Encoder:
        """The encoder for the queries, loaded on first use."""
        if self._encoder is None:
            self._encoder = self._checked(encoder_from_settings(self.manifest.encoder))
        return self._encoder

    def close(self) -> None:
        """Closes the index files."""
        self._bm25 = self._dense = None

    def search(
        self, queries: Sequence[str], k: int = 5, *, method: SearchMethod = "auto"
    ) -> list[list[Hit]]:
        """Searches for a batch of queries."""
        # `method`: `"auto"` uses the search that matches the type of index; `"hybrid"` fuses the
        # dense and BM25 rankings; `"title"` returns the passages of one page, in page order.
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        for number, query in enumerate(queries):
            if not query.strip():
                raise ValueError(f"query {number} of {len(queries)} is empty")
        rankings = self._search(queries, k, self.manifest.kind if method == "auto" else method)
        positions = [position for ranking in rankings for _, position in ranking]
        passages = dict(zip(positions, self.passages.get(positions), strict=True))
        return [[Hit(passages[p], float(s), int(p)) for s, p in ranking] for ranking in rankings]

    def search_names(
        self,
        names: Sequence[str],
        k: int = 5,
        *,
        method: SearchMethod = "auto",
        template: str = QUERY_TEMPLATE,
    ) -> list[list[Hit]]:
        """Searches for names with the paper's query, without "(disambiguation)" in each name."""
        if method == "title":
            template = "{name}"
        return self.search([bio_query(name, template) for name in names], k, method=method)

    def search_facts(
        self, name: str, facts: Sequence[str], k: int = 5, *, method: SearchMethod = "auto"
    ) -> list[list[Hit]]:
        """Retrieves evidence for each fact, using FActScore's query (topic and fact)."""
        topic = bio_query(name, "{name}")
        return self.search([f"{topic} {fact}" for fact in facts], k, method=method)

    def _search(self, queries: Sequence[str], k: int, method: str) -> list[list[tuple[float, int]]]:
        if method == "title":
            return [
                [(1.0, position) for position in self.passages.by_title(query)[:k]]
                for query in queries
            ]
        if method == "bm25":
            return [
                list(zip(scores.tolist(), positions.tolist(), strict=True))
                for scores, positions in self._need(self._bm25, "BM25", "bm25").search(queries, k)
            ]
        if method == "dense":
            index = self._need(self._dense, "dense vectors", "dense")
            scores, positions = index.search(self.encoder.encode(queries), k)
            return [_row(s, p) for s, p in zip(scores, positions, strict=True)]
        if method == "hybrid":
            depth = max(k, _DEPTH)
            rankings_of_kinds = [self._search(queries, depth, kind) for kind in ("dense", "bm25")]
            return [
                fuse_ranks([[p for _, p in ranking] for ranking in rankings], k)
                for rankings in zip(*rankings_of_kinds, strict=True)
            ]
        raise ValueError(f"method '{method}' is not one of auto, dense, bm25, hybrid, title")

    def _need(self, index: _Index | None, content: str, kind: str) -> _Index:
        if index is not None:
            return index
        raise IndexFolderError(
            f"{self.folder}: this index is of kind '{self.manifest.kind}' and has no {content}; "
            f"search it with method '{self.manifest.kind}', or build one with --kind {kind} or "
            "--kind hybrid"
        )


def _row(scores: np.ndarray, positions: np.ndarray) -> list[tuple[float, int]]:
    return [(float(s), int(p)) for s, p in zip(scores, positions, strict=True) if p >= 0]
