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
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from retrieval_bm25 import texts

from dfactscore.retrieval.bm25 import build_bm25
from dfactscore.retrieval.dense import add_to_dense, build_dense
from dfactscore.retrieval.embeddings import write_embeddings
from dfactscore.retrieval.factory import make_plan
from dfactscore.workers import Executor, open_executor

HERE = Path(__file__).resolve().parent
ROWS = 2000


def passages(count: int) -> Iterator[str]:
    """The corpus, drawn some at a time so that it takes no memory."""
    for start in range(0, count, ROWS):
        yield from texts(min(ROWS, count - start), 100, np.random.default_rng([7, start]))


class Watch:
    """Wall and processor seconds, those of the busiest process, and the peak of private memory."""

    def __enter__(self) -> Watch:
        self._ended = threading.Event()
        self._peak = self._base = private()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        self._workers = workers_cpu()
        self._begin, self._cpu = time.perf_counter(), cpu()
        return self

    def _look(self) -> None:
        while not self._ended.wait(0.005):
            self._peak = max(self._peak, private())

    def __exit__(self, *_: object) -> None:
        self.wall, self.cpu = time.perf_counter() - self._begin, cpu() - self._cpu
        spent = {pid: now - self._workers.get(pid, 0) for pid, now in workers_cpu().items()}
        self.busiest = max([self.cpu, *spent.values()])
        self._ended.set()
        self._thread.join()
        self.grown = self._peak - self._base

    def found(self) -> dict[str, Any]:
        """What was measured."""
        return {
            "wall": self.wall,
            "cpu": self.cpu,
            "busiest": self.busiest,
            "grown": self.grown,
            "load": os.getloadavg()[0],
        }


def private() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024
    raise OSError("no RssAnon in /proc/self/status")


def cpu() -> float:
    """Processor seconds of this process."""
    return time.process_time()


def workers_cpu() -> dict[int, float]:
    """Processor seconds of each process that this one has started."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            ticks = int(fields[11]) + int(fields[12])
            found[int(path.parent.name)] = ticks / os.sysconf("SC_CLK_TCK")
    return found


def started(workers: int) -> Executor:
    """An executor whose processes have begun, so that their start is not timed."""
    executor = open_executor(workers)
    list(executor.map_blocks(len, [[]] * 4 * workers))
    return executor


def digest(paths: list[Path]) -> str:
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.read_bytes())
    return total.hexdigest()


def one_bm25(args: argparse.Namespace) -> dict[str, Any]:
    """One table; drawing the texts is timed apart and taken off the processor time."""
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
            build_bm25(["a b"], Path(folder) / "first")
            with started(args.workers[0]) as executor, Watch() as watch:
                build_bm25(passages(args.passages), place, executor=executor)
        files = [place / f"{name}.npy" for name in ("data", "indices", "indptr")]
        return watch.found() | {
            "cpu": watch.cpu - drawn,
            "busiest": max(watch.cpu - drawn, watch.busiest if watch.busiest > watch.cpu else 0),
            "table": sum(path.stat().st_size for path in files),
            "sha256": digest(files),
        }


def one_encode(args: argparse.Namespace) -> dict[str, Any]:
    """Embeddings of texts of ten words."""
    from dfactscore.retrieval.encoders import SentenceEncoder

    rows = texts(args.passages, 10, np.random.default_rng(7))
    encoder = SentenceEncoder(args.model, device="cpu")
    with tempfile.TemporaryDirectory() as folder, started(args.workers[0]) as executor:
        list(executor.map_blocks(encoder.encode, [["a"]] * 4 * args.workers[0]))
        with Watch() as watch:
            write_embeddings(
                Path(folder) / "e",
                encoder,
                lambda start, stop: rows[start:stop],
                len(rows),
                executor=executor,
            )
        return watch.found() | {"sha256": digest(list((Path(folder) / "e").iterdir()))}


class Table:
    """An "encoder" whose texts are numbers of rows."""

    dimension = 128
    settings: Mapping[str, Any] = {"kind": "table"}

    def encode(self, numbers: Sequence[str]) -> np.ndarray:
        """Random rows, the same for the same first number."""
        draw = np.random.default_rng([5, int(numbers[0])])
        rows = draw.standard_normal((len(numbers), self.dimension), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def one_faiss(args: argparse.Namespace) -> dict[str, Any]:
    """Eight index files of random vectors of 128 dimensions; training is not timed."""
    with tempfile.TemporaryDirectory() as folder, started(args.workers[0]) as executor:
        vectors = write_embeddings(
            Path(folder) / "e",
            Table(),
            lambda start, stop: [str(n) for n in range(start, stop)],
            args.passages,
        )
        plan = make_plan("IVF512,PQ32x4fs", vectors.dimension)
        place, shard = Path(folder) / "dense", -(-args.passages // 8)
        faiss.omp_set_num_threads(1)
        build_dense(vectors, place, plan, shard_rows=shard)
        meta = json.loads((place / "dense.json").read_text())
        (place / "dense.json").write_text(json.dumps(meta | {"rows": 0}))
        with Watch() as watch:
            add_to_dense(vectors, place, executor=executor)
        return watch.found() | {"sha256": digest(list(place.glob("dense-*.faiss")))}


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
    print("passages  how            CPU s  busiest s  wall s  private MB  table MB  sha256")
    grown: dict[str, list[float]] = {}
    for size in args.sizes:
        ways = [(f"{n} workers", {"workers": n}) for n in args.workers]
        for name, options in [*ways, ("bm25s at once", {"at_once": True})]:
            found = alone("bm25", passages=size, **options)
            grown.setdefault(name, []).append(found["grown"])
            print(
                f"{size:8,}  {name:13} {found['cpu']:6.1f}  {found['busiest']:9.1f}  "
                f"{found['wall']:6.1f}  "
                f"{found['grown'] / 1e6:10.0f}  {found['table'] / 1e6:8.0f}  "
                f"{found['sha256'][:12]}",
                flush=True,
            )
    for name, peaks in grown.items():
        if len(args.sizes) > 1:
            slope = np.polyfit(args.sizes, peaks, 1)[0]
            print(f"slope, {name}: {slope / 1e3:.2f} kB a passage")


def several(args: argparse.Namespace) -> None:
    """A part with each number of workers; load says what else the machine did.

    The processor seconds of the process that works most are the wall time on cores of their own.
    """
    print("passages  workers  wall s  load  writer CPU s  busiest CPU s  ratio  sha256")
    first = 0.0
    for number in args.workers:
        found = alone(args.part, passages=args.passages, workers=number, model=args.model)
        first = first or found["busiest"]
        print(
            f"{args.passages:8,}  {number:7}  {found['wall']:6.1f}  {found['load']:4.1f}  "
            f"{found['cpu']:12.2f}  {found['busiest']:13.2f}  {first / found['busiest']:5.2f}  "
            f"{found['sha256'][:12]}",
            flush=True,
        )


PARTS = {"bm25": (bm25, one_bm25), "encode": (several, one_encode), "faiss": (several, one_faiss)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 90_000])
    parser.add_argument("--passages", type=int, default=4096)
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--at-once", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    all_of_it, one = PARTS[args.part]
    if args.one:
        print(json.dumps(one(args)))
    else:
        all_of_it(args)


if __name__ == "__main__":
    from running import run

    run(main)
