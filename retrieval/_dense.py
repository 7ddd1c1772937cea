"""Dense search, either exact over memory-mapped vectors or approximate using FAISS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dfactscore._util.files import atomic_path, check_regular, make_folder
from dfactscore._util.reporting import StepProgress
from dfactscore.retrieval._embeddings import Embeddings
from dfactscore.retrieval._encoders import check_vectors
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._factory import IndexPlan, faiss_message
from dfactscore.retrieval._files import read_json, write_json
from dfactscore.work._executors import SERIAL, Executor, SerialExecutor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_META = "dense.json"


def _sample(vectors: Embeddings, plan: IndexPlan) -> NDArray[np.float32]:
    import numpy as np

    count = min(plan.train_rows, vectors.rows)
    chosen = np.random.default_rng(plan.seed).choice(vectors.rows, count, replace=False)
    return vectors.take(np.sort(chosen))


def _write(index: Any, path: Path) -> None:
    import faiss

    with atomic_path(path, error=IndexFolderError) as temporary:
        try:
            faiss.write_index(index, str(temporary))
        except RuntimeError as error:
            raise IndexFolderError(f"{path}: cannot be written ({faiss_message(error)})") from None


def _read_index(path: Path, *, mapped: bool) -> Any:
    import faiss

    if not path.is_file():
        check_regular(path, error=IndexFolderError)
        raise IndexFolderError(f"{path}: no such file; build the index again")
    flag = faiss.IO_FLAG_MMAP_IFC if mapped else 0
    try:
        try:
            return faiss.read_index(str(path), flag)
        except RuntimeError:
            if not mapped:
                raise
            return faiss.read_index(str(path))  # Not every kind can be memory-mapped.
    except (RuntimeError, MemoryError) as error:
        raise IndexFolderError(f"{path}: damaged or cut short ({faiss_message(error)})") from None


def _shard_file(folder: Path, number: int) -> Path:
    return folder / f"dense-{number:03d}.faiss"


def _train(vectors: Embeddings, plan: IndexPlan, coarse: NDArray[np.float32] | None = None) -> Any:
    import faiss

    index = faiss.index_factory(vectors.dimension, plan.factory, faiss.METRIC_INNER_PRODUCT)
    if not index.is_trained:
        ivf = faiss.try_extract_index_ivf(index)
        for part in (index, ivf):
            # Reordering codes for Hamming distances, which no search here uses, would take
            # longer than the rest of the training.
            if part is not None and hasattr(part, "do_polysemous_training"):
                part.do_polysemous_training = False
        if ivf is not None and coarse is not None:
            ivf.quantizer.add(coarse)
        if ivf is not None and vectors.rows < ivf.nlist:
            raise IndexFolderError(
                f"factory '{plan.factory}' needs at least {ivf.nlist:,} vectors to train, "
                f"here are {vectors.rows:,}; choose fewer lists, or 'Flat'"
            )
        try:
            index.train(_sample(vectors, plan))
        except RuntimeError as error:
            raise IndexFolderError(
                f"factory '{plan.factory}' cannot be trained on {vectors.rows:,} vectors "
                f"({faiss_message(error)}); choose a smaller one, or 'Flat'"
            ) from None
    return index


def _read_meta(folder: Path) -> dict[str, Any]:
    return read_json(folder / _META, plan=dict, rows=int, shard_rows=int)


def build_dense(
    vectors: Embeddings,
    folder: str | Path,
    # Factory string and search settings. With `"Flat"`, no index files are written; the search
    # reads the embeddings directly.
    plan: IndexPlan,
    *,
    coarse: NDArray[np.float32] | None = None,
    # Maximum number of vectors in one index file, for corpora larger than memory; 0 means a single
    # file. Training is done once for all files, so the results do not change.
    shard_rows: int = 0,
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
) -> DenseIndex:
    """Builds a dense index of embeddings."""
    folder = Path(folder)
    make_folder(folder, error=IndexFolderError)
    meta: dict[str, Any] = {"format": 1, "plan": asdict(plan), "rows": 0, "shard_rows": shard_rows}
    if plan.factory == "Flat":
        meta["rows"] = vectors.rows
        write_json(folder / _META, meta)
        return DenseIndex(folder, vectors)
    if progress:
        progress("train", min(plan.train_rows, vectors.rows))
    trained = _train(vectors, plan, coarse)
    _write(trained, folder / "trained.faiss")
    write_json(folder / _META, meta)
    add_to_dense(vectors, folder, executor=executor, progress=progress)
    return DenseIndex(folder, vectors)


def use_plan(folder: str | Path, plan: IndexPlan) -> None:
    """Saves new search settings for an index."""
    folder = Path(folder)
    write_json(folder / _META, {**_read_meta(folder), "plan": asdict(plan)})


def add_to_dense(
    vectors: Embeddings,
    folder: str | Path,
    *,
    executor: Executor = SERIAL,  # executor that fills the index files, one task per file
    progress: StepProgress | None = None,
) -> None:
    """Adds new embeddings to an index without retraining it."""
    import faiss

    folder = Path(folder)
    meta = _read_meta(folder)
    size = meta["shard_rows"] or vectors.rows
    if meta["plan"]["factory"] != "Flat" and meta["rows"] < vectors.rows:
        first = meta["rows"] // size if meta["shard_rows"] else 0
        parts = [
            _ShardPart(n, n * size, meta["rows"], min(vectors.rows, (n + 1) * size))
            for n in range(first, -(-vectors.rows // size))
        ]
        executor.check_files([folder / "trained.faiss", vectors.folder / "embeddings.json"])
        # The callback can only be called in this process.
        local_progress = progress if isinstance(executor, SerialExecutor) else None
        fill = _Fill(folder.resolve(), vectors.folder.resolve(), local_progress)
        for part, _ in zip(parts, executor.map_blocks(fill, parts), strict=True):
            meta["rows"] = part.stop
            write_json(folder / _META, meta)
            if progress and not local_progress:
                progress("add", part.stop)
    meta["rows"] = vectors.rows
    meta["faiss"] = faiss.__version__
    write_json(folder / _META, meta)


class _ShardPart(NamedTuple):
    """One index file: its number, the range of its vectors, and the number recorded so far."""

    number: int
    start: int
    done: int
    stop: int


@dataclass(frozen=True, slots=True)
class _Fill:
    """Fills one index file from the embeddings on disk."""

    folder: Path
    vectors: Path
    progress: StepProgress | None

    def __call__(self, part: _ShardPart) -> None:
        path, trained = _shard_file(self.folder, part.number), self.folder / "trained.faiss"
        index, done = None, max(part.done, part.start)
        if done > part.start:
            index = _read_index(path, mapped=False)
            if part.start + index.ntotal > done:  # interrupted before recording
                index, done = None, part.start
        if index is None:
            index = _read_index(trained, mapped=False)
        for first, block in Embeddings(self.vectors).blocks(start=done):
            block = block[: part.stop - first]
            index.add(block)
            if self.progress:
                self.progress("add", first + len(block))
            if first + len(block) >= part.stop:
                break
        _write(index, path)


class DenseIndex:
    """A searchable dense index."""

    def __init__(self, folder: str | Path, vectors: Embeddings, *, mapped: bool = True) -> None:
        self.folder = Path(folder)
        self.vectors = vectors
        meta = _read_meta(self.folder)
        try:
            self.plan = IndexPlan(**meta["plan"])
        except TypeError as error:
            raise IndexFolderError(
                f"{self.folder / _META}: damaged ({error}); build the index again"
            ) from None
        if meta["rows"] != vectors.rows:
            raise IndexFolderError(
                f"{self.folder}: indexes {meta['rows']} vectors, the embeddings are {vectors.rows};"
                " run 'dfactscore index add' or build again"
            )
        self.shards: list[Any] = []
        if self.plan.factory != "Flat":
            size = meta["shard_rows"] or vectors.rows
            self._starts = list(range(0, vectors.rows, size))
            self.shards = [
                _read_index(_shard_file(self.folder, n), mapped=mapped)
                for n in range(len(self._starts))
            ]
            total = sum(shard.ntotal for shard in self.shards)
            if total != vectors.rows or any(s.d != vectors.dimension for s in self.shards):
                raise IndexFolderError(
                    f"{self.folder}: index files hold {total} vectors of "
                    f"{self.shards[0].d} dimensions, the embeddings are {vectors.rows} of "
                    f"{vectors.dimension}; build again"
                )

    def __len__(self) -> int:
        return self.vectors.rows

    @property
    def nbytes(self) -> int:
        """The size of the index files in bytes (0 for ``"Flat"``, which has none)."""
        return sum(_shard_file(self.folder, n).stat().st_size for n in range(len(self.shards)))

    def centroids(self) -> NDArray[np.float32] | None:
        """Returns the inverted lists' centroids (lists × dimension), or None if there are none."""
        import faiss

        ivf = faiss.try_extract_index_ivf(self.shards[0]) if self.shards else None
        return None if ivf is None else ivf.quantizer.reconstruct_n(0, ivf.nlist)

    def search(
        self,
        queries: NDArray[np.float32],
        k: int = 5,
        *,
        nprobe: int | None = None,
        rerank_top: int | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Finds the nearest vectors by inner product."""
        # Returns scores and positions, queries × min(k, vectors), best first, with ties in corpus
        # order. If an approximate search finds fewer vectors, the remaining positions are -1.
        import numpy as np

        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        rows = check_vectors(np.asarray(queries), self.vectors.dimension, "queries")
        k = min(k, self.vectors.rows)
        if not self.shards:
            return self._flat(rows, k)
        rerank_count = self.plan.rerank if rerank_top is None else rerank_top
        depth = min(max(k, rerank_count), self.vectors.rows)
        results = list(self._approximate(rows, depth, nprobe))
        if len(results) == 1:
            scores, positions = results[0]
            if not rerank_count:
                return best(scores, positions, k)
        else:
            scores, positions = best(
                np.concatenate([s for s, _ in results], 1),
                np.concatenate([p for _, p in results], 1),
                depth,
            )
        if rerank_count:
            return rerank(rows, positions, self.vectors, k)
        return scores[:, :k], positions[:, :k]

    def _approximate(
        self, rows: NDArray[np.float32], depth: int, nprobe: int | None
    ) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        import faiss
        import numpy as np

        for start, shard in zip(self._starts, self.shards, strict=True):
            probes = nprobe or self.plan.nprobe
            ivf = faiss.try_extract_index_ivf(shard)
            if ivf is not None:
                ivf.nprobe = min(probes, ivf.nlist)
            elif self.plan.ef:
                faiss.ParameterSpace().set_index_parameter(
                    shard, "efSearch", max(self.plan.ef, depth)
                )
            scores, positions = shard.search(rows, min(depth, shard.ntotal))
            yield scores, np.where(positions < 0, -1, positions + start)

    def _flat(
        self, rows: NDArray[np.float32], k: int
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        import faiss
        import numpy as np

        # Takes a few extra candidates, which `rerank` then scores uniformly: rounding in a matrix
        # product must not decide between equal passages.
        depth, results = min(k + 3, self.vectors.rows), []
        for number, shard in enumerate(self.vectors.shards):
            block = shard if shard.dtype == np.float32 else np.asarray(shard, dtype=np.float32)
            scores, positions = faiss.knn(
                rows, block, min(depth, len(block)), metric=faiss.METRIC_INNER_PRODUCT
            )
            results.append((scores, positions + number * self.vectors.shard_rows))
        if len(results) > 1:
            _, positions = best(
                np.concatenate([s for s, _ in results], 1),
                np.concatenate([p for _, p in results], 1),
                depth,
            )
        return rerank(rows, positions, self.vectors, k)


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
