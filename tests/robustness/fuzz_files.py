"""Damages every file that a command reads, in many ways, and looks at what the command says.

    python tests/robustness/fuzz_files.py --files 2000
    python tests/robustness/fuzz_files.py --files 200 --only "score csv" --only rescore
    python tests/robustness/fuzz_files.py --special

With ``--special`` each file is not damaged but replaced by what is not a file or has no end
(`fuzz_special.py`); a command must then end within three minutes, and hold less than a gigabyte.

For each command a folder of good files is made from the shipped example. Then, for each damaged
file, the command runs in this process, and what it says is checked: exit status 0, 1 or 2, no
traceback; where it refuses, one line that begins with ``dfactscore: ``, and no place in another
style than ``file:line``; and at most two seconds of processor time, and two more for each megabyte
of the damaged file. Printed are the numbers by command and every kind of failure with its
seed. One process a command, so that a crash of a library ends that command's row only.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fuzz_good
from fuzz_damage import damage
from fuzz_special import KINDS, put, remove
from fuzz_targets import TARGETS, Target

SECONDS = 60
MOST = 1_000_000  # kilobytes
SLOW = 2.0  # seconds of processor time, and as many a megabyte
_OTHER_STYLE = re.compile(r"\bline \d+ of |, line \d+|\(line \d+\)$")


@dataclass
class Answer:
    """The outcome of a command."""

    status: int | None
    said: str
    failure: str
    seconds: float


class _TooLong(BaseException):
    pass


def call(
    argv: tuple[str, ...], folder: Path, seconds: int = SECONDS, program: str = "dfactscore"
) -> Answer:
    """Runs a command in this process, as the shell would."""
    if program == "dfactscore":
        from dfactscore._cli.app import main
    else:
        from dfactscore.factscorer._command import main

    def late(*_: Any) -> None:
        raise _TooLong

    out, err = io.StringIO(), io.StringIO()
    begun = time.process_time()
    status: int | None = 0
    failure = ""
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        with (
            _inside(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _arguments([program, *argv]),
        ):
            main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(bool(end.code))
    except _TooLong:
        status, failure = None, f"took more than {seconds} s"
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        status, failure = None, f"{type(error).__name__} at {place}: {str(error)[:120]}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return Answer(status, err.getvalue(), failure, time.process_time() - begun)


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _arguments(argv: list[str]) -> Iterator[None]:
    before, sys.argv = sys.argv, argv
    said = warnings.formatwarning
    try:
        with warnings.catch_warnings():
            yield
    finally:
        sys.argv, warnings.formatwarning = before, said


def fault(answer: Answer, program: str = "dfactscore") -> str:
    """Returns the problem with the outcome of a command; empty if there is none."""
    if answer.failure:
        return answer.failure
    if answer.status not in (0, 1, 2):
        return f"exit status {answer.status}"
    if "Traceback" in answer.said:
        return "prints a traceback"
    lines = [line for line in answer.said.split("\n") if line]
    own = f"{program}: "
    refusals = [line for line in lines if line.startswith(own) and "warning" not in line]
    if answer.status == 2:
        if not lines or not lines[-1].startswith(own):
            return f"refuses without a line of its own: {answer.said[-200:]!r}"
        if len(refusals) > 1 and program == "dfactscore":  # the other one marks notes so, too
            return f"refuses in {len(refusals)} lines"
        if len(lines[-1]) > 1200:
            return f"refuses in {len(lines[-1]):,} letters"
    for line in lines:
        if _OTHER_STYLE.search(line):
            return f"names a place in another style: {_OTHER_STYLE.search(line)[0]!r}"
    return ""


def make_files(folder: Path) -> None:
    """Makes the good files that the commands read."""
    fuzz_good.make_files(folder, call)


@dataclass
class Row:
    """The numbers of one command."""

    name: str
    runs: int = 0
    statuses: Counter[int | None] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)
    slowest: float = 0.0


def fuzz(target: Target, good: Path, files: int, seed: int, *, timed: bool = False) -> Row:
    """Damages a command's files one after the other; slow ones are faults where it is timed."""
    row = Row(target.name)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) / "w"
        shutil.copytree(good, work)
        whole = call(target.argv, work, program=target.program)
        if whole.status != 0:
            row.faults[f"fails on good files: {whole.said[-300:]!r} {whole.failure}"] = [""]
            return row
        _restore(good, work, target)
        read = [name for name in target.files if (work / name).exists()]
        for number in range(files if read else 0):
            name = read[number % len(read)]
            rng = random.Random(f"{seed} {target.name} {number}")
            damaged = damage((good / name).read_bytes(), rng)
            (work / name).write_bytes(damaged)
            answer = call(target.argv, work, program=target.program)
            row.runs += 1
            row.statuses[answer.status] += 1
            row.slowest = max(row.slowest, answer.seconds)
            problem = fault(answer, target.program)
            if timed and not problem and answer.seconds > SLOW * (1 + len(damaged) / 1e6):
                problem = f"takes more than {SLOW:g} s and as much a megabyte"
            if problem:
                row.faults.setdefault(problem, []).append(f"{name} #{number}")
            _restore(good, work, target)
    return row


