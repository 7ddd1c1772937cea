"""Kills at random moments: nothing is paid twice, and the result is the same."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
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


def test_kills_cost_no_more_than_what_was_in_flight(
    stub, write_biographies, contents, tmp_path: Path
) -> None:
    source = write_biographies(30)
    whole = tmp_path / "whole" / "run"
    assert start(whole, source, stub.base_url, tmp_path / "a.sqlite").wait(120) == 0
    stub.set(latency=0.1)
    rng = random.Random(5)
    out, cache = tmp_path / "killed" / "run", tmp_path / "b.sqlite"
    kills = 0
    for _ in range(4):
        before = stub.stats()["requests"]
        process = start(out, source, stub.base_url, cache)
        limit = time.monotonic() + 60
        while stub.stats()["requests"] == before and process.poll() is None:
            assert time.monotonic() < limit
            time.sleep(0.02)
        time.sleep(rng.uniform(0.0, 0.8))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
    assert kills >= 2
    (out / ".summary.json.abcd1234.tmp").write_text("half")  # as a kill in mid-write leaves it
    assert start(out, source, stub.base_url, cache).wait(120) == 0
    stats = stub.stats()
    # A request that a kill cut off may have come without being counted as repeated.
    assert 0 <= stats["requests"] - stats["prompts"] - stats["repeated"] <= kills * CONCURRENCY
    assert stats["repeated"] <= kills * CONCURRENCY
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
