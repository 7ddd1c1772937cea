"""Exact scores for the candidates of an approximate search."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from retrieval.embeddings import Embeddings

__all__ = ["best", "rerank"]


def best(
    scores: NDArray[np.float32], positions: NDArray[np.int64], k: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Keeps the k best of each row: by score, then by position, unfilled places (-1) last.

    Args:
        scores: Queries × candidates.
        positions: The same shape; -1 where there is no candidate.
        k: How many to keep.

    Returns:
        Scores and positions, queries × at most k.
    """
    import numpy as np

    scores = np.where(positions < 0, np.float32(-np.inf), scores)
    order = np.lexsort((positions, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, 1), np.take_along_axis(positions, order, 1)


def rerank(
    queries: NDArray[np.float32],
    candidates: NDArray[np.int64],
    vectors: Embeddings,
    k: int,
    *,
    block: int = 64,
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Scores candidates by inner product with their full vectors, and keeps the k best.

    Args:
        queries: Queries × dimension.
        candidates: Queries × candidates, positions; -1 where there is none.
        vectors: The memory-mapped vectors.
        k: How many to keep.
        block: Queries at once, which bounds the memory.

    Returns:
        Scores and positions, queries × at most k.
    """
    import numpy as np

    scores = np.empty(candidates.shape, dtype=np.float32)
    for start in range(0, len(queries), block):
        part = candidates[start : start + block]
        rows = vectors.take(np.maximum(part, 0).ravel()).reshape(*part.shape, -1)
        # einsum sums every row alike, so a score does not depend on the batch, the shard or the
        # other candidates; matrix products round differently from shape to shape.
        scores[start : start + block] = np.einsum(
            "qkd,qd->qk", rows, queries[start : start + block]
        )
    return best(scores, candidates, k)
