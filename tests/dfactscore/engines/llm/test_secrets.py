"""A run never contains the key."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CANARY = "sk-canary0123456789abcdef"
COMMAND = "from dfactscore._cli.app import main; main()"


def run(stub, source: Path, tmp_path: Path, out: str, *more: str) -> subprocess.CompletedProcess:
    options = ["--engine", "llm", "--model", "stub-a", "--base-url", stub.base_url]
    options += ["--out", str(tmp_path / out), "--cache", str(tmp_path / "cache.sqlite"), *more]
    return subprocess.run(
        [sys.executable, "-c", COMMAND, "score", str(source), *options],
        env={**os.environ, "OPENAI_API_KEY": CANARY, "OPENAI_LOG": "debug"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def leaks(folder: Path) -> list[str]:
    needle = CANARY.encode()
    return [str(p) for p in folder.rglob("*") if p.is_file() and needle in p.read_bytes()]


def test_no_file_and_no_line_holds_the_key(stub, biographies: Path, tmp_path: Path) -> None:
    stub.set(key=CANARY, rate=0.2, kinds=["500", "broken", "refusal"])
    good = run(stub, biographies, tmp_path, "good")
    assert good.returncode == 0, good.stderr
    # The stub quotes the key in its refusal, as some servers do.
    stub.set(key="another")
    bad = run(stub, biographies, tmp_path, "bad", "--model", "stub-b")
    assert bad.returncode == 2
    # Older clients log tracebacks at OPENAI_LOG=debug; the command adds one line.
    last = bad.stderr.splitlines()[-1]
    assert last.startswith("dfactscore: ")
    assert "is not accepted" in last
    assert leaks(tmp_path) == []
    for text in (good.stdout, good.stderr, bad.stdout, bad.stderr):
        assert CANARY not in text


def test_an_answer_that_quotes_the_key_is_not_stored_with_it(stub, tmp_path, monkeypatch) -> None:
    import asyncio

    from dfactscore._asking.cache import AnswerCache
    from dfactscore._asking.client import ChatClient
    from dfactscore._asking.settings import OpenAIModel
    from dfactscore._records import Biography
    from dfactscore.engines._llm.roles.decomposer import LLMDecomposer

    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    cache = AnswerCache(tmp_path / "c.sqlite")
    client = ChatClient(OpenAIModel("stub-a", base_url=stub.base_url), cache=cache)

    async def job():
        echo = Biography("1", "Anna", f"Anna said that her word is {CANARY} today.")
        facts = await LLMDecomposer(client).decompose(echo)
        await client.aclose()
        return facts

    facts = asyncio.run(job())
    stored = [r for r in cache.records() if r["stage"] == "decompose"]
    # The text itself contained the key; it is removed from the server's messages.
    assert len(facts) == 1
    assert CANARY not in facts[0].text
    assert CANARY not in stored[0]["answer"]
