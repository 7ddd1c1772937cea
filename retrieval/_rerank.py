"""Computes exact scores for the candidates found by an approximate search."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.retrieval._embeddings import Embeddings


def best(
    scores: NDArray[np.float32], positions: NDArray[np.int64], k: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Selects the k best in each row, by score, then by position; unfilled slots (-1) come last."""
    import numpy as np

    scores = np.where(positions < 0, np.float32(-np.inf), scores)
    order = np.lexsort((positions, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, 1), np.take_along_axis(positions, order, 1)


def rerank(
    queries: NDArray[np.float32], candidates: NDArray[np.int64], vectors: Embeddings, k: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Scores candidates by inner product with their full vectors, and selects the k best.

    Every inner product is summed in the same way, so that a score does not depend on the batch, the
    shard or the other candidates. With matrix products it would, because rounding varies with the
    shape of the matrices.
    """
    import numpy as np

    rows = np.ascontiguousarray(queries, dtype=np.float32)
    if len(vectors.shards) == 1:
        return best(_inner_products(rows, candidates, vectors.shards[0]), candidates, k)
    scores = np.full(candidates.shape, -np.inf, dtype=np.float32)
    for number, shard in enumerate(vectors.shards):
        first = number * vectors.shard_rows
        in_shard = (candidates >= first) & (candidates < first + len(shard))
        if in_shard.any():
            local = np.where(in_shard, candidates - first, -1)
            scores = np.where(in_shard, _inner_products(rows, local, shard), scores)
    return best(scores, candidates, k)


def _inner_products(
    rows: NDArray[np.float32], positions: NDArray[np.int64], shard: NDArray[np.generic]
) -> NDArray[np.float32]:
    """Computes inner products, copying the vectors only if their type is not float32."""
    import faiss
    import numpy as np

    count, width = positions.shape
    if shard.dtype == np.float32:
        base = shard
    else:
        # Copies the vectors to a small table and replaces positions by positions in that table.
        base = np.asarray(shard[np.maximum(positions, 0).ravel()], dtype=np.float32)
        table = np.arange(positions.size, dtype=np.int64).reshape(positions.shape)
        positions = np.where(positions < 0, -1, table)
    positions = np.ascontiguousarray(positions, dtype=np.int64)
    scores = np.empty(positions.shape, dtype=np.float32)
    pointer = faiss.swig_ptr
    faiss.fvec_inner_products_by_idx(  # type: ignore[attr-defined,unused-ignore]
        pointer(scores),
        pointer(rows),
        pointer(base),
        pointer(positions),
        rows.shape[1],
        count,
        width,
    )
    return scores
