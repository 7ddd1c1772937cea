"""A scoring process killed at random moments resumes to the same bytes and judges nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dfactscore.examples import example

# Scores the shipped example with a verifier that notes each call and takes a moment.
SCRIPT = """
import sys, time
from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier
from dfactscore.jobs.job import Job, run_job
from dfactscore.readers import read_biographies
from dfactscore.runs import begin_records
from dfactscore.scorer import Scorer
from pathlib import Path

class Noting(BuiltinVerifier):
    def verify(self, biography, facts, entity):
        with open(log, "a") as file:
            file.write(f"{biography.id}\\t{entity.id}\\n")
        time.sleep(0.002)
        return super().verify(biography, facts, entity)

source, out, log = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
job = Job(Scorer(verifier=Noting()).engine, concurrency=4)
run_job(job, begin_records(read_biographies(source).biographies), out, name=source.name)
"""


def start(out: Path, log: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SCRIPT, str(example().biographies), str(out), str(log)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def files(folder: Path) -> dict[str, bytes]:
    """Everything but the times and the lock."""
    found = {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}
    return {n: b for n, b in found.items() if n not in ("timing.json", ".lock")}


def judged(out: Path) -> set[str]:
    path = out / "verdicts.jsonl"
    if not path.exists():
        return set()
    rows = path.read_bytes().split(b"\n")[:-1]
    return {json.loads(row)["id"] for row in rows}


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path):
    straight, broken, log = tmp_path / "straight", tmp_path / "broken", tmp_path / "calls.txt"
    assert start(straight, tmp_path / "other.txt").wait(timeout=120) == 0
    expected = files(straight)
    total = sum(expected[n].count(b"\n") for n in expected if n.endswith(".jsonl"))
    generator = random.Random(20)
    kills = 0
    for _ in range(40):
        before = judged(broken)
        log.write_text("")
        process = start(broken, log)
        wanted = _lines(broken) + generator.randint(0, max(1, total // 10))
        while process.poll() is None and _lines(broken) < wanted:
            time.sleep(0.001)
        time.sleep(generator.random() * 0.01)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        code = process.wait(timeout=120)
        again = {line.split("\t")[0] for line in log.read_text().splitlines()} & before
        assert not again, f"judged twice: {again}"
        if code == 0:
            break
    else:
        raise AssertionError("the run never ended")
    assert kills >= 5
    assert files(broken) == expected


def _lines(folder: Path) -> int:
    if not folder.exists():
        return 0
    return sum(
        p.read_bytes().count(b"\n")
        for p in folder.iterdir()
        if p.suffix == ".jsonl" and p.is_file()
    )


def test_same_bytes_whatever_the_concurrency(tmp_path):
    for concurrency in ("1", "7"):
        script = SCRIPT.replace("concurrency=4", f"concurrency={concurrency}")
        out = tmp_path / concurrency
        command = [sys.executable, "-c", script, str(example("ships").biographies), str(out)]
        subprocess.run([*command, os.devnull], check=True, timeout=120)
    assert files(tmp_path / "1") == files(tmp_path / "7")
