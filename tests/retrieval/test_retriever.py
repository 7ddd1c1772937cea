from __future__ import annotations

import threading

import pytest

from dfactscore.retrieval._build import BuildOptions, build_index
from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._retriever import Retriever, bio_query, fuse_ranks

PASSAGES = [
    Passage("Ann Lee (painter)", "Ann Lee paints harbours in oil.", "a1"),
    Passage("Ann Lee (painter)", "She was born in Leeds in 1950.", "a2"),
    Passage("Ann Lee (rower)", "Ann Lee rowed for Canada in 1996.", "b1"),
    Passage("Bob Hill", "Bob Hill rowed with Ann Lee at Henley.", "c1"),
    Passage("Harbour", "A harbour shelters ships.", "d1"),
]


@pytest.fixture
def retriever(tmp_path, hash_encoder):
    build_index(PASSAGES, tmp_path / "i", BuildOptions(kind="hybrid"), encoder=hash_encoder)
    return Retriever(tmp_path / "i", encoder=hash_encoder)


def ids(hits):
    return [hit.passage.id for hit in hits]


def test_every_method_finds_the_namesakes(retriever):
    for method in ("dense", "bm25", "hybrid", "auto"):
        (found,) = retriever.search_names(["Ann Lee (disambiguation)"], 4, method=method)
        assert {"a1", "b1"} <= set(ids(found))
        assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)
        assert all(PASSAGES[h.position] == h.passage for h in found)
    assert ids(retriever.search(["ann_Lee (painter)"], method="title")[0]) == ["a1", "a2"]
    assert retriever.search(["Ann Lee"], method="title") == [[]]
    assert ids(retriever.search_names(["Bob Hill"], method="title")[0]) == ["c1"]


def test_a_batch_equals_single_queries(retriever):
    queries = ["rowed Canada", "harbour ships", "born 1950"]
    for method in ("dense", "bm25", "hybrid"):
        batch = retriever.search(queries, 3, method=method)
        assert batch == [retriever.search([q], 3, method=method)[0] for q in queries]
    assert retriever.search([], 3) == []


def test_hybrid_is_the_fusion_of_both(retriever):
    query = ["Ann Lee harbours"]
    dense, bm25 = (retriever.search(query, 5, method=m)[0] for m in ("dense", "bm25"))
    expected = fuse_ranks([[h.position for h in dense], [h.position for h in bm25]], 5)
    assert [(h.score, h.position) for h in retriever.search(query, 5)[0]] == expected


def test_fusion_by_hand():
    assert fuse_ranks([[4, 2], [2, 9]], 3) == [
        (pytest.approx(1 / 62 + 1 / 61), 2),
        (pytest.approx(1 / 61), 4),
        (pytest.approx(1 / 62), 9),
    ]
    assert fuse_ranks([[], []], 3) == []


def test_facts_are_searched_with_their_topic(retriever):
    hits = retriever.search_facts("Ann Lee (disambiguation)", ["She rowed for Canada."], 1)
    assert ids(hits[0]) == ["b1"]


def test_the_query_is_the_papers():
    assert bio_query("Dick Hanley (disambiguation)") == "Tell me a bio of Dick Hanley"
    assert bio_query("Dick Hanley (swimmer)") == "Tell me a bio of Dick Hanley (swimmer)"
    assert bio_query("X", "Who is {name}?") == "Who is X?"
    with pytest.raises(ValueError, match=r"has no '\{name\}' in it"):
        bio_query("X", "Who?")


def test_bad_searches_are_clear(retriever, tmp_path):
    with pytest.raises(ValueError, match="at least 1, not 0"):
        retriever.search(["x"], 0)
    with pytest.raises(ValueError, match="query 1 of 2 is empty"):
        retriever.search(["x", " "])
    with pytest.raises(ValueError, match="method 'sparse' is not one of"):
        retriever.search(["x"], method="sparse")
    build_index(PASSAGES, tmp_path / "b", BuildOptions())
    with pytest.raises(IndexFolderError, match="kind 'bm25' and has no dense vectors"):
        Retriever(tmp_path / "b").search(["x"], method="hybrid")


def test_threads_share_a_retriever(retriever):
    expected, wrong = retriever.search(["rowed Canada"], 3), []

    def work():
        for _ in range(30):
            if retriever.search(["rowed Canada"], 3) != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    retriever.close()


def test_parts_of_another_index_are_refused(tmp_path, hash_encoder):
    import shutil

    build_index(PASSAGES, tmp_path / "i", BuildOptions(kind="hybrid"), encoder=hash_encoder)
    build_index(PASSAGES[1:], tmp_path / "j", BuildOptions(kind="hybrid"), encoder=hash_encoder)
    for part, message in (
        ("bm25", "indexes 4 passages, the corpus has 5"),
        ("embeddings", "made of another corpus"),
    ):
        shutil.copytree(tmp_path / "i", tmp_path / part)
        shutil.rmtree(tmp_path / part / part)
        shutil.copytree(tmp_path / "j" / part, tmp_path / part / part)
        with pytest.raises(IndexFolderError, match=message):
            Retriever(tmp_path / part)
