"""Puts what is not a file, or has no end, in the place of every file that a command reads.

    python benchmarks/fuzz_special.py
    python benchmarks/fuzz_special.py --only "score csv" --kinds pipe,zeros

The commands and files are those of `fuzz_files.py`. Each runs in a process of its own, which must
end within a minute with one line or well, and hold less than a gigabyte.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import fuzz_files
from fuzz_targets import TARGETS, Target

MOST = 1_000_000  # kilobytes
SECONDS = 60
_GIGABYTES = 3


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # a socket's path is at most a hundred characters long
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(before)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(_GIGABYTES << 30)


def _line(path: Path) -> None:
    path.write_bytes(b"x" * (80 << 20))


def _bomb(path: Path) -> None:
    """What unpacks to gigabytes, where the name says that it is packed."""
    block = b"\0" * (1 << 20)
    if path.suffix == ".xlsx":
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file,
            file.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet,
        ):
            for _ in range(_GIGABYTES << 10):
                sheet.write(block)
        return
    with gzip.open(path, "wb", 1) as file:
        for _ in range(_GIGABYTES << 10):
            file.write(block)


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": lambda path: os.mkfifo(path),
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "nothing": lambda path: path.symlink_to("/dev/null"),
    "socket": _socket,
    "sparse": _sparse,
    "line": _line,
    "folder": lambda path: path.mkdir(),
    "loop": lambda path: path.symlink_to(path.name),
    "bomb": _bomb,
}
_PACKED = (".gz", ".xlsx")


def run(target: Target, work: Path) -> tuple[str, int | None, str]:
    """What is wrong with how the command ends, its status and its last line."""
    receive, send = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(receive)
        # What it holds without its file is not counted; an allocation beyond any bound fails.
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        answer = fuzz_files.call(target.argv, work, SECONDS, target.program)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        problem = fuzz_files.fault(answer, target.program)
        if not problem and most > MOST:
            problem = f"holds {most / 1000:,.0f} MB ({before / 1000:,.0f} before)"
        last = answer.said.strip().rsplit("\n", 1)[-1]
        with os.fdopen(send, "w") as out:
            json.dump((problem, answer.status, last), out)
        os._exit(0)
    os.close(send)
    previous = signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
    signal.alarm(SECONDS + 10)
    with os.fdopen(receive) as out:
        said = out.read()
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not said:
        return f"died or hung ({status})", None, ""
    return tuple(json.loads(said))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main() -> int:
    """Runs it all and prints what failed; returns how many did."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="commands, by name")
    parser.add_argument("--kinds", default=",".join(KINDS), help="what is put there")
    parser.add_argument("--show", action="store_true", help="print the last line of each")
    options = parser.parse_args()
    fuzz_files.hurry()
    statuses: Counter[int | None] = Counter()
    faults = 0
    with tempfile.TemporaryDirectory() as place:
        good = Path(place) / "good"
        good.mkdir()
        fuzz_files.make_files(good)
        for target in TARGETS:
            if options.only and target.name not in options.only:
                continue
            for name in target.files:
                for kind in options.kinds.split(","):
                    if kind == "bomb" and not name.endswith(_PACKED):
                        continue
                    work = Path(place) / "w"
                    shutil.copytree(good, work)
                    _remove(work / name)
                    KINDS[kind](work / name)
                    problem, status, last = run(target, work)
                    statuses[status] += 1
                    if problem or options.show:
                        print(f"{target.name}: {name}: {kind}: {problem or status}: {last[:200]}",
                              flush=True)  # fmt: skip
                    faults += bool(problem)
                    shutil.rmtree(work)
        print(f"{sum(statuses.values()):,} runs, by status {dict(statuses)}, {faults} faults")
    return faults


if __name__ == "__main__":
    sys.exit(bool(main()))
