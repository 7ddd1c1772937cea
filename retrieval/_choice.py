"""The smallest dense index that finds what the exact search finds, by trying it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dfactscore._util.callbacks import StepProgress
from dfactscore._util.files import make_folder
from dfactscore.retrieval._dense import DenseIndex, build_dense, use_plan
from dfactscore.retrieval._embeddings import Embeddings, sample_embeddings
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._factory import IndexPlan, make_plan, plans_by_size
from dfactscore.work._executors import SERIAL, Executor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: The part of the true top five that the chosen index finds, at least.
RECALL = 0.95
#: Vectors of the corpus that are searched for, and how many of their neighbors count.
_QUERIES, _K = 1000, 5
#: Of a larger corpus a sample of so many vectors says which codes are tried first.
_TRIAL_ROWS = 2**17


@dataclass(frozen=True, slots=True)
class ChosenIndex:
    """An index that was built and measured.

    Attributes:
        plan: The settings of build and search.
        recall: Mean part of the true five nearest other vectors that it finds for 1,000 vectors
            of the corpus; None for a corpus of fewer than seven.
        error: Standard error of that mean.
    """

    plan: IndexPlan
    recall: float | None = None
    error: float = 0.0

    def reaches(self, recall: float) -> bool:
        """Whether the mean is above a recall by its standard error at least."""
        return self.recall is None or self.recall - self.error >= recall


class _Truth:
    """Vectors of the corpus as queries, with their true neighbors."""

    def __init__(self, vectors: Embeddings, folder: Path, seed: int) -> None:
        import numpy as np

        count = min(_QUERIES, vectors.rows)
        drawn = np.random.default_rng(seed).choice(vectors.rows, count, replace=False)
        self.positions = np.sort(drawn)
        self.queries = vectors.take(self.positions)
        exact = build_dense(vectors, folder, IndexPlan("Flat"))
        self.nearest = self._others(exact.search(self.queries, _K + 1)[1])

    def _others(self, found: NDArray[np.int64]) -> list[set[int]]:
        """The first five of each query besides itself."""
        rows = zip(found.tolist(), self.positions.tolist(), strict=True)
        return [set([p for p in row if p != own][:_K]) for row, own in rows]

    def best(self, index: DenseIndex, plan: IndexPlan, recall: float) -> ChosenIndex:
        """The narrowest search that reaches a recall, or the widest."""
        for searched in _searches(plan):
            chosen = self._measure(index, searched)
            if chosen.reaches(recall):
                break
        return chosen

    def _measure(self, index: DenseIndex, plan: IndexPlan) -> ChosenIndex:
        import numpy as np

        found = self._others(
            index.search(self.queries, _K + 1, nprobe=plan.nprobe or None, rerank_top=plan.rerank)[
                1
            ]
        )
        parts = [len(a & b) / len(b) for a, b in zip(found, self.nearest, strict=True) if b]
        if not parts:
            return ChosenIndex(plan)
        return ChosenIndex(plan, float(np.mean(parts)), float(np.std(parts) / len(parts) ** 0.5))


def _searches(plan: IndexPlan) -> Iterator[IndexPlan]:
    """The plan's own search, then wider ones, which take time but no memory."""
    yield plan
    for lists, candidates in ((2, 1), (2, 2), (4, 2)) if plan.nprobe else ():
        yield replace(plan, nprobe=plan.nprobe * lists, rerank=plan.rerank * candidates)


def build_by_recall(
    vectors: Embeddings,
    folder: str | Path,
    *,
    factory: str = "",
    recall: float = RECALL,
    seed: int = 0,
    shard_rows: int = 0,
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
) -> ChosenIndex:
    """Builds the smallest index whose measured recall@5 is at least so much.

    Indexes are built from small to large, each searched more and more widely, until one finds
    enough of what the exact search over all vectors finds. A corpus of more than 131,072 vectors
    is tried by a sample first, so that few indexes are built over all of it.

    Args:
        vectors: The embeddings.
        folder: The folder of the index.
        factory: The only FAISS factory string to try; empty for `plans_by_size`.
        recall: Recall@5 that the mean exceeds by a standard error; where no index reaches it, the
            largest is built.
        seed: Draws the vectors that are searched for and those that train.
        shard_rows: As in `build_dense`.
        executor: As in `build_dense`.
        progress: As in `build_dense`.

    Returns:
        The plan and its recall.

    Raises:
        IndexFolderError: As `build_dense` and `make_plan` do.
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
    """Number of the first of `plans_by_size` whose codes are enough for a sample."""
    with TemporaryDirectory(dir=folder) as place:
        sample = sample_embeddings(vectors, Path(place) / "vectors", _TRIAL_ROWS, seed=seed)
        chosen = build_by_recall(sample, Path(place) / "dense", recall=recall, seed=seed)
    return plans_by_size(sample.rows, sample.dimension).index(chosen.plan.factory)
