from __future__ import annotations

import os
import shutil

import faiss
import numpy as np
import pytest

from dfactscore.retrieval._dense import DenseIndex, add_to_dense, build_dense
from dfactscore.retrieval._embeddings import write_embeddings
from dfactscore.retrieval._errors import EncoderError, IndexFolderError
from dfactscore.retrieval._factory import IndexPlan, make_plan, plans_by_size

ROWS, DIMENSION = 3000, 48


class Table:
    """An encoder whose texts are row numbers."""

    dimension = DIMENSION

    def __init__(self, rows):
        self.rows = rows

    @property
    def settings(self):
        return {"kind": "table", "dimension": DIMENSION}

    def encode(self, texts):
        return self.rows[[int(text) for text in texts]]


def numbers(start, stop):
    return [str(n) for n in range(start, stop)]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    centres = rng.standard_normal((60, DIMENSION))
    table = centres[rng.integers(60, size=ROWS)] + 0.4 * rng.standard_normal((ROWS, DIMENSION))
    table = (table / np.linalg.norm(table, axis=1, keepdims=True)).astype(np.float32)
    table[2000] = table[17]  # equal vectors
    return table


@pytest.fixture(scope="module")
def queries(rows):
    rng = np.random.default_rng(4)
    return (rows[:80] + 0.05 * rng.standard_normal((80, DIMENSION))).astype(np.float32)


@pytest.fixture(scope="module")
def make(rows, tmp_path_factory):
    def vectors(count=ROWS, shard_rows=1000, folder=None, **options):
        folder = folder or tmp_path_factory.mktemp("vectors") / "e"
        return write_embeddings(
            folder, Table(rows), numbers, count, shard_rows=shard_rows, **options
        )

    return vectors


@pytest.fixture(scope="module")
def vectors(make):
    return make()


def brute(rows, queries, k):
    """All pairs in double precision."""
    scores = queries.astype(np.float64) @ rows.T.astype(np.float64)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(scores, order, 1), order


def recall(found, truth):
    return np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found, truth, strict=True)])


@pytest.mark.parametrize("k", [1, 5, 100])
@pytest.mark.parametrize("shard_rows", [10_000, 1000, 999])
def test_flat_equals_brute_force(make, rows, queries, tmp_path, k, shard_rows):
    index = build_dense(make(shard_rows=shard_rows), tmp_path, IndexPlan("Flat"))
    scores, positions = index.search(queries, k)
    expected_scores, expected = brute(rows, queries, k)
    np.testing.assert_allclose(scores, expected_scores, atol=1e-5)
    # Ids differ only if two scores are equal in float32.
    other = np.argwhere(positions != expected)
    for query, rank in other:
        assert abs(scores[query, rank] - expected_scores[query, rank]) < 3e-7
    assert len(other) <= 4
    # One query at a time gives exactly the same numbers.
    for n in range(5):
        single = index.search(queries[n : n + 1], k)
        np.testing.assert_array_equal(single[0][0], scores[n])
        np.testing.assert_array_equal(single[1][0], positions[n])


def test_flat_finds_all_there_is_and_orders_equal_vectors(vectors, rows, tmp_path):
    index = build_dense(vectors, tmp_path, IndexPlan("Flat"))
    scores, positions = index.search(rows[[17]], 2)
    assert positions.tolist() == [[17, 2000]]
    assert scores[0, 0] == scores[0, 1]
    assert index.search(rows[[17]], 10**6)[1].shape == (1, ROWS)
    assert sorted(index.search(rows[[17]], 10**6)[1][0]) == list(range(ROWS))
    assert (len(index), index.nbytes) == (ROWS, 0)


KINDS = [
    "IVF32,Flat",
    "IVF32,RaBitQ",
    "IVF32,RaBitQfs",
    "IVF32,PQ12x4",
    "IVF32,PQ24x4fs",
    "IVF32,SQ8",
    "SQ8",
    "SQfp16",
    "HNSW16",
]


