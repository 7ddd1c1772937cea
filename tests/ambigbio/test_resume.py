"""Builds that run again after a kill or a full disk."""

import json
import multiprocessing
import os
import random
import resource
import signal
import sqlite3
import time
from unittest.mock import patch

import pytest

from dfactscore.ambigbio import AmbigBioError, save
from dfactscore.ambigbio._api_source import ApiSource
from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._cache import ResponseCache
from dfactscore.ambigbio._dump_source import DumpSource
from dfactscore.ambigbio._dump_store import DumpStore, delete_cache
from dfactscore.ambigbio._files import write_records
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._wiki_client import Pace, WikiClient

EN = language("en")
fork = multiprocessing.get_context("fork")


def run(api, folder, count, interval=0.0, batch=4):
    # Many small requests give many moments for a kill.
    with (
        patch("dfactscore.ambigbio._fetched_pages._BATCH", batch),
        patch("dfactscore.ambigbio._api_source._LIMIT", "5"),
    ):
        cache = ResponseCache(folder / "answers.sqlite")
        client = WikiClient(api, contact="tests@example.org", cache=cache,
                            pace=Pace(interval=interval))  # fmt: skip
        built = build(ApiSource(client, EN), language=EN, names=count, pages="full")
        write_records(folder / "pages.jsonl", built.pages)
        save(built.dataset, folder / "names.jsonl")
        client.close()


def kept(folder):
    path = folder / "answers.sqlite"
    if not path.exists():
        return set()
    with sqlite3.connect(path) as db:
        try:
            rows = db.execute("SELECT parameters FROM answers").fetchall()
        except sqlite3.OperationalError:
            return set()
    return {json.dumps(json.loads(row[0]), sort_keys=True) for row in rows}


def asked(wiki):
    return [json.dumps(r["parameters"], sort_keys=True) for r in wiki.requests()]


@pytest.mark.slow
def test_killed_builds_repeat_no_answered_request(wiki, fixture, tmp_path):
    count = len(fixture.EXPECTED)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    child = fork.Process(target=run, args=(wiki.api, whole, count))
    child.start()
    child.join()
    assert child.exitcode == 0
    needed = asked(wiki)
    assert len(needed) == len(set(needed)) > 15
    draw = random.Random(3)
    kills = 0
    for turn in range(60):
        wiki.clear()
        before = kept(broken)
        child = fork.Process(target=run, args=(wiki.api, broken, count, 0.02))
        child.start()
        child.join(draw.uniform(0.1, 0.6) * (1 + turn / 10))  # enough time for a busy machine
        finished = child.exitcode is not None
        if not finished:
            os.kill(child.pid, signal.SIGKILL)
            child.join()
            kills += 1
            time.sleep(0.05)
        assert not before.intersection(asked(wiki)), "an answered request was repeated"
        if finished:
            assert child.exitcode == 0
            break
    assert kills >= 2
    assert kept(broken) == kept(whole)
    for name in ("names.jsonl", "pages.jsonl"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
    assert [path for path in broken.iterdir() if path.name.endswith(".tmp")] == []


def scan(dump, folder, size):
    source = DumpSource(dump, EN, cache=folder / "store.sqlite", part_size=size)
    built = build(source, language=EN, names=8)
    save(built.dataset, folder / "names.jsonl")
    source.close()


def test_a_killed_scan_reads_no_part_twice(export, tmp_path, monkeypatch):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    scan(export, whole, 2000)
    read = []
    import dfactscore.ambigbio._dump_source as module

    real = module.scan_pieces

    def stopping(span, **settings):
        read.append(span.start)
        if len(read) in (3, 9):
            raise KeyboardInterrupt
        return real(span, **settings)

    monkeypatch.setattr(module, "scan_pieces", stopping)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            scan(export, broken, 2000)
    scan(export, broken, 2000)
    assert len(read) == len(set(read)) + 2
    assert (broken / "names.jsonl").read_bytes() == (whole / "names.jsonl").read_bytes()


def limited(limit, pipe, work, *arguments):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # a disk that is full
    try:
        work(*arguments)
    except AmbigBioError as error:
        pipe.send(str(error))
    else:
        pipe.send("no error")


def on_a_full_disk(limit, work, *arguments):
    ours, theirs = fork.Pipe()
    child = fork.Process(target=limited, args=(limit, theirs, work, *arguments))
    child.start()
    child.join()
    assert child.exitcode == 0
    return ours.recv()


def test_a_full_disk_is_one_line_and_what_was_fetched_is_kept(wiki, fixture, tmp_path):
    count = len(fixture.EXPECTED)
    message = on_a_full_disk(90_000, run, wiki.api, tmp_path, count)
    assert "cannot be written" in message
    assert "make room" in message
    assert "are kept" in message
    assert "\n" not in message
    first = kept(tmp_path)
    assert len(first) > 1
    wiki.clear()
    run(wiki.api, tmp_path, count)
    assert not first.intersection(asked(wiki))
    assert (tmp_path / "names.jsonl").exists()


def test_a_full_disk_leaves_the_old_output(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("old")
    message = on_a_full_disk(3000, write_records, path, [{"x": "x" * 500}] * 10)
    assert f"{path}: cannot be written" in message
    assert "fetched data are kept" in message
    assert [other.name for other in tmp_path.iterdir()] == ["out.jsonl"]
    assert path.read_text() == "old"


def test_a_full_disk_during_a_scan(export, tmp_path):
    message = on_a_full_disk(70_000, scan, export, tmp_path, 2000)
    assert "cannot" in message
    assert "store.sqlite" in message
    scan(export, tmp_path, 2000)


@pytest.mark.parametrize("make", [ResponseCache, lambda path: DumpStore(path, "a dump")])
def test_another_database_is_not_taken_for_a_cache(tmp_path, make):
    path = tmp_path / "study.db"
    with sqlite3.connect(path) as db:
        db.executescript("CREATE TABLE study (id, key); CREATE TABLE answers (id, text)")
    db.close()
    before = path.read_bytes()
    for use in (make, delete_cache):
        with pytest.raises(AmbigBioError, match=r"study\.db: .*: give another file with --cache"):
            use(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["study.db"]


def test_a_cache_begins_again(tmp_path):
    path = tmp_path / "kept"
    ResponseCache(path).close()
    delete_cache(path)
    assert not path.exists()
    DumpStore(path, "a dump").close()
    with pytest.raises(AmbigBioError, match="give another file"):
        ResponseCache(path)
    delete_cache(path)
    delete_cache(path)
