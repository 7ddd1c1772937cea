"""Chooses the smallest dense index with the required recall, by building and measuring indexes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dfactscore._util.files import make_folder
from dfactscore._util.reporting import StepProgress
from dfactscore.retrieval._dense import DenseIndex, build_dense, use_plan
from dfactscore.retrieval._embeddings import Embeddings, sample_embeddings
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._factory import IndexPlan, make_plan, plans_by_size
from dfactscore.work._executors import SERIAL, Executor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: Minimum share of the true top five that the chosen index must find.
RECALL = 0.95
#: Number of corpus vectors used as queries, and number of neighbors of each.
_QUERIES, _K = 1000, 5
#: Size of the sample on which indexes for larger corpora are tried first.
_TRIAL_ROWS = 2**17


@dataclass(frozen=True, slots=True)
class ChosenIndex:
    """An index and its measured recall."""

    plan: IndexPlan
    # Mean share of a vector's five nearest neighbors that the index finds, measured on 1,000
    # vectors from the corpus; None if the corpus has only one vector.
    recall: float | None = None
    error: float = 0.0

    def reaches(self, recall: float) -> bool:
        """Whether the measured recall, minus its standard error, is at least the given recall."""
        return self.recall is None or self.recall - self.error >= recall


class _Truth:
    """Queries drawn from the corpus, and their true neighbors."""

    def __init__(self, vectors: Embeddings, folder: Path, seed: int) -> None:
        import numpy as np

        count = min(_QUERIES, vectors.rows)
        sample = np.random.default_rng(seed).choice(vectors.rows, count, replace=False)
        self.positions = np.sort(sample)
        self.queries = vectors.take(self.positions)
        exact = build_dense(vectors, folder, IndexPlan("Flat"))
        self.nearest = self._neighbors(exact.search(self.queries, _K + 1)[1])

    def _neighbors(self, results: NDArray[np.int64]) -> list[set[int]]:
        """Returns the first five results for each query, excluding the query itself."""
        rows = zip(results.tolist(), self.positions.tolist(), strict=True)
        return [set([p for p in row if p != position][:_K]) for row, position in rows]

    def best(self, index: DenseIndex, plan: IndexPlan, recall: float) -> ChosenIndex:
        """Returns the narrowest search that reaches the recall, or the widest if none does."""
        for searched in _searches(plan):
            chosen = self._measure(index, searched)
            if chosen.reaches(recall):
                break
        return chosen

    def _measure(self, index: DenseIndex, plan: IndexPlan) -> ChosenIndex:
        import numpy as np

        neighbors = self._neighbors(
            index.search(self.queries, _K + 1, nprobe=plan.nprobe or None, rerank_top=plan.rerank)[
                1
            ]
        )
        parts = [len(a & b) / len(b) for a, b in zip(neighbors, self.nearest, strict=True) if b]
        if not parts:
            return ChosenIndex(plan)
        return ChosenIndex(plan, float(np.mean(parts)), float(np.std(parts) / len(parts) ** 0.5))


def _searches(plan: IndexPlan) -> Iterator[IndexPlan]:
    """Yields the plan, then copies with wider searches, which take more time but no more memory."""
    yield plan
    for lists, candidates in ((2, 1), (2, 2), (4, 2)) if plan.nprobe else ():
        yield replace(plan, nprobe=plan.nprobe * lists, rerank=plan.rerank * candidates)


def build_by_recall(
    vectors: Embeddings,
    folder: str | Path,
    *,
    factory: str = "",
    # Required recall@5. The measured mean minus its standard error must be at least this value; if
    # this is true of no index, the largest is built.
    recall: float = RECALL,
    seed: int = 0,
    shard_rows: int = 0,
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
) -> ChosenIndex:
    """Builds the smallest index whose measured recall@5 is high enough.

    Builds indexes from small to large, and searches each one more and more widely until its recall
    relative to exact search is high enough. With more than 131,072 vectors, a sample is tried first
    so that few indexes are built over the whole corpus.
    """
    folder = Path(folder)
    make_folder(folder, error=IndexFolderError)
    factories = [factory] if factory else plans_by_size(vectors.rows, vectors.dimension)
    plans = [make_plan(name, vectors.dimension, seed=seed) for name in factories]
    if len(plans) > 1 and vectors.rows > _TRIAL_ROWS:
        plans = plans[_smallest(vectors, folder, recall, seed) :]
    if plans[0].factory == "Flat":
        build_dense(vectors, folder, plans[0])
        return ChosenIndex(plans[0], 1.0)
    truth, coarse = _Truth(vectors, folder, seed), None
    for plan in plans:
        index = build_dense(
            vectors,
            folder,
            plan,
            coarse=coarse,
            shard_rows=shard_rows,
            executor=executor,
            progress=progress,
        )
        coarse = index.centroids()
        chosen = truth.best(index, plan, recall)
        if chosen.reaches(recall):
            break
    use_plan(folder, chosen.plan)
    return chosen


def _smallest(vectors: Embeddings, folder: Path, recall: float, seed: int) -> int:
    """Returns the position in `plans_by_size` of the first plan that is good enough on a sample."""
    with TemporaryDirectory(dir=folder) as place:
        sample = sample_embeddings(vectors, Path(place) / "vectors", _TRIAL_ROWS, seed=seed)
        chosen = build_by_recall(sample, Path(place) / "dense", recall=recall, seed=seed)
    return plans_by_size(sample.rows, sample.dimension).index(chosen.plan.factory)