@pytest.mark.parametrize("factory", KINDS)
def test_every_kind_finds_the_neighbours_when_it_looks_wide(
    vectors, rows, queries, tmp_path, factory
):
    plan = make_plan(factory, DIMENSION)
    index = build_dense(vectors, tmp_path / "one", plan)
    _, truth = brute(rows, queries, 5)
    scores, found = index.search(queries, 5, nprobe=32)
    assert recall(found, truth) > 0.97
    assert (np.diff(scores, axis=1) <= 1e-6).all()
    if plan.rerank:
        # Re-ranked scores are exact inner products, independent of the codes.
        exact = np.einsum("qkd,qd->qk", rows[found], queries)
        np.testing.assert_allclose(scores, exact, atol=1e-5)
        assert recall(index.search(queries, 5, nprobe=32, rerank_top=0)[1], truth) < 1
    # Loading instead of mapping, and loading again, changes nothing.
    for mapped in (True, False):
        other = DenseIndex(tmp_path / "one", vectors, mapped=mapped)
        again = other.search(queries, 5, nprobe=32)
        np.testing.assert_array_equal(again[1], found)
        np.testing.assert_array_equal(again[0], scores)
    if not factory.startswith("HNSW"):  # each file of an HNSW index has its own graph
        sharded = build_dense(vectors, tmp_path / "many", plan, shard_rows=700)
        assert len(list((tmp_path / "many").glob("dense-*.faiss"))) == 5
        again = sharded.search(queries, 5, nprobe=32)
        np.testing.assert_array_equal(again[1], found)
        np.testing.assert_allclose(again[0], scores, atol=1e-6)


@pytest.mark.parametrize("shard_rows", [0, 800])
@pytest.mark.parametrize("factory", ["Flat", "IVF16,RaBitQ", "IVF16,PQ24x4fs"])
def test_adding_equals_building_at_once(make, queries, tmp_path, factory, shard_rows):
    plan = make_plan(factory, DIMENSION)
    half = make(1500, folder=tmp_path / "half")
    build_dense(half, tmp_path / "d", plan, shard_rows=shard_rows)
    whole = make(folder=tmp_path / "half")
    with pytest.raises(IndexFolderError, match="indexes 1500 vectors, the embeddings are 3000"):
        DenseIndex(tmp_path / "d", whole)
    # the same trained index, filled in one step
    shutil.copytree(tmp_path / "d", tmp_path / "once")
    if factory != "Flat":
        for path in (tmp_path / "once").glob("dense-*.faiss"):
            path.unlink()
        meta = (tmp_path / "once" / "dense.json").read_text().replace('"rows": 1500', '"rows": 0')
        (tmp_path / "once" / "dense.json").write_text(meta)
    add_to_dense(whole, tmp_path / "d")
    add_to_dense(whole, tmp_path / "once")
    added = DenseIndex(tmp_path / "d", whole).search(queries, 5)
    once = DenseIndex(tmp_path / "once", whole).search(queries, 5)
    np.testing.assert_array_equal(added[1], once[1])
    np.testing.assert_array_equal(added[0], once[0])


def test_killed_between_writing_a_file_and_recording_it(make, queries, tmp_path):
    plan = make_plan("IVF16,RaBitQ", DIMENSION)
    vectors = make(folder=tmp_path / "v")
    index = build_dense(vectors, tmp_path / "d", plan, shard_rows=1000)
    expected = index.search(queries, 5)
    meta = tmp_path / "d" / "dense.json"
    meta.write_text(meta.read_text().replace('"rows": 3000', '"rows": 1000'))
    add_to_dense(vectors, tmp_path / "d")
    again = DenseIndex(tmp_path / "d", vectors).search(queries, 5)
    np.testing.assert_array_equal(again[1], expected[1])


