from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from dfactscore.retrieval import _passage_file as passages_module
from dfactscore.retrieval._build import BuildOptions, add_to_index, build_index, verify_index
from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval._errors import EncoderError, IndexFolderError, RetrievalError
from dfactscore.retrieval._index_manifest import read_manifest
from dfactscore.retrieval._passage_file import PassageStore, append_passages
from dfactscore.retrieval._retriever import Retriever

OPTIONS = BuildOptions(kind="hybrid", source="test", snapshot="2018-12-20")


def passages(count=300):
    rng = random.Random(8)
    for n in range(count):
        words = " ".join(f"w{rng.randrange(90)}" for _ in range(20))
        yield Passage(f"Person {n // 3} (kind)", words, id=f"p{n}")


def content(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


_BUILD = """
import sys, time
sys.path.insert(0, sys.argv[2])
from hash_encoder import HashEncoder
from dfactscore.retrieval._build import BuildOptions, build_index
from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval import _embeddings as embeddings
embeddings.write_embeddings.__kwdefaults__["chunk_rows"] = 64
pause = float(sys.argv[3])
class Slow(HashEncoder):
    def encode(self, texts):
        time.sleep(pause)
        return super().encode(texts)
def passages():
    for n in range(400):
        if n % 100 == 0: time.sleep(pause)
        yield Passage(f"T{n // 4}", f"a{n % 7} b{n % 50} c{n % 11}", id=str(n))
options = BuildOptions(kind="hybrid", factory="IVF8,RaBitQ")
build_index(passages(), sys.argv[1], options, encoder=Slow(16))
"""


@pytest.mark.slow
def test_killed_at_random_moments_the_index_ends_with_the_same_bytes(tmp_path):
    here = str(__import__("pathlib").Path(__file__).parents[1] / "helpers")
    run = [sys.executable, "-c", _BUILD]
    subprocess.run([*run, str(tmp_path / "whole"), here, "0"], check=True)
    folder, rng, kills = tmp_path / "killed", random.Random(3), 0
    while not (folder / "manifest.json").exists() and kills < 4:
        child = subprocess.Popen([*run, str(folder), here, "0.15"])
        begun = time.monotonic()
        while not (folder / "passages.sqlite").exists() and child.poll() is None:
            time.sleep(0.005)
            assert time.monotonic() - begun < 60
        time.sleep(rng.uniform(0.1, 1.2))
        child.send_signal(signal.SIGKILL)
        child.wait()
        kills += 1
    if not (folder / "manifest.json").exists():
        subprocess.run([*run, str(folder), here, "0"], check=True)
    assert kills > 1
    whole, killed = content(tmp_path / "whole"), content(folder)
    # Leftovers of an interruption are overwritten or stay; they are never read.
    assert {name: killed[name] for name in whole} == whole
    verify_index(folder)


def test_an_index_describes_itself_and_cannot_be_mixed(tmp_path, hash_encoder, make_encoder):
    manifest = build_index(passages(), tmp_path / "i", OPTIONS, encoder=hash_encoder)
    assert read_manifest(tmp_path / "i") == manifest == verify_index(tmp_path / "i")
    assert (manifest.passages, manifest.factory, manifest.snapshot) == (300, "Flat", "2018-12-20")
    assert manifest.encoder == hash_encoder.settings
    with pytest.raises(IndexFolderError, match="contains a finished index; use 'index add'"):
        build_index(passages(), tmp_path / "i", OPTIONS, encoder=hash_encoder)
    with pytest.raises(EncoderError, match=r"built with 'hash-0', 'hash-1' gives other vectors"):
        Retriever(tmp_path / "i", encoder=make_encoder(seed=1))
    with pytest.raises(EncoderError, match=r"\(32 dimensions\), 'hash-0' gives 16"):
        Retriever(tmp_path / "i", encoder=make_encoder(16))
    with pytest.raises(EncoderError, match="kind 'hash', which cannot be loaded by name"):
        Retriever(tmp_path / "i").search(["x"], method="dense")


def test_what_is_no_encoder_is_told_first(tmp_path):
    with pytest.raises(EncoderError, match=r"encoder: <lambda> is a function; expected an Encoder"):
        build_index(passages(), tmp_path / "i", OPTIONS, encoder=lambda texts: np.zeros((1, 2)))
    wrong = type("Mine", (), {"dimension": 2, "settings": {}, "embed": None})()
    with pytest.raises(EncoderError, match=r"Mine has no encode\(texts\).*every Encoder needs"):
        build_index(passages(), tmp_path / "i", OPTIONS, encoder=wrong)
    assert not (tmp_path / "i").exists()


def test_other_settings_do_not_resume_a_build(tmp_path, hash_encoder):
    def failing():
        yield from passages(50)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(failing(), tmp_path / "i", OPTIONS, encoder=hash_encoder)
    with pytest.raises(IndexFolderError, match="unfinished; run the build again"):
        Retriever(tmp_path / "i")
    with pytest.raises(IndexFolderError, match="was started with kind 'hybrid', not 'bm25'"):
        build_index(passages(), tmp_path / "i", replace(OPTIONS, kind="bm25"))
    build_index(passages(), tmp_path / "i", OPTIONS, encoder=hash_encoder)
    verify_index(tmp_path / "i")


def test_adding_equals_building_at_once(tmp_path, make_encoder):
    encoder, everything = make_encoder(), list(passages())
    build_index(everything, tmp_path / "once", OPTIONS, encoder=encoder)
    build_index(everything[:200], tmp_path / "i", OPTIONS, encoder=encoder)
    with pytest.raises(EncoderError, match="gives other vectors"):
        add_to_index(everything[200:], tmp_path / "i", encoder=make_encoder(seed=2))

    def failing():
        yield everything[200]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add_to_index(failing(), tmp_path / "i", encoder=encoder)
    with pytest.raises(IndexFolderError, match="unfinished"):
        Retriever(tmp_path / "i")
    manifest = add_to_index(everything[200:], tmp_path / "i", encoder=encoder)
    assert manifest.corpus_hash == read_manifest(tmp_path / "once").corpus_hash
    one, two = (Retriever(tmp_path / f, encoder=encoder) for f in ("i", "once"))
    for method in ("dense", "bm25", "hybrid"):
        assert one.search(["w3 w4", "w88"], method=method) == two.search(
            ["w3 w4", "w88"], method=method
        )
    with pytest.raises(IndexFolderError, match=r"id 'p5' is repeated: in 'Person 1 \(kind\)'"):
        add_to_index([Passage("New", "x", id="p5")], tmp_path / "i", encoder=encoder)


def test_a_corpus_changed_underneath_is_refused(tmp_path):
    build_index(passages(), tmp_path / "i", BuildOptions())
    db = sqlite3.connect(tmp_path / "i" / "passages.sqlite")
    db.execute("UPDATE passages SET text = 'forged' WHERE id = 'p7'")
    db.commit()
    db.close()
    with pytest.raises(IndexFolderError, match="the passages were changed after the index"):
        Retriever(tmp_path / "i")
    db = sqlite3.connect(tmp_path / "i" / "passages.sqlite")
    db.execute("UPDATE meta SET value = '299' WHERE key = 'count'")
    db.commit()
    db.close()
    with pytest.raises(IndexFolderError, match="contains 299 passages, the index was made of 300"):
        Retriever(tmp_path / "i")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([Passage("T", "x")], r"passage 1 \('T'\) has no id"),
        ([Passage("T", " ", "1")], r"passage 1 \('T'\) has no text"),
        ([Passage("T", "x", "1"), Passage("U", "y", "1")], "'1' is repeated: in 'T' and in 'U'"),
        ([], "the source contains no passages"),
        ([Passage("T", "\ud800", "1")], "surrogates"),
    ],
)
def test_bad_passages_are_one_clear_line(tmp_path, bad, message):
    with pytest.raises(RetrievalError, match=message) as error:
        build_index(bad, tmp_path / "i")
    assert "\n" not in str(error.value)


