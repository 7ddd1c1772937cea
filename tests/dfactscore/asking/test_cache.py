from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from dfactscore._asking import cache as cache_file
from dfactscore._asking.cache import AnswerCache, default_cache_path
from dfactscore._asking.messages import Answer, CacheError

ABOUT = {"endpoint": "http://x/v1", "stage": "verify", "version": "verify@1:0", "sample": 0}


def fill(cache: AnswerCache, keys: list[bytes], text: str = "yes", model: str = "m") -> None:
    async def run() -> None:
        await asyncio.gather(
            *(
                cache.put(key, Answer(text, prompt_tokens=3), {"model": model, "é": [1]}, **ABOUT)
                for key in keys
            )
        )

    asyncio.run(run())


def test_what_is_put_is_there_at_once_and_later(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "sub" / "a.sqlite")
    fill(cache, [b"1", b"2"])
    assert cache.get(b"1") == Answer("yes", prompt_tokens=3)
    assert cache.get(b"3") is None
    cache.close()
    assert AnswerCache(tmp_path / "sub" / "a.sqlite").get(b"2") is not None


def test_the_first_answer_stays(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    fill(cache, [b"1"], "first")
    fill(cache, [b"1"], "second")
    found = cache.get(b"1")
    assert found is not None
    assert found.text == "first"


def _work(path: Path, start: int) -> None:
    cache = AnswerCache(path)
    fill(cache, [str(start + i).encode() for i in range(200)])
    cache.close()


def test_many_processes_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_work, args=(path, n * 150)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    assert AnswerCache(path).stats().answers == 650


def test_stats_records_and_clear(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    fill(cache, [b"1", b"2"])
    fill(cache, [b"3"], model="other")
    cache.set_note("probe:1", "x")
    stats = cache.stats()
    assert stats.answers == 3
    assert stats.size > 0
    assert stats.by_model[0] == ("http://x/v1", "m", "verify", 2)
    records = list(cache.records())
    assert records[0]["request"] == {"model": "m", "é": [1]}
    assert records[0]["answer"] == "yes"
    assert json.dumps(records)
    assert cache.clear(model="m") == 2
    assert cache.note("probe:1") == "x"
    assert cache.clear() == 1
    assert cache.note("probe:1") is None


def test_notes_are_replaced_and_removed(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    cache.set_note("k", "1")
    cache.set_note("k", "2")
    assert cache.note("k") == "2"
    cache.set_note("k", None)
    assert cache.note("k") is None


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_text("not a database at all, but long enough to be looked at " * 40)
    with pytest.raises(CacheError, match=r"a\.sqlite: cannot be used .*--cache"):
        AnswerCache(path)


def test_a_full_disk_is_told_to_whoever_waits(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    fill(cache, [b"0"])
    cache._read.execute("DROP TABLE answers")
    with pytest.raises(CacheError, match="cannot be stored"):
        fill(cache, [b"1"])
    with pytest.raises(CacheError):
        cache.get(b"0")


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DFACTSCORE_CACHE", str(tmp_path / "mine"))
    assert default_cache_path() == tmp_path / "mine"
    monkeypatch.delenv("DFACTSCORE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_path() == tmp_path / "dfactscore" / "llm.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_cache_path().parts[-3:] == (".cache", "dfactscore", "llm.sqlite")


def test_a_cache_of_another_make_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as old:
        old.execute("CREATE TABLE answers (key BLOB PRIMARY KEY, answer TEXT)")
    with pytest.raises(CacheError, match="its answers have no created, endpoint"):
        AnswerCache(path)


def test_a_damaged_file_is_named_whatever_is_asked_of_it(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with sqlite3.connect(path) as made:
        AnswerCache(path).close()
        made.executemany(
            "INSERT INTO notes VALUES (?, ?)", [(str(i), "x" * 500) for i in range(99)]
        )
        for i in range(99):
            values = (str(i).encode(), 1, "e", "m", "s", "v", 0, b"x" * 500, "y")
            made.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        made.commit()
        made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    made.close()
    data = path.read_bytes()
    path.write_bytes(data[:16384] + b"\xff" * (len(data) - 16384))
    cache = AnswerCache(path)
    for use in (
        cache.stats,
        cache.clear,
        lambda: list(cache.records()),
        lambda: [cache.get(str(i).encode()) for i in range(99)],
        lambda: [cache.note(str(i)) for i in range(99)],
    ):
        with pytest.raises(CacheError, match=r"c.sqlite: .*--cache"):
            use()


def test_a_damaged_answer_is_asked_anew(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    cache = AnswerCache(path)

    async def put() -> None:
        await cache.put(b"k", Answer("x"), {"model": "m"}, endpoint="e", stage="s", version="v",
                        sample=0)  # fmt: skip

    asyncio.run(put())
    with sqlite3.connect(path) as other:
        other.execute("UPDATE answers SET answer = '[1,2'")
    other.close()
    assert list(cache.records()) == []
    assert cache.get(b"k") is None
    asyncio.run(put())
    assert cache.get(b"k") == Answer("x")


def test_what_cannot_be_written_does_not_hang(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")

    async def put() -> None:
        await asyncio.wait_for(
            cache.put(b"k", Answer("x"), {"model": "\ud800"}, endpoint="e", stage="s", version="v",
                      sample=0), 20)  # fmt: skip

    with pytest.raises(CacheError, match="cannot be stored"):
        asyncio.run(put())


def test_a_claim_is_for_one(tmp_path: Path) -> None:
    cache, other = AnswerCache(tmp_path / "a.sqlite"), AnswerCache(tmp_path / "a.sqlite")
    assert cache.claim(b"1", 60)
    assert not other.claim(b"1", 60)
    assert other.claim(b"2", 60)
    cache.release(b"1")
    assert other.claim(b"1", 60)
    fill(other, [b"1"])  # an answer ends its claim
    assert cache.claim(b"1", 60)


def test_a_claim_ends_with_its_time_and_its_process(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    assert cache.claim(b"1", -1)
    assert cache.claim(b"1", 60)
    worker = multiprocessing.get_context("spawn").Process(target=_claim, args=(cache.path, b"2"))
    worker.start()
    worker.join()
    assert cache.claim(b"2", 60)
    with sqlite3.connect(cache.path) as db:
        db.execute("UPDATE claims SET owner = '1@elsewhere' WHERE key = ?", (b"2",))
    assert not cache.claim(b"2", 60)  # of other machines nothing is known
    with sqlite3.connect(cache.path) as db:
        db.execute("UPDATE claims SET until = 'x' WHERE key = ?", (b"2",))
    assert cache.claim(b"2", 60)


def _claim(path: Path, key: bytes) -> None:
    assert AnswerCache(path).claim(key, 600)


def test_prompts_are_private_whatever_the_umask(tmp_path: Path) -> None:
    import os

    before = os.umask(0)
    try:
        cache = AnswerCache(tmp_path / "sub" / "a.sqlite")
        fill(cache, [b"1"])
        found = {p.name: p.stat().st_mode & 0o777 for p in (tmp_path / "sub").iterdir()}
        cache.close()
    finally:
        os.umask(before)
    assert (tmp_path / "sub").stat().st_mode & 0o777 == 0o700
    assert set(found.values()) == {0o600}


OTHERS = {
    "a study": "CREATE TABLE study (id, key, schema)",
    "pages": "CREATE TABLE pages (title, text); CREATE TABLE meta (key, value)",
    "passages": "CREATE TABLE passages (position, id, title, text)",
    "FActScore's pages": "CREATE TABLE documents (title PRIMARY KEY, text)",
    "answers of a wiki": "CREATE TABLE answers (key, address, parameters, body)",
    "remarks of someone": "CREATE TABLE notes (id INTEGER, body TEXT)",
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("read_only", [False, True])
def test_another_database_is_not_taken_for_a_cache(tmp_path: Path, kind: str, read_only) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.executescript(OTHERS[kind])
    db.close()
    before = path.read_bytes()
    with pytest.raises(CacheError, match=r"other\.db: cannot be used as the answer cache.*--cache"):
        AnswerCache(path, read_only=read_only)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["other.db"]


def test_an_empty_file_and_a_cache_without_claims_are_taken(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    AnswerCache(tmp_path / "empty").close()
    with sqlite3.connect(tmp_path / "empty") as db:
        db.execute("DROP TABLE claims")
    db.close()
    assert AnswerCache(tmp_path / "empty").claim(b"1", 60)


def _owned(cache: AnswerCache, owner: str, *, until: float = 9e9) -> None:
    with sqlite3.connect(cache.path) as db:
        db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", (b"1", owner, until))


def test_a_claim_of_an_earlier_process_of_the_same_number_is_over(tmp_path: Path) -> None:
    """In a container every first process has number 1, and the machine keeps its name."""
    cache, host = AnswerCache(tmp_path / "a.sqlite"), socket.gethostname()
    _owned(cache, f"{os.getpid()} 17 {'ab' * 8}@{host}")
    assert cache.claim(b"1", 60)
    parent = os.getppid()
    _owned(cache, f"{parent} 17 {'ab' * 8}@{host}")
    assert cache.claim(b"1", 60)
    _owned(cache, f"{parent} {cache_file._start(parent)} {'ab' * 8}@{host}")
    assert not cache.claim(b"1", 60)


def test_a_claim_that_was_waited_for_long_enough_is_over(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    _owned(cache, "1 - x@elsewhere", until=9e12)
    assert not cache.claim(b"1", 60, waited=59)
    assert cache.claim(b"1", 60, waited=61)
    with sqlite3.connect(cache.path) as db:
        assert db.execute("SELECT until FROM claims").fetchone()[0] < time.time() + 61


def test_a_process_of_another_host_is_waited_for_once(tmp_path: Path, monkeypatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(cache_file.time, "monotonic", lambda: clock[0])
    cache = AnswerCache(tmp_path / "llm.sqlite")

    def claimed_elsewhere(keys: bytes, until: float) -> None:
        with closing(sqlite3.connect(cache.path)) as db, db:
            rows = [(bytes([key]), "1 - ab@elsewhere", time.time() + until) for key in keys]
            db.executemany("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", rows)

    claimed_elsewhere(b"123456", 600)
    assert not cache.claim(b"1", 60)
    clock[0] += 61
    assert cache.claim(b"1", 60)
    assert cache.claim(b"2", 60)  # made before the wait
    claimed_elsewhere(b"7", 900)  # so it is alive
    assert not cache.claim(b"3", 60)
    assert not cache.claim(b"7", 60)
    clock[0] += 61
    assert cache.claim(b"3", 60)
