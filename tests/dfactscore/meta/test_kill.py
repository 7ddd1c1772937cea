"""A meta-evaluation killed at random moments resumes to the same bytes and asks nothing twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest


@pytest.mark.slow
def test_killed_at_random_moments(felm, tmp_path, stub, llm):
    stub.forms = False
    stub.seconds = 0.01
    stub.answer = lambda prompt: "1, 9" if "mill 2" in prompt else "ALL_CORRECT"
    data = felm(30)

    def start(name):
        options = [str(o) for o in llm]
        options[options.index("--cache") + 1] = str(tmp_path / f"{name}.sqlite")
        command = [sys.executable, "-m", "dfactscore", "meta", "run", f"felm={data}",
                   "-e", "prompt:vanilla", "-e", "builtin", "--resamples", "200",
                   "--concurrency", "2", *options, "--out", str(tmp_path / name)]  # fmt: skip
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ)

    def files(name):
        folder = tmp_path / name
        found = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
        return {k: v for k, v in found.items() if k not in ("timing.json", ".lock")}

    assert start("straight").wait(timeout=300) == 0
    asked = set(stub.prompts)
    assert stub.calls == 30
    stub.calls, rng, kills = 0, random.Random(3), 0
    stub.prompts.clear()
    while kills < 5:
        process = start("broken")
        journal = tmp_path / "broken" / "judgements.jsonl"
        before = stub.calls
        while process.poll() is None and stub.calls < before + 1:
            time.sleep(0.005)
        time.sleep(rng.random() * 0.1)
        if process.poll() is not None:
            break
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1
        assert journal.exists()
    assert start("broken").wait(timeout=300) == 0
    assert kills
    assert files("broken") == files("straight")
    assert set(stub.prompts) == asked
    # What was in flight when it was killed is asked for again: at most the two at a time.
    assert stub.calls <= 30 + 3 * kills
    assert max(stub.prompts.values()) <= 1 + kills
