"""Speed, memory and bytes of `dfactscore score` over workers, on many recombined biographies.

    python benchmarks/workers.py speed  [--sizes 8000] [--workers 1 2 4]
    python benchmarks/workers.py memory [--sizes 8000 80000]
    python benchmarks/workers.py growth [--sizes 2000 8000 32000]
    python benchmarks/workers.py kills  [--kills 20]

A recombined biography has sentences of several shipped texts about one name, in random order, with
years of its own; so have its passages, so that no two biographies share a text. Every measurement
is a process of its own. Wall times say little on a machine that others use: the load stands beside
them, and processor seconds are what to compare.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore.examples import example
from dfactscore.readers import read_biographies
from dfactscore.text.sentences import split_sentences

YEAR = re.compile(r"\b1(\d)(\d\d)\b")
# Runs a command and notes, for the writer and for its workers, processor seconds, and the
# writer's peak memory.
SCRIPT = """
import json, resource, sys, time
from dfactscore.cli.app import main
sys.argv = ["dfactscore", *sys.argv[2:]], sys.argv[1]
sys.argv, place = sys.argv
started = time.perf_counter()
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
found = {
    "wall": time.perf_counter() - started,
    "cpu": own.ru_utime + own.ru_stime,
    "workers": others.ru_utime + others.ru_stime,
    "peak": own.ru_maxrss / 1024,
}
open(place, "w").write(json.dumps(found))
"""


class Measured(NamedTuple):
    """Wall and processor seconds, of the writer and of its workers, and the writer's peak in MB."""

    wall: float
    cpu: float
    workers: float
    peak: float


def recombined(count: int, seed: int = 20) -> Iterator[dict[str, Any]]:
    """Biographies made of the sentences and passages of the shipped ones."""
    names: dict[str, list[Any]] = {}
    for biography in read_biographies(example().biographies).biographies:
        names.setdefault(biography.name, []).append(biography)
    chance = random.Random(seed)
    for number in range(count):
        texts = names[chance.choice(list(names))]
        own = chance.randrange(100)

        def moved(text: str, own: int = own) -> str:
            return YEAR.sub(lambda m: f"1{m[1]}{(int(m[2]) + own) % 100:02}", text)

        sentences = [s.text for b in texts for s in split_sentences(b.text)]
        chosen = chance.sample(sentences, min(len(sentences), chance.randint(4, 9)))
        passages = chance.choice(texts).passages
        yield {
            "id": f"{number}",
            "name": texts[0].name,
            "text": moved(" ".join(chosen)),
            "passages": [
                {"title": p.title, "text": f"{moved(p.text)} ({number})"} for p in passages
            ],
        }


def make(folder: Path, count: int) -> Path:
    """A file of so many."""
    path = folder / f"{count}.jsonl"
    if not path.exists():
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in recombined(count))
    return path


def measure(path: Path, out: Path, *more: str) -> Measured:
    """Scores a file in a process of its own."""
    place = out.parent / f"{out.name}.json"
    command = [sys.executable, "-c", SCRIPT, str(place), "score", str(path), "--out", str(out)]
    subprocess.run([*command, "--quiet", *more], check=True, stdout=subprocess.DEVNULL)
    return Measured(**json.loads(place.read_text()))


def load() -> str:
    """How busy the machine is."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def memory(folder: Path, sizes: list[int]) -> None:
    """The writer's peak at several sizes."""
    print(f"{'biographies':>11} {'peak MB':>8} {'CPU s':>8} {'wall s':>8}")
    peaks = []
    for size in sizes:
        found = measure(make(folder, size), folder / f"memory{size}")
        peaks.append(found.peak)
        print(f"{size:>11} {found.peak:>8.0f} {found.cpu:>8.1f} {found.wall:>8.1f}  {load()}")
    each = 1e6 * (peaks[-1] - peaks[0]) / (sizes[-1] - sizes[0])
    print(f"difference {peaks[-1] - peaks[0]:.0f} MB (bar: 80), {each:.0f} bytes a biography")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["memory"])
    parser.add_argument("--sizes", type=int, nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if arguments.what == "memory":
            memory(folder, arguments.sizes or [8000, 80_000])


if __name__ == "__main__":
    from running import run

    run(main)
