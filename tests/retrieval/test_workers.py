"""Several workers write the same bytes as one: encoding, FAISS, BM25, also if killed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hash_encoder import HashEncoder

from dfactscore._errors import InputError
from dfactscore.retrieval import BuildOptions, Passage, add_to_index, build_index
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.work._executors import SERIAL, open_executor

HELPERS = str(Path(__file__).resolve().parents[1] / "helpers")
OPTIONS = BuildOptions(
    kind="hybrid", factory="IVF8,PQ4x4fs", shard_rows=1100, source_hash="s", vectors="float16"
)


def passages(first, count):
    rng = random.Random(first)
    words = [f"w{n}" for n in range(400)]
    for number in range(first, first + count):
        text = " ".join(rng.choices(words, k=rng.randint(1, 12)))
        yield Passage(f"Page {number // 3}", text, str(number))


def digests(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture(scope="module")
def two():
    with open_executor(2) as executor:
        yield executor


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    """The index of one process: built, then extended."""
    folder = tmp_path_factory.mktemp("serial") / "index"
    build_index(passages(0, 3500), folder, OPTIONS, encoder=HashEncoder())
    built = digests(folder)
    add_to_index(passages(3500, 900), folder, encoder=HashEncoder(), source_hash="more")
    return built, digests(folder)


def test_two_workers_write_the_same_bytes(serial, two, tmp_path):
    folder, steps = tmp_path / "index", []
    build_index(
        passages(0, 3500),
        folder,
        OPTIONS,
        encoder=HashEncoder(),
        executor=two,
        progress=lambda step, done: steps.append((step, done)),
    )
    assert digests(folder) == serial[0]
    assert len([name for name in serial[0] if name.startswith("dense/dense-")]) == 4
    assert [done for step, done in steps if step == "encode"] == [1024, 2048, 3072, 3500]
    assert [done for step, done in steps if step == "add"] == [1100, 2200, 3300, 3500]
    add_to_index(
        passages(3500, 900), folder, encoder=HashEncoder(), executor=two, source_hash="more"
    )
    assert digests(folder) == serial[1]


class Own:
    """An encoder whose class other processes cannot import."""

    dimension = 2

    def __init__(self):
        self.held = lambda: None

    @property
    def settings(self):
        return {"kind": "own"}

    def encode(self, texts):
        raise AssertionError


def test_an_encoder_that_cannot_be_sent_is_named(two, tmp_path):
    options = BuildOptions(kind="dense")
    with pytest.raises(InputError, match=r"Own\.encode cannot be sent to another process"):
        build_index(passages(0, 5), tmp_path / "i", options, encoder=Own(), executor=two)


def test_another_batch_size_is_another_build(tmp_path, monkeypatch):
    def encoder(size):
        made = HashEncoder()
        made.batch_size = size
        return made

    def stop(*_, **__):
        raise KeyboardInterrupt

    options = BuildOptions(kind="dense", source_hash="s")
    with monkeypatch.context() as patch:
        patch.setattr("dfactscore.retrieval._choice.build_dense", stop)
        with pytest.raises(KeyboardInterrupt):
            build_index(passages(0, 50), tmp_path / "i", options, encoder=encoder(32))
    with pytest.raises(IndexFolderError, match="was started with batch_size 32, not 16"):
        build_index(passages(0, 50), tmp_path / "i", options, encoder=encoder(16))
    done = build_index(passages(0, 50), tmp_path / "i", options, encoder=encoder(32))
    assert done.build["batch_size"] == 32
    assert build_index(passages(0, 50), tmp_path / "i", options, encoder=encoder(32)) == done
    with pytest.raises(IndexFolderError, match="contains a finished index"):
        build_index(passages(0, 50), tmp_path / "i", options, encoder=encoder(16))


def test_a_build_of_an_older_version_is_known(tmp_path):
    import json

    options = BuildOptions(kind="bm25", source_hash="s")
    build_index(passages(0, 50), tmp_path / "i", options)
    path = tmp_path / "i" / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["build"]["batch_size"]
    path.write_text(json.dumps(manifest))
    assert build_index(passages(0, 50), tmp_path / "i", options).passages == 50


KILLS = int(os.environ.get("WORKER_KILLS", "3"))
WRITER = """
import sys
sys.path[:0] = [{helpers!r}, {here!r}]
import test_workers as t
from dfactscore.work._executors import open_executor
with open_executor({workers}) as executor:
    t.build_index(t.passages(0, 3500), {folder!r}, t.OPTIONS, encoder=t.HashEncoder(),
                  executor=executor)
"""


def started(folder, workers):
    here = str(Path(__file__).parent)
    script = WRITER.format(helpers=HELPERS, here=here, workers=workers, folder=str(folder))
    return subprocess.Popen([sys.executable, "-c", script])


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["writer", "worker"])
def test_kills_change_no_byte_and_leave_no_process_behind(serial, tmp_path, victim):
    """SIGKILL at random moments; the next attempt has another number of workers."""
    rng, folder, kills, attempts = random.Random(victim), tmp_path / "index", 0, 0
    begin = time.monotonic()
    assert started(folder, 2).wait(120) == 0
    whole = time.monotonic() - begin
    shutil.rmtree(folder)
    while kills < KILLS and attempts < 10 * KILLS:
        attempts += 1
        parent = started(folder, 1 if victim == "writer" and attempts % 3 == 0 else 2)
        deadline, workers = time.monotonic() + rng.uniform(0.2, 1) * whole, set()
        while parent.poll() is None and time.monotonic() < deadline:
            workers |= children(parent.pid)
            time.sleep(0.01)
        if victim == "writer":
            parent.kill()
        elif living := sorted(children(parent.pid)):
            kills += 1
            with contextlib.suppress(ProcessLookupError):
                os.kill(rng.choice(living), signal.SIGKILL)
        status = parent.wait(120)
        kills += status == -signal.SIGKILL
        ended(workers)
        if status == 0:
            assert digests(folder) == serial[0]
            shutil.rmtree(folder)
        else:
            assert victim == "writer"
    assert kills == KILLS
    build_index(passages(0, 3500), folder, OPTIONS, encoder=HashEncoder(), executor=SERIAL)
    assert digests(folder) == serial[0]


def children(pid):
    """The running child processes of a process."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(after[1]) == pid and after[0] != "Z":
            found.add(int(path.parent.name))
    return found


def ended(pids):
    for _ in range(400):
        if not any(alive(pid) for pid in pids):
            return
        time.sleep(0.05)
    raise AssertionError(f"left behind: {sorted(filter(alive, pids))}")


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
