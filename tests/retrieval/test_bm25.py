from __future__ import annotations

import random

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from dfactscore.retrieval._bm25 import CorpusBM25, build_bm25
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.retrieval._tokens import tokenize


def corpus(count=200, seed=1):
    rng = random.Random(seed)
    words = [f"w{n}" for n in range(80)]
    weights = [1 / (n + 1) for n in range(80)]
    return [" ".join(rng.choices(words, weights, k=rng.randint(3, 40))) for _ in range(count)]


def test_scores_are_those_of_the_page_index_and_survive_saving(tmp_path):
    texts = corpus()
    index = build_bm25(texts, tmp_path / "bm25")
    queries = ["w3 w70 unknown", "w1 w1 w50", "w79"]
    np.testing.assert_allclose(
        np.stack([index.scores(q) for q in queries]), PageBM25(texts).scores(queries), atol=1e-5
    )
    again = CorpusBM25(tmp_path / "bm25")
    for (s1, p1), (s2, p2) in zip(index.search(queries, 7), again.search(queries, 7), strict=True):
        assert (p1 == p2).all()
        assert (s1 == s2).all()
        assert (np.diff(s1) <= 0).all()
    assert len(again) == 200
    assert again.nbytes > 0


def test_the_ranking_is_that_of_rank_bm25_up_to_its_idf():
    texts = corpus(60, seed=4)
    # Okapi's idf differs from Lucene's; with one word in a query, only the counts matter.
    okapi = BM25Okapi([tokenize(t) for t in texts], k1=1.5, b=0.75)
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        index = build_bm25(texts, f"{folder}/b")
        for word in ("w40", "w55", "w30"):
            theirs, ours = okapi.get_scores([word]), index.scores(word)
            assert ((theirs > 0) == (ours > 0)).all()
            held = ours > 0
            assert (
                np.argsort(theirs[held], kind="stable") == np.argsort(ours[held], kind="stable")
            ).all()


def test_words_that_say_nothing_count_only_alone(tmp_path):
    index = build_bm25(["tell me of it", "john smith", "smith of tell"], tmp_path / "b")
    (_, found), (_, alone), (_, none) = index.search(["Tell me of Smith", "tell me", "zzz"], 5)
    assert found.tolist() == [1, 2]
    assert alone.tolist() == [0, 2]
    assert none.tolist() == []


def test_ties_keep_the_order_of_the_corpus(tmp_path):
    index = build_bm25(["b"] + ["a x"] * 50, tmp_path / "b")
    assert index.search(["a"], 5)[0][1].tolist() == [1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="at least 1, not 0"):
        index.search(["a"], 0)


def test_damage_is_one_clear_line(tmp_path):
    build_bm25(["a b", "c"], tmp_path / "b")
    data = tmp_path / "b" / "data.npy"
    data.write_bytes(data.read_bytes()[:-6])
    with pytest.raises(IndexFolderError, match="missing, damaged or cut short"):
        CorpusBM25(tmp_path / "b")
    with pytest.raises(IndexFolderError, match="no passage contains a word"):
        build_bm25(["..."], tmp_path / "c")
    with pytest.raises(IndexFolderError, match="cannot be written"):
        build_bm25(["a"], "/proc/b")


def test_rare_and_common_words_are_ranked_alike(tmp_path):
    texts = corpus(400, seed=9)
    index = build_bm25(texts, tmp_path / "b")
    for query in ("w79", "w70 w71", "w0 w1 w2", "w0 w75", "w60 w60"):
        scores, positions = index.search([query], 9)[0]
        whole = index.scores(query)
        expected = np.lexsort((np.arange(400), -whole))[:9]
        expected = expected[whole[expected] > 0]
        np.testing.assert_array_equal(positions, expected)
        np.testing.assert_array_equal(scores, whole[expected])


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("indices", np.array([0, 0, 99], np.int32)),
        ("indices", np.array([0, 0, -7], np.int32)),
        ("indices", np.array([0, 0], np.int32)),
        ("indices", np.array([0.0, 0.0, 1.0])),
        ("data", np.array(["a", "b", "c"])),
    ],
)
def test_positions_outside_the_corpus_are_damage(tmp_path, name, array):
    build_bm25(["a b", "c"], tmp_path / "b")
    np.save(tmp_path / "b" / f"{name}.npy", array)
    with pytest.raises(IndexFolderError, match="do not fit together"):
        CorpusBM25(tmp_path / "b").search(["a b c"])


@pytest.mark.parametrize(
    "problem",
    [OSError("1000 requested and 500 written"), OSError(28, "No space left on device")],
)
def test_a_full_disk_is_called_by_its_name(tmp_path, monkeypatch, problem):
    def full(*_, **__):
        raise problem

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(IndexFolderError, match=r"cannot be written \(No space left on device\)"):
        build_bm25(["a b", "c"], tmp_path / "b")
