"""Runs coroutines, even within a running event loop, maps over items, and awaits answers."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import signal
import threading
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from dfactscore._errors import InputError

_T = TypeVar("_T")
_R = TypeVar("_R")
_P = ParamSpec("_P")


def run_sync(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Runs a coroutine and returns its result.

    If an event loop is already running (as in a notebook), another thread runs the coroutine.
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


def in_sync(function: Callable[_P, Coroutine[Any, Any, _T]]) -> Callable[_P, _T]:
    """Returns the synchronous version of a coroutine function; it also works in an event loop."""

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return run_sync(function(*args, **kwargs))

    return call


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def _at_once() -> Iterator[None]:
    """Raises `KeyboardInterrupt` immediately on Ctrl-C, as before Python 3.11.

    Since Python 3.11, asyncio delays the exception until the coroutine next waits, which it may
    never do.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


async def together(awaitables: Iterable[Awaitable[_R]]) -> list[_R]:
    """Awaits several awaitables concurrently.

    The first exception cancels the other awaitables and is raised once they have ended; otherwise
    the event loop would print their exceptions when it closes.
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

    Reads the next item only when a call can start, so that a long iterable is never held in memory.
    The first exception cancels the other calls and is then raised.
    """
    remaining = iter(items)
    running: dict[asyncio.Task[_R], _T] = {}

    async def call(item: _T) -> _R:
        return await function(item)

    def fill() -> None:
        for item in remaining:
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
    """Calls an async function on each item and returns the results in the items' order."""
    results: dict[int, _R] = {}

    async def call(numbered: tuple[int, _T]) -> _R:
        return await function(numbered[1])

    async for (number, _), result in map_concurrently(
        call, enumerate(items), concurrency=concurrency
    ):
        results[number] = result
        if advance is not None:
            advance(len(results))
    return [results[number] for number in range(len(results))]


async def resolve(answer: _T | Awaitable[_T]) -> _T:
    """Returns an answer, after awaiting it if it is awaitable."""
    return await answer if inspect.isawaitable(answer) else answer


async def resolve_all(answers: Sequence[_T | Awaitable[_T]]) -> list[_T]:
    """Returns answers in order; concurrently awaits those that are awaitable."""
    pending = [answer for answer in answers if inspect.isawaitable(answer)]
    if not pending:
        return [answer for answer in answers if not inspect.isawaitable(answer)]

    results = iter(await together(pending))
    return [next(results) if inspect.isawaitable(answer) else answer for answer in answers]


def typed_answers(
    kind: type[_T], answer: object, role: object, member: str, base: type, count: int | None
) -> tuple[_T, ...]:
    """Checks the items of an answer and returns them as a tuple."""
    expected = f"a list of {kind.__name__}"
    if isinstance(answer, (str, bytes, Mapping)) or not isinstance(answer, Iterable):
        raise wrong_answer(role, member, base, f"gave {_short(answer)}", expected)
    items = tuple(answer)
    for number, item in enumerate(items):
        if not isinstance(item, kind):
            problem = f"gave {_short(item)} as number {number}"
            raise wrong_answer(role, member, base, problem, expected)
    if count is not None and len(items) != count:
        raise wrong_answer(role, member, base, f"gave {len(items)} answers", f"{count}")
    return items


def wrong_answer(role: object, member: str, base: type, problem: str, expected: str) -> InputError:
    """Returns the error for an unusable answer, for the caller to raise."""
    return InputError(
        f"{type(role).__name__}.{member} (role {base.__name__}) {problem}; expected {expected}"
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
