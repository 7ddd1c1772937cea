"""Kills each command with SIGKILL at random moments and runs it again.

    python tests/robustness/kills.py --kills 20

A command that was killed must end with exit status 0 when it is run again, and leave the bytes
(of SQLite files: the rows) that it leaves without a kill. Printed are, for each command, how long
it takes, how many of the kills found it running, how many of the repeated commands ended so, and
in how many of those SQLite files had the same rows in other bytes.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzz_files import call, make_files

# What no promise holds for: times, locks, and what SQLite keeps beside an open file.
_NOT_COMPARED = ("timing.json", ".lock", "-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Killed:
    """A command, and what it leaves, relative to its folder."""

    name: str
    argv: tuple[str, ...]
    made: tuple[str, ...]


COMMANDS = (
    Killed("score", ("score", "bios30.jsonl", "--pages", "pages30.jsonl", "--out", "o"), ("o",)),
    Killed("generate", ("generate", "--passages", "passages30.jsonl", "--generator", "extractive",
                        "--out", "o.jsonl", "--alce", "o.json"),
           ("o.jsonl", "o.manifest.json", "o.json")),
    Killed("citations", ("citations", "bios30.jsonl", "--out", "o.jsonl"), ("o.jsonl",)),
    Killed("ambigbio build", ("ambigbio", "build", "--dump", "dump.xml", "--count", "1",
                              "--page-text", "full", "--out", "o.jsonl", "--cache", "o.cache",
                              "--release", "o.release", "--audit", "3"),
           ("o.jsonl", "o.log.jsonl", "o.pages.jsonl", "o.cache", "o.release", "o.audit.csv")),
    Killed("index build", ("index", "build", "pages30.jsonl", "--out", "o"), ("o",)),
    Killed("index add", ("index", "add", "index", "pages30.jsonl"), ("index",)),
    Killed("index pages", ("index", "pages", "pages30.jsonl", "--out", "o.sqlite"),
           ("o.sqlite", "o.sqlite.partial")),
    Killed("run", ("run", "experiment.yaml", "--out", "o"), ("o",)),
    Killed("report", ("report", "run", "--out", "o.html"), ("o.html",)),
    Killed("factor ambig", ("factor", "ambig", "--pages", "pages30.jsonl", "--out", "o.jsonl"),
           ("o.jsonl", "o.manifest.json")),
    Killed("factor build", ("factor", "build", "pages64.jsonl", "--out", "o.jsonl",
                            "--per-document", "9"),
           ("o.jsonl", "o.manifest.json", "o.stages")),
)  # fmt: skip


def make(folder: Path) -> None:
    """The files that the commands read; some are larger than those that are damaged."""
    import json

    from dfactscore.examples import example

    make_files(folder)
    shipped = example()
    shutil.copy(shipped.biographies, folder / "bios30.jsonl")
    shutil.copy(shipped.pages, folder / "pages30.jsonl")
    # The same pages twice: once they take too short a time.
    pages = [json.loads(line) for line in shipped.pages.read_text("utf-8").splitlines()]
    many = [{**page, "title": f"{page['title']} {n}"} for n in range(2) for page in pages]
    (folder / "pages64.jsonl").write_text("".join(json.dumps(row) + "\n" for row in many), "utf-8")
    rows = [json.loads(line) for line in shipped.biographies.read_text("utf-8").splitlines()]
    named = {row["name"]: {"name": row["name"], "passages": row["passages"]} for row in rows}
    text = "".join(json.dumps(row) + "\n" for row in named.values())
    (folder / "passages30.jsonl").write_text(text, "utf-8")


def contents(folder: Path, made: tuple[str, ...]) -> dict[str, bytes]:
    """Every file that a command has left, by its place."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for name in made
        for file in _files(folder / name)
        if not file.name.endswith(_NOT_COMPARED)
    }


def _files(place: Path) -> Iterator[Path]:
    if place.is_dir():
        yield from (path for path in sorted(place.rglob("*")) if path.is_file())
    elif place.exists():
        yield place


def _rows(data: bytes) -> list[str] | None:
    if not data.startswith(b"SQLite format 3"):
        return None
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        db = sqlite3.connect(file.name)
        try:
            return list(db.iterdump())
        finally:
            db.close()


def differences(left: dict[str, bytes], right: dict[str, bytes]) -> tuple[list[str], int]:
    """Files that differ, and how many SQLite files have the same rows in other bytes."""
    wrong, rows = sorted(set(left) ^ set(right)), 0
    for name in set(left) & set(right):
        if left[name] != right[name]:
            ours = _rows(left[name])
            if ours is None or ours != _rows(right[name]):
                wrong.append(name)
            else:
                rows += 1
    return wrong, rows


def forked(work: Callable[[], int]) -> int:
    """Starts work in a process of its own, which has all modules already."""
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 2)
            status = work()
    finally:
        os._exit(status)


def wait(pid: int) -> int:
    """The exit status; negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill(command: Killed, good: Path, kills: int, seed: int) -> tuple[str, int]:
    """The row of one command, and how many of its kills were met badly."""
    rng = random.Random(f"{seed} {command.name}")

    def fresh(place: str) -> Path:
        work = Path(place) / "w"
        shutil.copytree(good, work)
        return work

    def run(work: Path) -> Callable[[], int]:
        def start() -> int:
            answer = call(command.argv, work, seconds=300)
            return 70 if answer.status is None else answer.status

        return start

    with tempfile.TemporaryDirectory() as place:
        work = fresh(place)
        begun = time.perf_counter()
        status = wait(forked(run(work)))
        takes = time.perf_counter() - begun
        expected = contents(work, command.made)
    if status != 0:
        return f"{command.name:<16} fails without a kill (exit {status})", 1
    struck = bad = other_bytes = 0
    notes: list[str] = []
    for number in range(kills):
        with tempfile.TemporaryDirectory() as place:
            work = fresh(place)
            pid = forked(run(work))
            time.sleep(rng.random() * takes)
            ended, _ = os.waitpid(pid, os.WNOHANG)
            if not ended:
                os.kill(pid, signal.SIGKILL)
                struck += wait(pid) == -signal.SIGKILL
            status = wait(forked(run(work)))
            wrong, rows = differences(expected, contents(work, command.made))
            other_bytes += bool(rows)
            if status != 0 or wrong:
                bad += 1
                notes.append(f"    kill {number}: exit {status}, other files: {wrong}")
    row = f"{command.name:<16}{takes:>7.2f} s{kills:>7}{struck:>8}{kills - bad:>7}{other_bytes:>12}"
    return "\n".join([row, *notes]), bad


def main() -> int:
    """Runs it all and prints a table; returns how many kills were met badly."""
    heading = f"{'command':<16}{'takes':>9}{'kills':>7}{'struck':>8}{'good':>7}{'other bytes':>12}"
    return all_tried(kill, "kills", heading, str(__doc__))


def all_tried(
    tried: Callable[[Killed, Path, int, int], tuple[str, int]],
    things: str,
    heading: str,
    description: str,
) -> int:
    """Tries each command, prints a row for each and returns how many things were met badly."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument(f"--{things}", type=int, default=20, help=f"{things} per command")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="commands, by name")
    options = parser.parse_args()
    total = 0
    with tempfile.TemporaryDirectory() as place:
        good = Path(place) / "good"
        good.mkdir()
        make(good)
        print(heading)
        for command in COMMANDS:
            if not options.only or command.name in options.only:
                row, bad = tried(command, good, getattr(options, things), options.seed)
                print(row, flush=True)
                total += bad
    print(f"{total} {things} met badly")
    return total


if __name__ == "__main__":
    sys.exit(bool(main()))
