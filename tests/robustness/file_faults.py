"""Lets one opening, renaming or removal of a file fail in each command and runs the command again.

    python tests/robustness/file_faults.py --faults 20

The command must end with exit status 0, 1 or 2 and without a traceback; repeated without the fault,
it must end with exit status 0 and leave the bytes that it leaves without a fault. Each command is
tried twice: from nothing, and where a killed command has left its files. Printed are, for each
command, how many files it opens, renames and removes, and how many of the faults were met well.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz_files import call, fault
from kills import Killed, all_tried, contents, differences, forked, wait

_ERRORS = (errno.EMFILE, errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EIO)
_EVENTS = ("open", "os.rename", "os.remove", "os.truncate", "os.mkdir", "os.scandir", "os.listdir",
           "sqlite3.connect")  # fmt: skip


def watch(folder: Path, act: Callable[[int, str], None]) -> None:
    """Calls a function before each use of a file in a folder, with its number, from 0 on."""
    count = 0
    inside = str(folder.resolve())

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event in _EVENTS and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.join(os.getcwd(), os.fsdecode(arguments[0]))
            if path.startswith(inside):
                number, count = count, count + 1
                act(number, event)

    sys.addaudithook(hook)


def outcome(command: Killed, work: Path, act: Callable[[int, str], None]) -> tuple[int, str]:
    """Runs a command in a process of its own; returns its exit status and what is wrong with it."""
    read, write = os.pipe()

    def start() -> int:
        watch(work, act)
        answer = call(command.argv, work, seconds=300)
        os.write(write, fault(answer).encode()[:4000])
        return 70 if answer.status is None else answer.status

    pid = forked(start)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        wrong = pipe.read().decode()
    return wait(pid), wrong


def uses(command: Killed, good: Path) -> tuple[int, int]:
    """Returns the exit status of a command without a fault, and how many uses of files it makes."""
    with tempfile.TemporaryDirectory() as place:
        work = shutil.copytree(good, Path(place) / "w")
        log = Path(place) / "log"
        log.touch()
        file = os.open(log, os.O_WRONLY)
        status, _ = outcome(command, work, lambda number, _: os.write(file, b"x") and None)
        os.close(file)
        return status, log.stat().st_size


def fail_at(wanted: int, number: int, code: int) -> None:
    """Raises an error at the wanted use of a file."""
    if number == wanted:
        raise OSError(code, os.strerror(code))


def kill_at(wanted: int, number: int) -> None:
    """Kills this process at the wanted use of a file."""
    if number == wanted:
        os.kill(os.getpid(), signal.SIGKILL)


def tried(command: Killed, good: Path, faults: int, seed: int) -> tuple[str, int]:
    """The row of one command, and how many of its faults were met badly."""
    status, count = uses(command, good)
    with tempfile.TemporaryDirectory() as place:
        work = shutil.copytree(good, Path(place) / "w")
        outcome(command, work, lambda *_: None)
        expected = contents(work, command.made)
    if status != 0:
        return f"{command.name:<16} fails without a fault (exit {status})", 1
    notes: list[str] = []
    rng = random.Random(f"{seed} {command.name}")
    numbers = rng.sample(range(count), min(faults, count))
    for number in numbers:
        for resumed in (False, True):
            with tempfile.TemporaryDirectory() as place:
                work = shutil.copytree(good, Path(place) / "w")
                if resumed:
                    at = rng.randrange(count)
                    outcome(command, work, lambda n, _, at=at: kill_at(at, n))
                code = rng.choice(_ERRORS)
                _, wrong = outcome(command, work, lambda n, _, at=number, c=code: fail_at(at, n, c))
                again, _ = outcome(command, work, lambda *_: None)
                other, _ = differences(expected, contents(work, command.made))
                if wrong or again != 0 or other:
                    how = f"use {number}{', resumed' * resumed}, {errno.errorcode[code]}"
                    notes.append(f"    {how}: {wrong}; then exit {again}, other files: {other}")
    bad = len(notes)
    return "\n".join(
        [f"{command.name:<16}{count:>7}{2 * len(numbers):>8}{2 * len(numbers) - bad:>7}", *notes]
    ), bad


def main() -> int:
    """Runs it all and prints a table; returns how many faults were met badly."""
    heading = f"{'command':<16}{'uses':>7}{'faults':>8}{'good':>7}"
    return all_tried(tried, "faults", heading, str(__doc__))


if __name__ == "__main__":
    sys.exit(bool(main()))
