from __future__ import annotations

import json

import numpy as np
import pytest

from dfactscore.retrieval import _choice as choice
from dfactscore.retrieval import _factory as factory
from dfactscore.retrieval._choice import build_by_recall
from dfactscore.retrieval._dense import DenseIndex
from dfactscore.retrieval._embeddings import Embeddings, append_rows, sample_embeddings

ROWS, DIMENSION, K = 4000, 48, 5


def table(rows, seed):
    """Noise around a few hundred centers, whose neighbors coarse codes confuse."""
    rng = np.random.default_rng(seed)
    centers = np.random.default_rng(0).standard_normal((200, DIMENSION))
    made = centers[rng.integers(200, size=rows)] + rng.standard_normal((rows, DIMENSION))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors")
    meta = {"format": 1, "dimension": DIMENSION, "dtype": "float16", "encoder": {}}
    append_rows(
        folder, {**meta, "shard_rows": 1500, "done": 0, "rows": ROWS, "corpus": ""}, table(ROWS, 1)
    )
    return Embeddings(folder)


@pytest.fixture(autouse=True)
def small_corpora_are_approximated(monkeypatch):
    monkeypatch.setattr(factory, "FLAT_ROWS", 1000)


def found_by(index, queries, vectors):
    """Recall at five, compared with all vectors in double precision."""
    every = vectors.take(np.arange(len(vectors))).astype(np.float64)
    truth = np.argsort(-queries.astype(np.float64) @ every.T, axis=1, kind="stable")[:, :K]
    pairs = zip(index.search(queries, K)[1], truth, strict=True)
    return np.mean([len(set(a) & set(b)) / K for a, b in pairs])


@pytest.mark.parametrize("recall", [0.6, 0.9, 0.97])
def test_unseen_queries_find_what_was_measured(vectors, tmp_path, recall):
    chosen = build_by_recall(vectors, tmp_path, recall=recall)
    assert chosen.recall > recall
    unseen = found_by(DenseIndex(tmp_path, vectors), table(600, 2), vectors)
    assert unseen == pytest.approx(chosen.recall, abs=0.03)
    assert DenseIndex(tmp_path, vectors).plan == chosen.plan


def test_more_recall_takes_more_memory_or_a_wider_search(vectors, tmp_path):
    sizes = []
    for recall in (0.5, 0.9, 0.99):
        chosen = build_by_recall(vectors, tmp_path / str(recall), recall=recall)
        index = DenseIndex(tmp_path / str(recall), vectors)
        sizes.append((index.nbytes, chosen.plan.nprobe * chosen.plan.rerank))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


def test_no_smaller_index_would_do(vectors, tmp_path):
    chosen = build_by_recall(vectors, tmp_path / "chosen", recall=0.97)
    names = factory.plans_by_size(ROWS, DIMENSION)
    position = names.index(chosen.plan.factory)
    assert position > 0
    smaller = build_by_recall(
        vectors, tmp_path / "smaller", recall=0.97, factory=names[position - 1]
    )
    assert not smaller.reaches(0.97)


@pytest.mark.parametrize("shard_rows", [0, 1700])
def test_a_sample_says_where_to_begin(vectors, tmp_path, monkeypatch, shard_rows):
    """A trial with a sample chooses the same index, and leaves no files."""
    whole = build_by_recall(vectors, tmp_path / "whole", recall=0.9, shard_rows=shard_rows)
    monkeypatch.setattr(choice, "_TRIAL_ROWS", 2500)
    sampled = build_by_recall(vectors, tmp_path / "sampled", recall=0.9, shard_rows=shard_rows)
    assert sampled.recall - sampled.error >= 0.9
    names = [sorted(path.name for path in (tmp_path / f).iterdir()) for f in ("whole", "sampled")]
    assert names[0] == names[1]
    again = build_by_recall(vectors, tmp_path / "again", recall=0.9, shard_rows=shard_rows)
    assert again == sampled
    for name in names[1]:
        files = [(tmp_path / folder / name).read_bytes() for folder in ("sampled", "again")]
        assert files[0] == files[1], name
    assert whole.plan.factory in factory.plans_by_size(ROWS, DIMENSION)


def test_a_given_factory_is_searched_as_widely_as_it_takes(vectors, tmp_path):
    narrow = build_by_recall(vectors, tmp_path / "a", factory="IVF128,SQ8", recall=0.3)
    wide = build_by_recall(vectors, tmp_path / "b", factory="IVF128,SQ8", recall=0.99)
    assert narrow.plan.factory == wide.plan.factory == "IVF128,SQ8"
    assert narrow.plan.nprobe < wide.plan.nprobe
    assert narrow.recall < wide.recall
    exact = build_by_recall(vectors, tmp_path / "c", factory="Flat")
    assert (exact.plan.factory, exact.recall) == ("Flat", 1.0)
    assert json.loads((tmp_path / "c" / "dense.json").read_text())["rows"] == ROWS


def test_a_sample_is_a_part_of_the_rows_in_their_order(vectors, tmp_path):
    sample = sample_embeddings(vectors, tmp_path / "s", 900, seed=4)
    every = [row.tobytes() for row in vectors.take(np.arange(ROWS))]
    positions = [every.index(row.tobytes()) for row in sample.take(np.arange(900))]
    assert positions == sorted(set(positions))
    assert sample.shards[0].dtype == np.float16
    assert len(sample_embeddings(vectors, tmp_path / "all", 10**6)) == ROWS
