"""Speed, memory and bytes of `dfactscore score` over workers, on many recombined biographies.

    python benchmarks/score_workers.py speed  [--sizes 8000] [--workers 1 2 4]
    python benchmarks/score_workers.py memory [--sizes 8000 80000]
    python benchmarks/score_workers.py writer [--sizes 2000]
    python benchmarks/score_workers.py kills  [--sizes 400] [--kills 20]

A recombined biography has sentences of several shipped texts about one name, in random order
(``--sentences`` says how many at most), with years of its own; so have its passages, so that no two
biographies share a text. Every measurement is a process of its own. Wall times say little on a
machine that others use: the load stands beside them, and processor seconds are what to compare.
For ``memory`` roles of two lines judge instead of the built-in engine, whose memory does not depend
on how many biographies there are: what grows, if anything does, is the writer.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
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
place, sys.argv = sys.argv[1], ["dfactscore", *sys.argv[2:]]
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


# The same for roles that take no time, in one process.
PLAIN = """
import json, resource, sys
from pathlib import Path
from plain_roles import PlainDecomposer, PlainGrouper, PlainVerifier
from dfactscore.engines.protocols import Engine
from dfactscore.jobs.job import Job, run_job
from dfactscore.readers import read_biographies
from dfactscore.runs import begin_records
from dfactscore.runs.spool import BiographySpool
place, file, out = sys.argv[1:]
reading = read_biographies(file, into=BiographySpool())
job = Job(Engine(PlainDecomposer(), PlainGrouper(), PlainVerifier()))
run_job(job, begin_records(reading.biographies), Path(out), name="many")
own = resource.getrusage(resource.RUSAGE_SELF)
found = {"wall": 0, "cpu": own.ru_utime + own.ru_stime, "workers": 0, "peak": own.ru_maxrss / 1024}
open(place, "w").write(json.dumps(found))
"""


class Measured(NamedTuple):
    """Wall and processor seconds, of the writer and of its workers, and the writer's peak in MB."""

    wall: float
    cpu: float
    workers: float
    peak: float


