"""Distributes blocks among workers, in order and with retries."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dfactscore._errors import WorkerError
from dfactscore._util.printable import short_repr
from dfactscore.work._executors.executor import TRIES, Function, check_sendable, named
from dfactscore.work._executors.logged import Answer, Logged

if TYPE_CHECKING:
    from concurrent.futures import Future


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

    def call(self, task: PoolTask, block: object) -> Answer:
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
