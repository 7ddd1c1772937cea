"""The table from blocks equals that of bm25s, bit by bit."""

from __future__ import annotations

import errno
import os
import random

import numpy as np
import pytest
from bm25_oracle import oracle
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.retrieval import _bm25 as bm25
from dfactscore.retrieval import _bm25_blocks as bm25_blocks
from dfactscore.retrieval._bm25 import build_bm25
from dfactscore.retrieval._bm25_blocks import count_words
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._tokens import tokenize
from dfactscore.work._executors import open_executor

FILES = ("data.npy", "indices.npy", "indptr.npy", "vocabulary.json")


def same(one, other):
    return {name: (one / name).read_bytes() == (other / name).read_bytes() for name in FILES} == (
        dict.fromkeys(FILES, True)
    )


def corpus(count, seed=1):
    rng = random.Random(seed)
    words = [f"w{n}" for n in range(3000)] + ["Éa", "東京都", "1,250", "O’Brien", "..."]
    weights = [1 / (n + 1) for n in range(len(words))]
    return [" ".join(rng.choices(words, weights, k=rng.randint(0, 60))) for _ in range(count)]


@pytest.fixture
def rows(monkeypatch):
    def set_rows(number):
        monkeypatch.setattr(bm25_blocks, "BLOCK_ROWS", number)
        monkeypatch.setattr(bm25, "BLOCK_ROWS", number)

    return set_rows


@pytest.mark.parametrize("block", [1, 7, 100, 100_000])
def test_blocks_of_any_size_give_the_table_of_bm25s(tmp_path, rows, block):
    rows(block)
    texts = corpus(400)
    index = build_bm25(iter(texts), tmp_path / "ours", k1=1.2, b=0.6)
    assert same(tmp_path / "ours", oracle(texts, tmp_path / "theirs", 1.2, 0.6))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ours", "theirs"]
    assert len(index) == 400


WORDS = ["a", "b", "c", "d", "Ä", "x1", "漢字仮", "1,000", "-", "\ud800", "o'k"]


@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), min_size=1, max_size=12),
    st.integers(1, 5),
    st.sampled_from([(1.5, 0.75), (0.9, 0.4), (0.0, 1.0), (2.0, 0.0)]),
)
def test_any_corpus(tmp_path_factory, texts, block, parameters):
    folder = tmp_path_factory.mktemp("any")
    k1, b = parameters
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bm25, "BLOCK_ROWS", block)
        if not any(map(tokenize, texts)):
            with pytest.raises(IndexFolderError, match="no passage contains a word"):
                build_bm25(texts, folder / "ours", k1=k1, b=b)
            assert not (folder / "ours.blocks").exists()
            return
        build_bm25(texts, folder / "ours", k1=k1, b=b)
    assert same(folder / "ours", oracle(texts, folder / "theirs", k1, b))


def test_counts_of_a_block():
    found = count_words(["b a b", "", "a c"])
    assert found.words.split("\n") == ["b", "a", "c"]
    assert found.frequencies.tolist() == [1, 2, 1]
    assert found.passages.tolist() == [0, 0, 2, 2]
    assert found.counts.tolist() == [2, 1, 1, 1]
    assert found.lengths.tolist() == [3, 0, 2]
    assert count_words([""]).words == ""
    many = count_words([" ".join(["a"] * 70_000)])
    assert many.counts.tolist() == [70_000]


def test_several_workers_give_the_same_bytes(tmp_path, rows):
    rows(50)
    texts = corpus(400, seed=3)
    with open_executor(2) as executor:
        build_bm25(texts, tmp_path / "two", executor=executor)
    assert same(tmp_path / "two", oracle(texts, tmp_path / "theirs"))


class Stopped(Exception):
    pass


def stopping(texts, at):
    for number, text in enumerate(texts):
        if number == at:
            raise Stopped
        yield text


def test_blocks_that_are_done_are_kept(tmp_path, rows, monkeypatch):
    rows(50)
    texts, counted = corpus(400, seed=4), []

    def counting(block):
        counted.append(len(block))
        return count_words(block)

    monkeypatch.setattr(bm25, "count_words", counting)
    with pytest.raises(Stopped):
        build_bm25(stopping(texts, 230), tmp_path / "b", corpus="hash")
    assert counted == [50] * 4
    build_bm25(texts, tmp_path / "b", corpus="hash")
    assert counted == [50] * 8
    assert same(tmp_path / "b", oracle(texts, tmp_path / "theirs"))


def test_blocks_of_another_corpus_or_damaged_ones_are_not_used(tmp_path, rows):
    rows(50)
    texts, other = corpus(200, seed=5), corpus(200, seed=6)
    with pytest.raises(Stopped):
        build_bm25(stopping(other, 150), tmp_path / "b", corpus="other")
    build_bm25(texts, tmp_path / "b", corpus="hash")
    theirs = oracle(texts, tmp_path / "theirs")
    assert same(tmp_path / "b", theirs)
    with pytest.raises(Stopped):
        build_bm25(stopping(texts, 150), tmp_path / "b", corpus="hash")
    second = tmp_path / "b.blocks" / "block-00001.npz"
    second.write_bytes(second.read_bytes()[:-40])
    build_bm25(texts, tmp_path / "b", corpus="hash")
    assert same(tmp_path / "b", theirs)
    with pytest.raises(Stopped):
        build_bm25(stopping(other, 150), tmp_path / "b")  # without a hash, no block is used again
    build_bm25(texts, tmp_path / "b")
    assert same(tmp_path / "b", theirs)


def test_types_are_those_of_a_search(tmp_path):
    build_bm25(["a b", "b"], tmp_path / "b")
    arrays = [np.load(tmp_path / "b" / f"{name}.npy") for name in ("data", "indices", "indptr")]
    assert [str(array.dtype) for array in arrays] == ["float32", "int32", "int64"]


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no place is taken beforehand")
def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    def answer(number):
        def take(*_):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "posix_fallocate", take)

    answer(errno.ENOSPC)
    with pytest.raises(IndexFolderError, match=r"b: cannot be written \(No space left"):
        build_bm25(["a b", "b"], tmp_path / "b")
    answer(errno.EOPNOTSUPP)  # writing works on a file system that cannot reserve space
    assert len(build_bm25(["a b", "b"], tmp_path / "b")) == 2
