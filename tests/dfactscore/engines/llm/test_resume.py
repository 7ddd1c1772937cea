"""A limit that is reached between requests: no request is paid twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = "from dfactscore._cli.app import main; main()"
CONCURRENCY = 4


def start(out: Path, source: Path, url: str, cache: Path, *more: str) -> subprocess.Popen[bytes]:
    options = ["--engine", "llm", "--model", "stub-a", "--base-url", url, "--out", str(out)]
    options += ["--cache", str(cache), "--concurrency", str(CONCURRENCY), "--quiet", *more]
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "score", str(source), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_a_call_limit_stops_and_goes_on(stub, biographies: Path, tmp_path: Path) -> None:
    out, cache = tmp_path / "run", tmp_path / "c.sqlite"
    stub.set(latency=0.3)  # so that requests are pending when the limit is reached
    process = start(out, biographies, stub.base_url, cache, "--max-calls", "10")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert said.decode().startswith("dfactscore: stopped at --max-calls 10")
    assert len(said.decode().splitlines()) == 1
    assert stub.stats()["requests"] == 10
    assert start(out, biographies, stub.base_url, cache).wait(120) == 0
    assert stub.stats()["repeated"] == 0
