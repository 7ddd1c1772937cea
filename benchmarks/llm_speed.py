"""Speed of a job against a server that answers in 200 ms, compared with the bare client.

A stub server answers every call after a fixed time. The ideal time is calls × latency /
concurrency. The bare `openai` client, with as many prompts of the same size, shows the limit of the
machine and the package. Then the whole pipeline scores biographies into a run folder, with cache
and journals. The server measures the time from the first request to the last answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import openai
from running import default_data

from dfactscore._jobs.settings import Config
from dfactscore._readers import read_biographies
from dfactscore._scorer.command import score
from dfactscore._util.settings import load

ROOT = Path(__file__).resolve().parents[1]
STUB = ROOT / "tests" / "helpers" / "stub_server.py"
DATA = default_data()


def get(url: str) -> Any:
    with urllib.request.urlopen(url) as reply:
        return json.load(reply)


def control(root: str, **settings: Any) -> None:
    data = json.dumps({"reset": True, **settings}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{root}/_control", data=data)).read()


def write_job(data: Path, count: int, path: Path) -> None:
    """Writes real biographies; copies get an additional sentence, so that no prompt repeats."""
    items = []
    for name in ("alce_tulu.json", "alce_llama13b-careful.json"):
        items += json.loads((data / "dfactscore" / name).read_text("utf-8"))["data"]
    items = [item for item in items if len(item["output"]) > 100]
    job = []
    for number in range(count):
        item = dict(items[number % len(items)])
        item["output"] += f" Record {number} tells no more."
        job.append(item)
    path.write_text(json.dumps({"data": job}), "utf-8")


async def bare(url: str, calls: int, size: int, concurrency: int, aiohttp: bool) -> float:
    """Sends prompts with the bare client; returns the CPU time of the process."""
    options: dict[str, Any] = {"http_client": openai.DefaultAioHttpClient()} if aiohttp else {}
    client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0, **options)
    places = asyncio.Semaphore(concurrency)
    filler = "word " * (size // 5)

    async def one(number: int) -> None:
        async with places:
            content = f"Page: {number}\n{filler}\nFacts:\n1. One.\n2. Two."
            await client.chat.completions.create(
                model="bare", temperature=0, messages=[{"role": "user", "content": content}]
            )

    begun = time.process_time()
    await asyncio.gather(*(one(number) for number in range(calls)))
    used = time.process_time() - begun
    await client.close()
    return used


def ours(url: str, source: Path, folder: Path, concurrency: int) -> tuple[float, int]:
    """Scores the job; returns the CPU time of the process and the number of calls."""
    config = load(
        Config,
        {
            "input": source,
            "out": folder / "run",
            "engine": "llm",
            "model": "stub-a",
            "base_url": url,
            "concurrency": concurrency,
            "cache": folder / "cache.sqlite",
        },
        None,
        {},
    )
    session = config.open_session()
    reading = read_biographies(source)
    begun, used = time.process_time(), 0.0

    def note(done: int, total: int) -> None:  # the last is after judging and before scoring
        nonlocal used
        used = time.process_time() - begun

    score(config, reading=reading, session=session, progress=note)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory, report included: {peak:.0f} MB")
    calls = session.usage.total().calls
    session.close()
    return used, calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--biographies", type=int, default=500)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    process = subprocess.Popen([sys.executable, str(STUB)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        root = f"http://127.0.0.1:{int(process.stdout.readline())}"
        for number in range(arguments.rounds):
            compare(root, arguments, number)
    finally:
        process.kill()


def compare(root: str, arguments: argparse.Namespace, number: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_job(arguments.data, arguments.biographies, folder / "job.json")
        control(root, latency=arguments.latency)
        cpu, calls = ours(f"{root}/v1", folder / "job.json", folder, arguments.concurrency)
        stats = get(f"{root}/_stats")
        requests = stats["requests"]
        ideal = calls * arguments.latency / arguments.concurrency
        wall, each = stats["last"] - stats["first"], cpu / calls * 1e3
        print(
            f"round {number + 1}: {arguments.biographies} biographies, {calls} calls, "
            f"{stats['prompt_tokens'] // requests} prompt tokens a call, ideal {ideal:.2f} s"
        )
        print(
            f"  pipeline     {wall:6.2f} s = {wall / ideal:.3f} × ideal, {each:.2f} ms CPU a call"
        )
        size = 4 * stats["prompt_tokens"] // requests
        for kind, aiohttp in (("bare client", False), ("bare aiohttp", True)):
            control(root, latency=arguments.latency)
            own = asyncio.run(bare(f"{root}/v1", calls, size, arguments.concurrency, aiohttp))
            stats = get(f"{root}/_stats")
            wall = stats["last"] - stats["first"]
            print(
                f"  {kind:<12} {wall:6.2f} s = {wall / ideal:.3f} × ideal, "
                f"{own / calls * 1e3:.2f} ms CPU a call; ours {each - own / calls * 1e3:+.2f} ms"
            )
        print(f"  load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    from running import run

    run(main)
