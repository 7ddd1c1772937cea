"""Time and memory of processes of `dfactscore score`, from one biography to ten thousand.

    python benchmarks/score_speed.py            # the shipped example, repeated
    python benchmarks/score_speed.py FILE       # any biography file, repeated

Repeated biographies get new ids and new years, so that no cache helps.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dfactscore._readers import read_biographies
from dfactscore.examples import example

YEAR = re.compile(r"\b1(\d)(\d\d)\b")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", default=example().biographies)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 140, 1000, 10000])
    arguments = parser.parse_args()
    originals = list(read_biographies(arguments.file).biographies)
    print(f"{arguments.file.name}: {len(originals)} biographies, repeated")
    print(f"{'biographies':>11} {'seconds':>8} {'CPU s':>7} {'per 1000':>9} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for size in arguments.sizes:
            path = Path(folder) / f"{size}.jsonl"
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in repeated(originals, size))
            wall, cpu, peak = measure(path, Path(folder) / f"run{size}")
            print(f"{size:>11} {wall:>8.2f} {cpu:>7.2f} {1000 * cpu / size:>9.2f} {peak:>8.0f}")


def repeated(originals: list[Any], size: int) -> Iterator[dict[str, Any]]:
    """Repeats the originals in turn; each round moves all years by one."""
    for i in range(size):
        biography, turn = originals[i % len(originals)], i // len(originals)

        def moved(text: str, turn: int = turn) -> str:
            return YEAR.sub(lambda m: f"1{m[1]}{(int(m[2]) + turn) % 100:02}", text)

        yield {
            "id": str(i),
            "name": biography.name,
            "text": moved(biography.raw),
            "passages": [{"title": p.title, "text": moved(p.text)} for p in biography.passages],
        }


def measure(path: Path, out: Path) -> tuple[float, float, float]:
    """Returns wall and CPU seconds and peak memory (MB) of one scoring process."""
    script = (
        "import resource, sys\n"
        "from dfactscore._cli.app import main\n"
        "sys.argv = ['dfactscore', 'score', *sys.argv[1:], '--quiet', '--format', 'json']\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "usage = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, file=sys.stderr)\n"
    )
    started = time.perf_counter()
    result = subprocess.run(
        [sys.executable, "-c", script, str(path), "--out", str(out)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wall = time.perf_counter() - started
    cpu, peak = map(float, result.stderr.split()[-2:])
    return wall, cpu, peak


if __name__ == "__main__":
    from running import run

    run(main)
