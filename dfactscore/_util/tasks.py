"""Runs coroutines: without an event loop if none is needed, inside a running one too."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


def run_sync(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Runs a coroutine to its end.

    If an event loop is running already (a notebook), it runs in a loop of its own in another
    thread, and the caller waits.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with _at_once():
            return asyncio.run(coroutine)
    box: list[_T | BaseException] = []

    def work() -> None:
        try:
            box.append(asyncio.run(coroutine))
        except BaseException as error:
            box.append(error)

    thread = threading.Thread(target=work, name="dfactscore", daemon=True)
    thread.start()
    thread.join()
    result = box[0]
    if isinstance(result, BaseException):
        raise result
    return result


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def _at_once() -> Iterator[None]:
    """Raises Ctrl-C where it finds the work, as before Python 3.11.

    Since then asyncio keeps it until the coroutine next waits, and drops it where that never does.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


async def together(awaitables: Iterable[Awaitable[_R]]) -> list[_R]:
    """Awaits several things at the same time, and leaves none behind.

    The first exception cancels the others and is raised when they have ended: one that failed
    unseen would be printed when the event loop closes.
    """
    tasks = [asyncio.ensure_future(awaitable) for awaitable in awaitables]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


async def map_concurrently(
    function: Callable[[_T], Awaitable[_R]], items: Iterable[_T], *, concurrency: int
) -> AsyncIterator[tuple[_T, _R]]:
    """Calls an async function on each item, at most `concurrency` at a time.

    Items are taken as there is room, so that a long iterable is never held whole. The first
    exception cancels the rest and is raised.

    Yields:
        Each item with its result, as they come.
    """
    waiting = iter(items)
    running: dict[asyncio.Task[_R], _T] = {}

    async def call(item: _T) -> _R:
        return await function(item)

    def fill() -> None:
        for item in waiting:
            running[asyncio.create_task(call(item))] = item
            if len(running) >= concurrency:
                break

    try:
        fill()
        while running:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=list(running).index):
                item = running.pop(task)
                yield item, task.result()
            fill()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def map_in_order(
    function: Callable[[_T], Awaitable[_R]],
    items: Iterable[_T],
    *,
    concurrency: int,
    advance: Callable[[int], object] | None = None,
) -> list[_R]:
    """As `map_concurrently`, with all results in the order of the items.

    Args:
        function: Is called with each item.
        items: The items.
        concurrency: The largest number of concurrent calls.
        advance: Is called with how many are done, after each.
    """
    found: dict[int, _R] = {}

    async def call(numbered: tuple[int, _T]) -> _R:
        return await function(numbered[1])

    async for (number, _), result in map_concurrently(
        call, enumerate(items), concurrency=concurrency
    ):
        found[number] = result
        if advance is not None:
            advance(len(found))
    return [found[number] for number in range(len(found))]