def replace_files(target: Target, good: Path) -> Row:
    """Replaces a command's files one after the other by what has no end or is not a file."""
    import resource  # not on Windows

    row = Row(target.name)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) / "w"
        shutil.copytree(good, work)
        for name in (name for name in target.files if (work / name).exists()):
            for kind in KINDS:
                if not put(kind, work / name):
                    continue
                answer = call(target.argv, work, 3 * SECONDS, target.program)
                row.runs += 1
                row.statuses[answer.status] += 1
                row.slowest = max(row.slowest, answer.seconds)
                held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                problem = fault(answer, target.program)
                if not problem and held > MOST:
                    problem = f"holds {held / 1000:,.0f} MB"
                if problem:
                    row.faults.setdefault(problem, []).append(f"{name} {kind}")
                remove(work / name)
                _restore(good, work, target)
    return row


def _restore(good: Path, work: Path, target: Target) -> None:
    """Puts back what the command may have changed."""
    for name in target.made:
        remove(work / name)
    for top in {Path(name).parts[0] for name in target.files}:
        if (good / top).is_dir():
            shutil.rmtree(work / top)
            shutil.copytree(good / top, work / top)
        else:
            for suffix in ("-wal", "-shm", "-journal"):
                (work / (top + suffix)).unlink(missing_ok=True)
            shutil.copy(good / top, work / top)


def _in_process(work: Callable[[], Row], name: str) -> Row:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=lambda: sender.send(work()))
    process.start()
    sender.close()
    try:
        row: Row = receiver.recv()
    except EOFError:
        process.join()
        row = Row(name, faults={f"the process died ({process.exitcode})": [""]})
    process.join()
    return row


def hurry(replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Leaves out what takes time and changes nothing: waits for the disk, building options."""
    import typer.main

    replace(os, "fsync", lambda descriptor: None)
    replace(typer.main, "get_command", functools.cache(typer.main.get_command))


def main(
    arguments: list[str] | None = None,
    say: Callable[[str], None] = print,
) -> int:
    """Runs it all and prints a table; returns how many runs were faulty."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=2000, help="damaged files a command")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--special", action="store_true", help="replace files, damage none")
    parser.add_argument("--only", action="append", default=[], help="commands, by name")
    options = parser.parse_args(arguments)
    chosen = [t for t in TARGETS if not options.only or t.name in options.only]
    hurry()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        good = Path(place) / "good"
        good.mkdir()
        make_files(good)
        say(f"{'command':<24}   runs   done partly refused  fault  slowest")
        for target in chosen:
            work = functools.partial(fuzz, target, good, options.files, options.seed, timed=True)
            if options.special:
                work = functools.partial(replace_files, target, good)
            row = _in_process(work, target.name)
            faulty = sum(map(len, row.faults.values()))
            s = row.statuses
            say(f"{row.name:<24}{row.runs:>7}{s[0]:>7}{s[1]:>7}{s[2]:>8}{faulty:>7}"
                f"  {row.slowest:.2f} s")  # fmt: skip
            for problem, seeds in sorted(row.faults.items(), key=lambda item: -len(item[1])):
                say(f"    {len(seeds)} x {problem}  [{seeds[0]}]")
            total.update(runs=row.runs, faulty=faulty)
    say(f"{total['runs']:,} runs, {total['faulty']:,} faulty")
    return total["faulty"]


if __name__ == "__main__":
    sys.exit(bool(main()))
