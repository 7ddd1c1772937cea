"""Distributes blocks over workers: order, bounds, retries."""

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
    """A worker ended in the middle of a block; the message says how."""


class PoolTask:
    """A function on its way over blocks.

    Attributes:
        function: The function.
        sent: The content for a worker: the function, with what it logs.
        gpus: The number of GPUs per worker.
    """

    __slots__ = ("function", "gpus", "sent")

    def __init__(self, function: Callable[[Any], Any], gpus: int) -> None:
        self.function, self.gpus = function, gpus
        self.sent = Logged.of(function)


class Worker(Protocol):
    """One process, here or elsewhere, that works on one block at a time."""

    def call(self, task: PoolTask, block: object) -> Answer:
        """Returns the result of a block.

        Raises:
            WorkerLost: The worker is not there any more.
        """

    def end(self) -> None:
        """Ends the worker, whatever it is doing; may be called from another thread, and twice."""


class WorkerPool:
    """Keeps workers busy, each with a thread here that waits for it.

    Args:
        workers: The number of workers; they are started when they are needed.
        start: Starts the worker of a number from 0; called again where one was lost.
    """

    def __init__(self, workers: int, start: Callable[[int], Worker]) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self.workers = workers
        self._start = start
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="dfactscore-worker")
        self._free: queue.LifoQueue[int] = queue.LifoQueue()
        for number in reversed(range(workers)):
            self._free.put(number)
        self._at_work: dict[int, Worker] = {}
        self._lock = threading.Lock()
        self._closed = False

    def map_blocks(
        self, function: Function[_Block, _Result], blocks: Iterable[_Block], *, gpus: int = 0
    ) -> Iterator[_Result]:
        """As in `Executor`."""
        check_sendable(function)
        return self._results(PoolTask(function, gpus), blocks)

    def _results(self, task: PoolTask, blocks: Iterable[Any]) -> Iterator[Any]:
        waiting: deque[Future[Any]] = deque()
        try:
            for number, block in enumerate(blocks):
                waiting.append(self._threads.submit(self._work, task, number, block))
                if len(waiting) >= 2 * self.workers:  # results wait for the one before them
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def _work(self, task: PoolTask, number: int, block: object) -> Any:
        """One block, begun up to three times; runs in a thread."""
        place = self._free.get()
        try:
            for turn in range(TRIES):
                try:
                    answer = self._worker(place).call(task, block)
                    break
                except WorkerLost as lost:
                    self._drop(place)
                    if self._closed:
                        raise
                    if turn == TRIES - 1:
                        raise WorkerError(
                            f"block {number} of {named(task.function)} ({short_repr(block)}): its "
                            f"worker was lost {TRIES} times ({lost}); is there enough memory?"
                        ) from None
        finally:
            self._free.put(place)
        return answer.deliver()

    def _worker(self, place: int) -> Worker:
        with self._lock:
            if self._closed:
                raise WorkerLost("the executor was closed")
            worker = self._at_work.get(place)
        if worker is None:
            worker = self._start(place)
            with self._lock:
                self._at_work[place] = worker
                late = self._closed
            if late:
                worker.end()
                raise WorkerLost("the executor was closed")
        return worker

    def _drop(self, place: int) -> None:
        with self._lock:
            worker = self._at_work.pop(place, None)
        if worker is not None:
            worker.end()

    def check_files(self, paths: Iterable[Path]) -> None:
        """Does nothing: the files of this machine are those that will be read."""

    def close(self) -> None:
        """Ends the workers, also in the middle of a block; a second call does nothing."""
        with self._lock:
            self._closed = True
            workers = list(self._at_work.values())
            self._at_work.clear()
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