def recombined(count: int, most: int = 9, seed: int = 20) -> Iterator[dict[str, Any]]:
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
        chosen = chance.sample(sentences, min(len(sentences), chance.randint(1 + most // 3, most)))
        passages = chance.choice(texts).passages
        yield {
            "id": f"{number}",
            "name": texts[0].name,
            "text": moved(" ".join(chosen)),
            "passages": [
                {"title": p.title, "text": f"{moved(p.text)} ({number})"} for p in passages
            ],
        }


def make(folder: Path, count: int, most: int = 9) -> Path:
    """A file of so many."""
    path = folder / f"{count}-{most}.jsonl"
    if not path.exists():
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in recombined(count, most))
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


def memory(folder: Path, options: argparse.Namespace) -> None:
    """The writer's peak at several sizes, and what a biography adds."""
    sizes, peaks = options.sizes or [8000, 80_000], []
    print(f"{'biographies':>11} {'peak MB':>8} {'CPU s':>8} {'CPU ms each':>11}")
    for size in sizes:
        file, place = make(folder, size, options.sentences), folder / "peak.json"
        command = [sys.executable, "-c", PLAIN, str(place), str(file), str(folder / f"m{size}")]
        subprocess.run(command, check=True, cwd=Path(__file__).parent)
        found = Measured(**json.loads(place.read_text()))
        peaks.append(found.peak)
        print(f"{size:>11} {found.peak:>8.0f} {found.cpu:>8.1f} {1000 * found.cpu / size:>11.2f}")
        shutil.rmtree(folder / f"m{size}")
        file.unlink()
    each = 1e6 * (peaks[-1] - peaks[0]) / (sizes[-1] - sizes[0])
    print(f"difference {peaks[-1] - peaks[0]:.0f} MB (bar: 80), {each:.0f} bytes a biography")


def speed(folder: Path, options: argparse.Namespace) -> None:
    """One process and several, on the same biographies; all files have to be the same."""
    for size in options.sizes or [8000]:
        file, first = make(folder, size, options.sentences), None
        print(
            f"{size} biographies\n{'workers':>7} {'wall s':>8} {'writer s':>9} {'workers s':>9} x"
        )
        for count in options.workers or [1, 2, 4]:
            out = folder / f"speed{size}-{count}"
            found = measure(file, out, "--workers", str(count))
            first = first or (found, files(out))
            same = "" if files(out) == first[1] else "  OTHER BYTES"
            row = f"{count:>7} {found.wall:>8.1f} {found.cpu:>9.1f} {found.workers:>9.1f}"
            print(f"{row} {first[0].wall / found.wall:.2f}  {load()}{same}", flush=True)


def writer(folder: Path, options: argparse.Namespace) -> None:
    """Processor time of the writer's own process while others judge, and while rows are made."""
    from dfactscore.jobs.opening import open_job
    from dfactscore.jobs.settings import Config
    from dfactscore.runs import (
        RunWriter,
        begin_records,
        describe_input,
        describe_settings,
        execute,
        finish,
        new_manifest,
    )
    from dfactscore.runs.judging import JudgeBlock, SameJudges
    from dfactscore.runs.records import record_keys
    from dfactscore.runs.spool import BiographySpool
    from dfactscore.workers import open_executor

    for size in options.sizes or [2000]:
        file = make(folder, size, options.sentences)
        started = time.process_time()
        reading = read_biographies(file, into=BiographySpool())
        records = begin_records(reading.biographies)
        read = time.process_time() - started
        job = open_job(Config(input=file, workers=2))
        settings = describe_settings(job.engine, job.source, job.options, job.candidates)
        manifest = new_manifest(
            command="score", source=describe_input(file.name, records), settings=settings
        )
        with (
            RunWriter(folder / f"writer{size}", manifest, record_keys(records)) as run,
            open_executor((options.workers or [2])[0]) as executor,
        ):
            work = JudgeBlock(SameJudges(job.judges, settings))
            started = time.process_time()
            execute(run, records, job.engine, None, executor=executor, elsewhere=work)
            judged = time.process_time() - started
            started = time.process_time()
            finish(run, records, executor=executor)
            finished = time.process_time() - started
        for name, seconds in (("reading", read), ("judging", judged), ("finish", finished)):
            print(f"{size} biographies, {name}: {1000 * seconds / size:.3f} ms of the writer each")


def kills(folder: Path, options: argparse.Namespace) -> int:
    """SIGKILL of a worker and of the writer at random moments; resumed with other workers."""
    chance, bad = random.Random(20), 0
    size = (options.sizes or [400])[0]
    file = make(folder, size, options.sentences)
    started = time.perf_counter()
    measure(file, folder / "whole", "--workers", "2")
    takes = time.perf_counter() - started
    for victim in ("worker", "writer"):
        struck = same = 0
        for number in range(options.kills):
            out = folder / f"{victim}{number}"
            place = folder / "times.json"
            command = [sys.executable, "-c", SCRIPT, str(place), "score", str(file)]
            command += ["--out", str(out), "--quiet", "--workers"]
            process = subprocess.Popen([*command, "2"], stdout=subprocess.DEVNULL)
            time.sleep(chance.random() * takes)
            pids = children(process.pid)
            target = chance.choice(pids) if victim == "worker" and pids else process.pid
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                if process.poll() is None:
                    os.kill(target, signal.SIGKILL)
                    struck += 1
            process.wait()
            left = waited(pids)
            again = [*command, str(chance.choice([1, 2, 3]))]
            status = subprocess.run(again, stdout=subprocess.DEVNULL).returncode
            good = not left and not status and files(out) == files(folder / "whole")
            same += good
            if not good:
                print(f"    {victim} {number}: left {left}, exit status {status}", flush=True)
            shutil.rmtree(out)
        bad += options.kills - same
        print(f"{victim}: {options.kills} kills, {struck} struck, {same} good", flush=True)
    return bad


def children(pid: int) -> list[int]:
    """The processes that a process has started, in any of its threads."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            found += map(int, task.read_text().split())
    return found


def waited(pids: list[int]) -> list[int]:
    """Those of some processes that are still running after ten seconds."""
    for _ in range(100):
        left = [pid for pid in pids if running_still(pid)]
        if not left:
            break
        time.sleep(0.1)
    return left


def running_still(pid: int) -> bool:
    """Whether a process is there and has not ended; one that waits to be reaped has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def files(folder: Path) -> dict[str, str]:
    """Digests of all files of a run but the times."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name not in ("timing.json", ".lock")
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["speed", "memory", "writer", "kills"])
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--workers", type=int, nargs="+")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--sentences", type=int, default=9)
    options = parser.parse_args()
    work = {"speed": speed, "memory": memory, "writer": writer, "kills": kills}[options.what]
    with tempfile.TemporaryDirectory() as place:
        return bool(work(Path(place), options))


if __name__ == "__main__":
    from running import run

    run(main)
