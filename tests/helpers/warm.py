"""Loads a host once in a process, and runs the host's commands in forks of it.

    python warm.py MODULE … [-- MODULE[:FUNCTION] …]

Each line of standard input is a command as JSON, each line of standard output an exit status. A
fork equals ``python -m`` after its imports: it has the arguments, folder, variables and output of
the command, and ends like a process. Without forks (Windows), each command is a new process. After
``--`` come optional modules and functions to load in advance, which make commands faster.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple


class Done(NamedTuple):
    """The result of a command."""

    returncode: int
    output: str


class WarmHost:
    """Starts the process with the first command.

    Args:
        modules: Modules to load.
        environment: Environment variables of the process.
        used: Optional modules and functions to load in advance.
    """

    def __init__(
        self, modules: tuple[str, ...], environment: Mapping[str, str], used: tuple[str, ...] = ()
    ) -> None:
        self._modules, self._environment = (*modules, "--", *used), environment
        self._process: subprocess.Popen[str] | None = None

    def run(self, words: tuple[str, ...], folder: Path, **variables: str) -> Done:
        """Runs ``python -m`` with arguments."""
        with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as out:
            asked = {"words": words, "folder": str(folder), "env": variables, "out": out.name}
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, __file__, *self._modules],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    env={**self._environment, **variables},
                )
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            status = self._process.stdout.readline()
            assert status, "the warm process has ended"
            return Done(int(status), Path(out.name).read_text(encoding="utf-8", errors="replace"))

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.communicate()


def become(asked: dict) -> None:
    """Runs the command in this process."""
    os.chdir(asked["folder"])
    os.environ.update(asked["env"])
    written = os.open(asked["out"], os.O_WRONLY | os.O_APPEND)
    for target, source in ((0, os.open(os.devnull, os.O_RDONLY)), (1, written), (2, written)):
        os.dup2(source, target)
    sys.argv, sys.path[0] = list(asked["words"]), asked["folder"]
    runpy.run_module(asked["words"][0], run_name="__main__", alter_sys=True)


def use(name: str) -> None:
    """Loads a module and calls its function, if the host has them."""
    module, _, function = name.partition(":")
    with contextlib.suppress(ImportError, AttributeError):
        found = import_module(module)
        if function:
            getattr(found, function)()


def serve(words: list[str]) -> None:
    end = words.index("--")
    for name in words[:end]:
        import_module(name)
    for name in words[end + 1 :]:
        use(name)
    gc.freeze()  # so that forks do not write to shared memory
    for line in sys.stdin:
        process = os.fork()
        if not process:
            return become(json.loads(line))  # and ends normally
        _, status = os.waitpid(process, 0)
        os.write(1, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    return None


if __name__ == "__main__":
    serve(sys.argv[1:])