def test_bad_folders_are_one_clear_line(tmp_path, hash_encoder):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("x")
    for folder, message in {
        tmp_path / "full": "is not empty (notes.txt) and no index was started in it",
        "/proc/index": "cannot be written",
    }.items():
        with pytest.raises(IndexFolderError) as error:
            build_index(passages(), folder)
        assert message in str(error.value)
    with pytest.raises(IndexFolderError, match="'dense' needs an encoder"):
        build_index(passages(), tmp_path / "i", BuildOptions(kind="dense"))
    with pytest.raises(IndexFolderError, match="no such index; build one: dfactscore index build"):
        Retriever(tmp_path / "none")
    with pytest.raises(IndexFolderError, match="not an index folder"):
        Retriever(tmp_path / "full")
    build_index(passages(), tmp_path / "i")
    path = tmp_path / "i" / "manifest.json"
    record = json.loads(path.read_text())
    for change, message in (
        ({"format": 99}, "another version"),
        ({"extra": 1}, "damaged"),
    ):
        path.write_text(json.dumps(record | change))
        with pytest.raises(IndexFolderError, match=message):
            Retriever(tmp_path / "i")
    path.write_text("[]")
    with pytest.raises(IndexFolderError, match="expected a JSON object"):
        Retriever(tmp_path / "i")
    path.write_text("{")
    with pytest.raises(IndexFolderError, match=r"manifest\.json:1: not valid JSON"):
        Retriever(tmp_path / "i")


