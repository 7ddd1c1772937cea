"""Functions over blocks that the tests of executors send to other processes."""

import atexit
import logging
import os
import signal
import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dfactscore._errors import InputError, MissingExtraError
from dfactscore.retrieval._errors import RecordError


def square(block):
    return [number * number for number in block]


def logs(number):
    """Logs messages and a warning, then fails for odd numbers."""
    logging.getLogger("dfactscore.retrieval").info("block %d", number)
    logging.getLogger("dfactscore.retrieval").debug("no one asks for this")
    if number % 2:
        logging.getLogger("dfactscore").warning("100 % odd")
        raise InputError("odd")
    return number


def process(block):
    return os.getpid()


def raise_named(kind):
    if kind == "input":
        raise InputError("ann.txt:3: no name")
    if kind == "extra":
        raise MissingExtraError("Plotting", "plot")
    if kind == "record":
        raise RecordError("a.jsonl:7", "no text")
    if kind == "unicode":
        b"\xff".decode()
    if kind == "file":
        Path("/nowhere/at/all").read_text()
    if kind == "local":

        class Odd(Exception):
            pass

        raise Odd("of a class that cannot be sent")
    if kind == "exit":
        raise SystemExit(3)
    return kind


def lock_result(block):
    return threading.Lock()


def kill_self(folder):
    """Kills its process once per file in a folder, and removes the file."""
    for path in sorted(Path(folder).glob("kill*")):
        try:
            path.unlink()
        except FileNotFoundError:  # another worker has it
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def slow_pid(folder):
    (Path(folder) / f"{os.getpid()}.pid").touch()
    time.sleep(600)


def pid_without_threads(folder):
    """Writes its process id, then blocks forever in a call that holds the interpreter lock."""
    Path(folder, f"{os.getpid()}.pid").touch()
    return sum(range(10**15))


@dataclass
class Scaled:
    """A callable object with state, created once per process."""

    folder: str
    payload: bytes = field(default=b"", repr=False)

    @cached_property
    def factor(self):
        made = Path(self.folder) / f"made-{os.getpid()}-{time.monotonic_ns()}"
        made.write_bytes(b"")
        return 10

    def __call__(self, block):
        return self.factor * block


@dataclass
class Ending:
    """Writes a file when its process ends normally."""

    folder: str

    def __post_init__(self):
        self.begun = False

    def __call__(self, block):
        if not self.begun:
            self.begun = True
            atexit.register((Path(self.folder) / f"{os.getpid()}").touch)
