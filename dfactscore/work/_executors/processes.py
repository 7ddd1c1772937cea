"""Runs blocks in processes on this machine.

The processes are started by `multiprocessing` (spawn). Pools from `multiprocessing` and loky are
not suitable: if one process is killed, they drop all work in progress, and their workers can
outlive a killed parent. A pipe to each process and a thread that waits for it are sufficient.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore.work._executors.cores import cores
from dfactscore.work._executors.executor import named
from dfactscore.work._executors.logged import Answer
from dfactscore.work._executors.pool import PoolTask, Worker, WorkerLost, WorkerPool
from dfactscore.work._executors.worker import Begin, serve

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


_EXIT_SECONDS = 10  # time for an idle process to exit
_starting = threading.Lock()


class LocalExecutor(WorkerPool):
    """An executor with several processes on this machine; a process that dies is replaced."""

    def __init__(self, workers: int) -> None:
        threads = max(1, cores() // workers)
        super().__init__(workers, lambda number: _Process(number, threads))


@contextmanager
def _no_main() -> Iterator[None]:
    """Hides the main script, which a spawned process would run again."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class _Process(Worker):
    """A worker process, and the parent's end of the pipe to it."""

    def __init__(self, number: int, threads: int) -> None:
        context = get_context("spawn")
        parent_end, child_end = context.Pipe()
        self._pipe: Connection[Any, Any] = parent_end
        self._task: PoolTask | None = None
        self._busy = False
        self._process: BaseProcess = context.Process(
            target=serve,
            args=(child_end, number, threads),
            name=f"dfactscore-worker-{number}",
            daemon=True,
        )
        try:
            with _starting, _no_main():
                self._process.start()
        except OSError as error:  # it was killed at once, or there is no memory
            raise WorkerLost(f"it could not be started: {error.strerror}") from None
        finally:
            child_end.close()  # otherwise the pipe would stay open when the process dies

    def call(self, task: PoolTask, block: object) -> Answer:
        """Sends a block, preceded by the function if that is new, and waits for the answer."""
        name = named(task.function)
        if task is not self._task:
            self._ask(Begin(task.sent, task.gpus), name)
            self._task = task
        answer: Answer = self._ask(block, f"a block of {name}")
        return answer

    def _ask(self, message: object, what: str) -> Any:
        self._busy = True
        try:
            try:
                self._pipe.send(message)
            except OSError:
                raise
            except Exception as error:  # a pickle error, TypeError, AttributeError …
                raise InputError(
                    f"{what} cannot be sent to another process ({error}); use one worker"
                ) from error
            kind, value = self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerLost(self._exit_reason()) from None
        finally:
            self._busy = False
        if kind == "done":
            return value
        if kind == "failed":
            raise value.exception()
        if kind == "unread":
            raise InputError(
                f"{what} cannot be read in another process ({value}): define what it consists of "
                "in modules that can be imported, or use one worker"
            )
        raise InputError(f"the result for {what} cannot be sent between processes ({value})")

    def _exit_reason(self) -> str:
        self._process.join(5)
        code = self._process.exitcode
        return "it hung up" if code is None else f"exit status {code}"

    def end(self) -> None:
        """Stops the process: an idle process exits; a busy one is killed."""
        if not self._busy:
            self._pipe.close()
            self._process.join(_EXIT_SECONDS)
        self._process.kill()
        self._process.join()
        self._pipe.close()