def test_bad_queries_and_files_are_one_clear_line(vectors, rows, tmp_path):
    index = build_dense(vectors, tmp_path, make_plan("IVF16,Flat", DIMENSION))
    with pytest.raises(EncoderError, match="queries: 47 dimensions where 48"):
        index.search(rows[:1, :-1], 5)
    with pytest.raises(EncoderError, match="NaN"):
        index.search(np.full((1, DIMENSION), np.nan, dtype=np.float32), 5)
    with pytest.raises(ValueError, match="at least 1, not 0"):
        index.search(rows[:1], 0)
    file = tmp_path / "dense-000.faiss"
    os.truncate(file, file.stat().st_size // 2)
    for mapped in (True, False):
        with pytest.raises(IndexFolderError, match=r"dense-000\.faiss: damaged or cut short") as e:
            DenseIndex(tmp_path, vectors, mapped=mapped)
        assert "\n" not in str(e.value)
    file.unlink()
    with pytest.raises(IndexFolderError, match="no such file; build the index again"):
        DenseIndex(tmp_path, vectors)
    faiss.write_index(faiss.IndexFlatIP(7), str(file))
    with pytest.raises(IndexFolderError, match="hold 0 vectors of 7 dimensions"):
        DenseIndex(tmp_path, vectors)
    with pytest.raises(IndexFolderError, match="cannot be written"):
        build_dense(vectors, "/proc/d", IndexPlan("Flat"))


def test_too_few_vectors_to_train(make, tmp_path):
    few = make(40)
    for factory in ("IVF64,Flat", "IVF64,RaBitQ"):
        with pytest.raises(IndexFolderError, match="needs at least 64 vectors to train"):
            build_dense(few, tmp_path, make_plan(factory, DIMENSION))
    with pytest.raises(IndexFolderError, match="cannot be trained on 40 vectors"):
        build_dense(few, tmp_path, make_plan("IVF4,PQ8x8", DIMENSION))


def test_a_factory_string_is_checked_before_anything_is_built():
    for factory in ("Flot", "IVF,Flat", "IVF16,PQ7x8", ""):
        with pytest.raises(IndexFolderError, match="known forms: Flat, IVF") as error:
            make_plan(factory, DIMENSION)
        assert "\n" not in str(error.value)


def test_what_may_be_chosen_grows_with_the_corpus():
    assert plans_by_size(50_000, 768) == ["Flat"]
    lists = []
    for count in (50_001, 200_000, 10**6, 5 * 10**6, 21_015_324):
        names = plans_by_size(count, 768)
        number = int(names[0].removeprefix("IVF").split(",")[0])
        assert number * 39 <= count
        parts = [int(name.split("PQ")[1].removesuffix("x4fs")) for name in names[:-1]]
        assert parts == [96, 128, 192, 256, 384]
        assert make_plan(names[0], 768).rerank == 100
        lists.append(number)
    assert lists == sorted(lists)


@pytest.mark.parametrize(
    ("dimension", "codes"),
    [
        (256, "PQ32x4fs PQ64x4fs PQ128x4fs SQ8"),
        (384, "PQ48x4fs PQ64x4fs PQ96x4fs PQ128x4fs PQ192x4fs SQ8"),
        (300, "PQ30x4fs PQ50x4fs PQ75x4fs PQ100x4fs PQ150x4fs SQ8"),
        (331, "RaBitQ SQ8"),
    ],
)
def test_codes_divide_the_dimension(dimension, codes):
    names = plans_by_size(10**6, dimension)
    assert [name.removeprefix("IVF2048,") for name in names] == codes.split()
    for name in names:
        make_plan(name, dimension)


@pytest.mark.parametrize("factory", ["Flat", "IVF16,Flat", "IVF16,RaBitQ"])
def test_half_precision_vectors_are_searched_and_reranked(make, rows, queries, tmp_path, factory):
    half = make(dtype="float16")
    plan = IndexPlan("Flat") if factory == "Flat" else make_plan(factory, DIMENSION)
    index = build_dense(half, tmp_path, plan)
    scores, found = index.search(queries, 5, nprobe=16)
    rounded = rows.astype(np.float16).astype(np.float32)
    exact = np.einsum("qkd,qd->qk", rounded[found], queries)
    np.testing.assert_allclose(scores, exact, atol=1e-5)
    assert recall(found, brute(rows, queries, 5)[1]) > 0.97
