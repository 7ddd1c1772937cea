"""Distributes blocks among processes, in order and with retries."""

from __future__ import annotations

import queue
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dfactscore._errors import InputError, WorkerError
from dfactscore._util.message_text import short_repr
from dfactscore.work._executors.executor import TRIES, Function, check_sendable, cores, named
from dfactscore.work._executors.worker import Begin, BlockResult, Logged, serve

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


_Block = TypeVar("_Block")
_Result = TypeVar("_Result")


class WorkerLost(Exception):
    """Raised if a worker has died; the message gives the reason."""


class PoolTask:
    """A function that is called on blocks."""

    __slots__ = ("function", "gpus", "sent")

    def __init__(self, function: Callable[[Any], Any], gpus: int) -> None:
        self.function, self.gpus = function, gpus
        self.sent = Logged.of(function)


class Worker(Protocol):
    """A process, on this machine or another, that works on one block at a time."""

    def call(self, task: PoolTask, block: object) -> BlockResult:
        """Processes a block and returns the result."""

    def end(self) -> None:
        """Stops the worker, even during a block; may be called twice or from another thread."""


class WorkerPool:
    """A pool of workers, each with a thread in this process that waits for its results."""

    def __init__(self, workers: int, start: Callable[[int], Worker]) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self.workers = workers
        self._start = start
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="dfactscore-worker")
        self._free: queue.LifoQueue[int] = queue.LifoQueue()
        for number in reversed(range(workers)):
            self._free.put(number)
        self._running: dict[int, Worker] = {}
        self._lock = threading.Lock()
        self._closed = False

    def map_blocks(
        self, function: Function[_Block, _Result], blocks: Iterable[_Block], *, gpus: int = 0
    ) -> Iterator[_Result]:
        """Calls a function on blocks; see `Executor.map_blocks`."""
        check_sendable(function)
        return self._results(PoolTask(function, gpus), blocks)

    def _results(self, task: PoolTask, blocks: Iterable[Any]) -> Iterator[Any]:
        waiting: deque[Future[Any]] = deque()
        try:
            for number, block in enumerate(blocks):
                waiting.append(self._threads.submit(self._work, task, number, block))
                if len(waiting) >= 2 * self.workers:  # results are yielded in order
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def _work(self, task: PoolTask, number: int, block: object) -> Any:
        """Processes a block, trying up to three workers; runs in a thread."""
        slot = self._free.get()
        try:
            for turn in range(TRIES):
                try:
                    answer = self._worker(slot).call(task, block)
                    break
                except WorkerLost as lost:
                    self._drop(slot)
                    if self._closed:
                        raise
                    if turn == TRIES - 1:
                        raise WorkerError(
                            f"block {number} of {named(task.function)} ({short_repr(block)}): its "
                            f"worker was lost {TRIES} times ({lost}); is there enough memory?"
                        ) from None
        finally:
            self._free.put(slot)
        return answer.deliver()

    def _worker(self, slot: int) -> Worker:
        with self._lock:
            if self._closed:
                raise WorkerLost("the executor was closed")
            worker = self._running.get(slot)
        if worker is None:
            worker = self._start(slot)
            with self._lock:
                self._running[slot] = worker
                closed = self._closed
            if closed:
                worker.end()
                raise WorkerLost("the executor was closed")
        return worker

    def _drop(self, slot: int) -> None:
        with self._lock:
            worker = self._running.pop(slot, None)
        if worker is not None:
            worker.end()

    def check_files(self, paths: Iterable[Path]) -> None:
        """Has no effect, because workers read the files of this machine."""

    def close(self) -> None:
        """Stops the workers, even during a block; a second call has no effect."""
        with self._lock:
            self._closed = True
            workers = list(self._running.values())
            self._running.clear()
        ending = [threading.Thread(target=worker.end) for worker in workers]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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

    def call(self, task: PoolTask, block: object) -> BlockResult:
        """Sends a block, preceded by the function if that is new, and waits for the answer."""
        name = named(task.function)
        if task is not self._task:
            self._ask(Begin(task.sent, task.gpus), name)
            self._task = task
        answer: BlockResult = self._ask(block, f"a block of {name}")
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
