"""Kills in the middle of requests: nothing is paid twice, and the result is the same."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

COMMAND = "from dfactscore.cli.app import main; main()"
CONCURRENCY = 4


def start(out: Path, source: Path, url: str, cache: Path, *more: str) -> subprocess.Popen[bytes]:
    options = ["--engine", "llm", "--model", "stub-a", "--base-url", url, "--out", str(out)]
    options += ["--cache", str(cache), "--concurrency", str(CONCURRENCY), "--quiet", *more]
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "score", str(source), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def stored(cache: Path) -> int:
    with closing(sqlite3.connect(f"{cache.as_uri()}?mode=ro", uri=True)) as db:
        return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])


def test_kills_cost_exactly_what_was_in_flight(
    stub, write_biographies, contents, tmp_path: Path
) -> None:
    """Killed while every slot waits for an answer, and all answers that came are stored."""
    source = write_biographies(30)
    whole = tmp_path / "whole" / "run"
    assert start(whole, source, stub.base_url, tmp_path / "a.sqlite").wait(120) == 0
    everything = stub.stats()["requests"]
    stub.set(hang=300)
    out, cache = tmp_path / "killed" / "run", tmp_path / "b.sqlite"
    kills = 0
    for answered in (9, 40, 77, 100):
        stub.change(hold_after=answered + kills * CONCURRENCY)
        process = start(out, source, stub.base_url, cache)
        wanted = answered + (kills + 1) * CONCURRENCY
        limit = time.monotonic() + 60
        # The first answer, about the form of answers, is kept as a note.
        while stub.stats()["requests"] < wanted or stored(cache) < answered - 1:
            assert process.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        assert stub.stats()["requests"] == wanted
    (out / ".summary.json.abcd1234.tmp").write_text("half")  # as a kill in mid-write leaves it
    stub.change(hold_after=0)
    assert start(out, source, stub.base_url, cache).wait(120) == 0
    stats = stub.stats()
    assert stats["requests"] == everything + kills * CONCURRENCY
    assert stats["repeated"] == kills * CONCURRENCY
    assert contents(out) == contents(whole)
    # The same job once more, elsewhere: every answer is there.
    again = tmp_path / "again" / "run"
    assert start(again, source, stub.base_url, cache, "--max-calls", "0").wait(120) == 0
    assert stub.stats()["requests"] == stats["requests"]
    assert contents(again) == contents(whole)


def test_a_call_limit_stops_and_goes_on(stub, biographies: Path, tmp_path: Path) -> None:
    out, cache = tmp_path / "run", tmp_path / "c.sqlite"
    stub.set(latency=0.3)  # so that calls are under way when the limit is reached
    process = start(out, biographies, stub.base_url, cache, "--max-calls", "10")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert said.decode().startswith("dfactscore: stopped at --max-calls 10")
    assert len(said.decode().splitlines()) == 1
    assert stub.stats()["requests"] == 10
    assert start(out, biographies, stub.base_url, cache).wait(120) == 0
    assert stub.stats()["repeated"] == 0