def test_passages_by_position_id_and_title(tmp_path):
    everything = list(passages())
    count, digest = append_passages(everything, tmp_path / "p.sqlite")
    store = PassageStore(tmp_path / "p.sqlite")
    assert (len(store), store.hash) == (count, digest)
    assert store.recomputed_hash() == digest
    wanted = [299, 0, 5, 5, *range(10, 290)]
    assert store.get(wanted) == [everything[n] for n in wanted]
    assert store.range(3, 6) == everything[3:6]
    assert list(store) == everything
    assert store.by_title("person 7_(kind)") == [21, 22, 23]
    assert store.by_title("Person 7") == []

    with pytest.raises(IndexFolderError, match=r"started from other passages \(number 300 was"):
        append_passages(everything[:10], tmp_path / "p.sqlite")
    with pytest.raises(IndexFolderError, match="contains 300 passages, not the 400 expected"):
        append_passages([], tmp_path / "p.sqlite", after=400)
    (tmp_path / "junk.sqlite").write_bytes(b"junk" * 500)
    with pytest.raises(IndexFolderError, match="cannot be read"):
        PassageStore(tmp_path / "junk.sqlite")
    with pytest.raises(IndexFolderError, match="no such file"):
        PassageStore(tmp_path / "none.sqlite")


def test_a_full_disk_is_called_by_its_name(tmp_path, monkeypatch):
    """SQLite ends the transaction itself; the message is not about a missing transaction."""
    opened = passages_module._open

    def small(path):
        db = opened(path)
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0] + 3}")
        return db

    monkeypatch.setattr(passages_module, "_open", small)
    with pytest.raises(IndexFolderError, match=r"cannot be written \(database or disk is full\)"):
        append_passages(passages(3000), tmp_path / "p.sqlite")


