"""Chooses FAISS factory strings and search settings for a corpus."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from dfactscore.retrieval._errors import IndexFolderError

#: Largest corpus searched exactly, which takes tens of milliseconds on two cores.
FLAT_ROWS = 50_000
_FORMS = (
    "Flat, IVF<n>,Flat, IVF<n>,PQ<m>x8, IVF<n>,PQ<m>x4fs, IVF<n>,RaBitQ, IVF<n>,SQ8, "
    "HNSW32, HNSW32,SQ8, SQ8, SQfp16"
)


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """Settings for building and searching a dense index."""

    factory: str  # FAISS factory string; `"Flat"` searches the memory-mapped vectors
    nprobe: int = 0  # number of inverted lists visited per query; 0 if the index has none
    rerank: int = 0  # number of candidates to score exactly with the full vectors; 0 for none
    ef: int = 0  # breadth of an HNSW search; 0 for other indexes
    train_rows: int = 0
    seed: int = 0


def faiss_message(error: Exception) -> str:
    """Returns the informative part of a FAISS message, omitting the source path."""
    return str(error).strip().splitlines()[-1].split("Error: ")[-1].strip(" '")[:200]


def plans_by_size(rows: int, dimension: int) -> list[str]:
    """Lists the factory strings that a build can choose from, smallest index first.

    For up to 50,000 vectors, the search is exact. Larger corpora use inverted lists, about twice as
    many as the square root of the number of vectors. The first candidates use product quantization,
    with four bits for every eight, six, four, three or two dimensions, or RaBitQ codes if the
    dimension is not suitably divisible. The last one uses one byte per dimension.

    Example:
        >>> plans_by_size(1_000_000, 768)[:2]
        ['IVF2048,PQ96x4fs', 'IVF2048,PQ128x4fs']
    """
    if rows <= FLAT_ROWS:
        return ["Flat"]
    lists = f"IVF{2 ** round(math.log2(2 * rows**0.5))}"
    divisors = [m for m in range(dimension // 2, 0, -1) if dimension % m == 0]
    parts = {
        next((m for m in divisors if m * divisor <= dimension), 0) for divisor in (8, 6, 4, 3, 2)
    }
    codes = [f"PQ{m}x4fs" for m in sorted(parts) if m * 12 >= dimension]
    return [f"{lists},{code}" for code in [*(codes or ["RaBitQ"]), "SQ8"]]


def make_plan(factory: str, dimension: int, *, seed: int = 0) -> IndexPlan:
    """Builds a plan from a factory string by adding suitable search settings."""
    import faiss

    if factory == "Flat":
        return IndexPlan("Flat")
    try:
        index = faiss.index_factory(dimension, factory, faiss.METRIC_INNER_PRODUCT)
    except (RuntimeError, ValueError) as error:
        raise IndexFolderError(
            f"factory '{factory}' does not suit {dimension} dimensions ({faiss_message(error)}); "
            f"known forms: {_FORMS}"
        ) from None
    lists = re.search(r"IVF(\d+)", factory)
    count = int(lists.group(1)) if lists else 0
    exact = factory.endswith(("Flat", "SQfp16")) or re.fullmatch(r"HNSW\d+", factory) is not None
    sample = max(64 * count, 65_536) if count or not index.is_trained else 0
    return IndexPlan(
        factory,
        nprobe=min(count, max(32, count // 32)),
        rerank=0 if exact else 100,
        ef=128 if "HNSW" in factory and not count else 0,
        train_rows=sample,
        seed=seed,
    )
