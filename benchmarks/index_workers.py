"""Work over several processes: speed, processor time and memory of building an index.

    python benchmarks/index_workers.py bm25 --sizes 10000 30000 90000
    python benchmarks/index_workers.py bm25 --sizes 90000 --workers 1 2
    python benchmarks/index_workers.py encode --passages 4096 --workers 1 2
    python benchmarks/index_workers.py faiss --passages 200000 --workers 1 2

Every figure comes from a process of its own. Memory is the peak of what is private to it
(`RssAnon`, looked at every 5 ms): the tables that are memory-mapped are files, which the system
can drop and read again. Texts are those of `retrieval_bm25.py`: 100 words a passage, drawn from a
Zipf law over 200,000.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from retrieval_bm25 import texts

HERE = Path(__file__).resolve().parent
ROWS = 2000


def passages(count: int) -> Iterator[str]:
    """The corpus, drawn some at a time so that it takes no memory."""
    for start in range(0, count, ROWS):
        yield from texts(min(ROWS, count - start), 100, np.random.default_rng([7, start]))


class Watch:
    """Wall and processor seconds with those of children, and the peak of private memory."""

    def __enter__(self) -> Watch:
        self._ended = threading.Event()
        self._peak = self._base = private()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        self._begin, self._cpu = time.perf_counter(), cpu()
        return self

    def _look(self) -> None:
        while not self._ended.wait(0.005):
            self._peak = max(self._peak, private())

    def __exit__(self, *_: object) -> None:
        self.wall, self.cpu = time.perf_counter() - self._begin, cpu() - self._cpu
        self._ended.set()
        self._thread.join()
        self.grown = self._peak - self._base


def private() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024
    raise OSError("no RssAnon in /proc/self/status")


def cpu() -> float:
    import resource

    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def one_bm25(args: argparse.Namespace) -> dict[str, Any]:
    """One table; drawing the texts is timed apart and taken off."""
    begin = cpu()
    for _ in passages(args.passages):
        pass
    drawn = cpu() - begin
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "bm25"
        if args.at_once:
            sys.path.insert(0, str(HERE.parent / "tests" / "helpers"))
            from bm25_oracle import oracle

            oracle(["a b"], Path(folder) / "first")
            with Watch() as watch:
                oracle(passages(args.passages), place)
        else:
            from dfactscore._util.executors import open_executor
            from dfactscore.retrieval.bm25 import build_bm25

            build_bm25(["a b"], Path(folder) / "first")
            with Watch() as watch, open_executor(args.workers[0]) as executor:
                list(executor.map_blocks(len, [[]] * 8))
                begun = time.perf_counter()
                build_bm25(passages(args.passages), place, executor=executor)
                wall = time.perf_counter() - begun
            watch.wall = wall
        files = [place / f"{name}.npy" for name in ("data", "indices", "indptr")]
        import hashlib

        digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
        table = sum(path.stat().st_size for path in files)
    return {
        "wall": watch.wall, "cpu": watch.cpu - drawn, "drawn": drawn, "grown": watch.grown,
        "table": table, "sha256": digest,
    }  # fmt: skip


def alone(part: str, **options: object) -> dict[str, Any]:
    """A measurement in a process of its own."""
    command = [sys.executable, str(HERE / "index_workers.py"), part, "--one"]
    for name, value in options.items():
        if value is True:
            command.append(f"--{name.replace('_', '-')}")
        elif value is not False:
            command += [f"--{name}", str(value)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def bm25(args: argparse.Namespace) -> None:
    print("passages  how            CPU s  wall s  private MB  table MB  sha256")
    grown: dict[str, list[float]] = {}
    for size in args.sizes:
        ways = [(f"{n} workers", {"workers": n}) for n in args.workers]
        for name, options in [*ways, ("bm25s at once", {"at_once": True})]:
            found = alone("bm25", passages=size, **options)
            grown.setdefault(name, []).append(found["grown"])
            print(
                f"{size:8,}  {name:13} {found['cpu']:6.1f}  {found['wall']:6.1f}  "
                f"{found['grown'] / 1e6:10.0f}  {found['table'] / 1e6:8.0f}  "
                f"{found['sha256'][:12]}",
                flush=True,
            )
    for name, peaks in grown.items():
        if len(args.sizes) > 1:
            slope = np.polyfit(args.sizes, peaks, 1)[0]
            print(f"slope, {name}: {slope / 1e3:.2f} kB a passage")


PARTS = {"bm25": (bm25, one_bm25)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 90_000])
    parser.add_argument("--passages", type=int, default=4096)
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    parser.add_argument("--at-once", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    several, one = PARTS[args.part]
    if args.one:
        print(json.dumps(one(args)))
    else:
        several(args)


if __name__ == "__main__":
    from running import run

    run(main)