def test_embeddings_made_elsewhere(tmp_path, make_encoder):
    from dfactscore.retrieval._documents import passage_text

    encoder, everything = make_encoder(), list(passages(60))
    rows = encoder.encode([passage_text(p) for p in everything])
    order = np.random.default_rng(0).permutation(60)
    table, ids = tmp_path / "e.npy", tmp_path / "ids.txt"
    np.save(table, (rows[order] * 3).astype(np.float16))
    ids.write_text("".join(f"{everything[n].id}\n" for n in order))
    options = BuildOptions(kind="dense")
    build_index(everything, tmp_path / "i", options, encoder=encoder, precomputed=(table, ids))
    build_index(everything, tmp_path / "j", options, encoder=encoder)
    one, two = (Retriever(tmp_path / f, encoder=encoder) for f in "ij")
    queries = [passage_text(p) for p in everything]
    for a, b in zip(one.search(queries), two.search(queries), strict=True):
        assert [h.position for h in a] == [h.position for h in b]
        assert [h.score for h in a] == pytest.approx([h.score for h in b], abs=2e-3)

    def refuse(message, **files):
        given = {"table": table, "ids": ids, "encoder": encoder, **files}
        folder = tmp_path / f"r{len(list(tmp_path.iterdir()))}"
        with pytest.raises(RetrievalError, match=message) as error:
            build_index(
                everything, folder, options, encoder=given["encoder"],
                precomputed=(given["table"], given["ids"]),
            )  # fmt: skip
        assert "\n" not in str(error.value)

    def written(name, value):
        path = tmp_path / name
        path.write_text(value) if isinstance(value, str) else np.save(path, value)
        return path

    refuse("gives other vectors for the same passages", encoder=make_encoder(seed=5))
    refuse("32 dimensions, the encoder gives 16", encoder=make_encoder(16))
    (tmp_path / "e.pkl").write_bytes(b"\x80\x04N.")
    refuse("a pickle runs code when it is opened.*convert it", table=tmp_path / "e.pkl")
    np.save(tmp_path / "o.npy", np.array([{}, {}], dtype=object), allow_pickle=True)
    refuse("a pickle runs code", table=tmp_path / "o.npy")
    (tmp_path / "cut.npy").write_bytes(table.read_bytes()[:500])
    refuse("cannot be read, or cut short", table=tmp_path / "cut.npy")
    refuse("not a .npy file", table=ids)
    refuse("no such file", table=tmp_path / "none.npy")
    refuse("expected a table of floats", table=written("flat.npy", np.zeros(5)))
    broken = rows[order].copy()
    broken[4, 4] = np.inf
    refuse("NaN or infinity", table=written("inf.npy", broken))
    broken[4] = 0
    refuse("row 4 is all zeros", table=written("zero.npy", broken))
    lines = ids.read_text().split("\n")
    refuse("59 ids for 60 embeddings", ids=written("short.txt", "\n".join(lines[1:])))
    refuse("the id is empty", ids=written("empty.txt", "\n".join(["", *lines[1:]])))
    refuse("came before, in line 1", ids=written("twice.txt", "\n".join([lines[1], *lines[1:]])))
    refuse("no embedding for passage", ids=written("other.txt", "\n".join(["zz", *lines[1:]])))
    refuse("no such file", ids=tmp_path / "none.txt")


def test_a_missing_source_begins_no_folder(tmp_path):
    from dfactscore.retrieval import read_passages
    from dfactscore.retrieval._errors import SourceError

    with pytest.raises(SourceError, match="no such file"):
        build_index(read_passages(tmp_path / "none.jsonl"), tmp_path / "index")
    assert not (tmp_path / "index").exists()


def test_one_build_at_a_time(tmp_path):
    def slow(first, build):
        for number in range(first, first + 3):
            if number == first + 1:
                with pytest.raises(IndexFolderError, match=r"another process is writing it$"):
                    build([Passage("X", "x", "x")], tmp_path / "i")
            yield Passage(f"T{number}", "some text", str(number))

    assert build_index(slow(0, build_index), tmp_path / "i").passages == 3
    assert add_to_index(slow(3, add_to_index), tmp_path / "i").passages == 6
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.md").write_text("")
    with pytest.raises(IndexFolderError, match="is not empty"):
        build_index([Passage("X", "x", "x")], tmp_path / "mine")
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["notes.md"]
