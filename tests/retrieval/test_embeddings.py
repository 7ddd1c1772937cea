from __future__ import annotations

import os

import numpy as np
import pytest

from dfactscore.retrieval._embeddings import Embeddings, write_embeddings
from dfactscore.retrieval._encoders import check_vectors
from dfactscore.retrieval._errors import EncoderError, IndexFolderError

TEXTS = [f"word{n % 17} other{n % 5} number {n}" for n in range(250)]


def write(folder, encoder, count=250, **options):
    options = {"shard_rows": 100, "chunk_rows": 16, **options}
    return write_embeddings(folder, encoder, lambda a, b: TEXTS[a:b], count, **options)


def content(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_shards_hold_what_the_encoder_gave(tmp_path, hash_encoder):
    vectors = write(tmp_path / "e", hash_encoder)
    whole = hash_encoder.encode(TEXTS)
    assert [s.shape for s in vectors.shards] == [(100, 32), (100, 32), (50, 32)]
    assert isinstance(vectors.shards[0], np.memmap)
    wanted = np.array([249, 0, 100, 99, 100])
    np.testing.assert_array_equal(vectors.take(wanted), whole[wanted])
    starts = []
    for start, block in vectors.blocks(64):
        starts.append(start)
        np.testing.assert_array_equal(block, whole[start : start + len(block)])
    assert starts == [0, 64, 100, 164, 200]
    assert (len(vectors), vectors.nbytes) == (250, 250 * 32 * 4)
    # Any program that reads .npy can read a shard.
    assert np.load(tmp_path / "e" / "shard-00002.npy").shape == (50, 32)


@pytest.mark.parametrize("stop", [1, 3, 7, 15])
def test_stopped_anywhere_it_ends_with_the_same_bytes(tmp_path, make_encoder, stop):
    write(tmp_path / "whole", make_encoder())

    class Failing(make_encoder):
        def encode(self, texts):
            if self.calls == stop:
                raise KeyboardInterrupt
            return super().encode(texts)

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "e", Failing())
    with pytest.raises(IndexFolderError, match=r"rows are done; run the build again|no such file"):
        Embeddings(tmp_path / "e")
    # The state after an interruption between writing rows and recording them.
    last = sorted((tmp_path / "e").glob("*.npy"))[-1]
    with last.open("ab") as file:
        file.write(b"half a row")
    encoder = make_encoder()
    write(tmp_path / "e", encoder)
    assert encoder.calls == 16 - stop
    assert content(tmp_path / "e") == content(tmp_path / "whole")


def test_a_corpus_that_grew_is_continued(tmp_path, make_encoder):
    write(tmp_path / "a", make_encoder())
    encoder = make_encoder()
    write(tmp_path / "b", encoder, 130)
    write(tmp_path / "b", encoder, 250)
    np.testing.assert_array_equal(
        Embeddings(tmp_path / "a").take(np.arange(250)),
        Embeddings(tmp_path / "b").take(np.arange(250)),
    )
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_half_precision_halves_the_disk(tmp_path, hash_encoder):
    vectors = write(tmp_path / "e", hash_encoder, dtype="float16")
    assert vectors.nbytes == 250 * 32 * 2
    np.testing.assert_allclose(vectors.take(np.arange(250)), hash_encoder.encode(TEXTS), atol=1e-3)


def test_what_would_spoil_a_corpus_is_refused(tmp_path, make_encoder):
    class Broken(make_encoder):
        def encode(self, texts):
            rows = super().encode(texts)
            rows[3, 5] = np.nan
            return rows

    with pytest.raises(
        EncoderError, match=r"passages 0-15: row 3 contains NaN or infinity \(1 such"
    ):
        write(tmp_path / "n", Broken())

    class Short(make_encoder):
        def encode(self, texts):
            return super().encode(texts)[1:]

    with pytest.raises(EncoderError, match="gave 15 rows for 16 texts"):
        write(tmp_path / "s", Short())

    class Mixed(make_encoder):
        def encode(self, texts):
            rows = super().encode(texts)
            return rows if self.calls < 3 else rows[:, :-1]

    with pytest.raises(EncoderError, match="31 dimensions where 32 are expected"):
        write(tmp_path / "m", Mixed())
    with pytest.raises(EncoderError, match=r"was started with .*hash-0.* not .*hash-1"):
        write(tmp_path / "m", make_encoder(seed=1))
    with pytest.raises(IndexFolderError, match="cannot be written"):
        write("/proc/embeddings", make_encoder())
    with pytest.raises(EncoderError, match=r"expected a table of floats .* got shape \(3,\)"):
        check_vectors(np.zeros(3), 0, "x")
    with pytest.raises(EncoderError, match="of int64"):
        check_vectors(np.zeros((3, 2), dtype=int), 0, "x")


def test_a_shard_cut_short_or_missing_is_noticed(tmp_path, hash_encoder):
    write(tmp_path / "e", hash_encoder)
    shard = tmp_path / "e" / "shard-00001.npy"
    os.truncate(shard, 5000)
    with pytest.raises(IndexFolderError, match=r"shard-00001\.npy: missing, damaged or cut short"):
        Embeddings(tmp_path / "e")
    shard.unlink()
    with pytest.raises(IndexFolderError, match="missing, damaged or cut short"):
        Embeddings(tmp_path / "e")
    np.save(shard, np.zeros((99, 32), dtype=np.float32))
    with pytest.raises(IndexFolderError, match=r"shape \(99, 32\) where \(100, 32\)"):
        Embeddings(tmp_path / "e")
