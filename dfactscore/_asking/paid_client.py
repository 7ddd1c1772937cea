"""Base client for paid or slow services: shared limits, retries and shutdown."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from dfactscore._asking.errors import BudgetError, CacheError
from dfactscore._asking.limiter import Limiter
from dfactscore._asking.transport import Transient
from dfactscore._errors import DFactScoreError
from dfactscore._util.retry_policy import RetryPolicy, backoff
from dfactscore._util.usage import Tally, Usage

T = TypeVar("T")
R = TypeVar("R")


class PaidClient(ABC, Generic[T]):
    """A client for concurrent tasks, which sends identical requests only once."""

    def __init__(
        self, *, usage: Usage | None, policy: RetryPolicy, refuses: type[DFactScoreError]
    ) -> None:
        self.usage = usage if usage is not None else Usage()
        self.fatal: DFactScoreError | None = None
        self.begun: float | None = None
        self.answered: float | None = None
        self._policy = policy
        self._refuses = refuses
        self._loop: asyncio.AbstractEventLoop | None = None
        self._limiter: Limiter  # the running loop's
        self._pending: dict[bytes, asyncio.Future[T]] = {}
        self._under_way: set[asyncio.Future[None]] = set()

    @property
    def running(self) -> int:
        """The number of requests in flight."""
        count = len(self._under_way)
        return min(count, self._limiter.most) if count else 0

    @abstractmethod
    def _new_limiter(self) -> Limiter:
        """Creates the rate limits for an event loop."""

    def _enter_loop(self) -> bool:
        """Resets the state if the event loop has changed; returns whether it has."""
        loop = asyncio.get_running_loop()
        if loop is self._loop:
            return False
        # Pending requests belong to one loop; a client in a notebook may outlive several loops.
        self._loop, self.fatal = loop, None
        self._pending, self._under_way = {}, set()
        self._limiter = self._new_limiter()
        return True

    async def _shared_answer(self, key: bytes) -> T | None:
        """Returns the answer of another task that is sending the same request, or None."""
        while (pending := self._pending.get(key)) is not None:
            await asyncio.wait([pending])
            if not pending.cancelled():
                return pending.result()
        return None

    @contextmanager
    def _asked_once(self, key: bytes) -> Iterator[asyncio.Future[T]]:
        """Yields a future for the answer, which other tasks with the same request wait for."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending[key] = future
        try:
            yield future
        finally:
            self._pending.pop(key, None)
            if not future.done():
                future.cancel()

    @contextmanager
    def _paying(self) -> Iterator[None]:
        """Marks a request as in flight; it may finish before a limit stops the run."""
        under_way: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way.add(under_way)
        self.begun = self.begun or time.monotonic()
        try:
            yield
            self.answered = self.answered or time.monotonic()
        finally:
            self._under_way.discard(under_way)
            under_way.set_result(None)

    async def _until_answered(
        self,
        send: Callable[[], Awaitable[R]],
        *,
        tally: Tally,
        size: int = 0,  # number of tokens, for the rate limit
        stops: bool = True,
    ) -> R:
        """Sends a request and repeats it after temporary errors."""
        attempt = 0
        while True:
            try:
                if self.fatal is None:
                    await self._limiter.admit(size)
                if self.fatal is not None:
                    raise self.fatal
                return await send()
            except Transient as fault:
                if attempt >= self._retries(fault):
                    tally.add(failed=1)
                    error = self._given_up(fault, attempt + 1)
                    if isinstance(error, DFactScoreError):
                        self.fatal = error
                    raise error from None
                tally.add(retries=1)
                await self._wait(fault, attempt)
                attempt += 1
            except (BudgetError, CacheError, self._refuses) as error:
                if stops:
                    self.fatal = self.fatal or error
                    # All tasks wait here, since the first to raise cancels the others.
                    await self._finish_paid_requests()
                raise

    def _retries(self, fault: Transient) -> int:
        """Returns the number of retries allowed after an error."""
        return self._policy.retries

    @abstractmethod
    def _given_up(self, fault: Transient, attempts: int) -> Exception:
        """Returns the error for the last attempt; if a `DFactScoreError`, it stops the client."""

    async def _finish_paid_requests(self) -> None:
        """Waits until the requests in flight are answered and stored."""
        if running := {future for future in self._under_way if not future.done()}:
            await asyncio.wait(running)
        for _ in range(3):  # gives the tasks time to pass their answers to the cache
            await asyncio.sleep(0)

    async def _wait(self, fault: Transient, attempt: int) -> None:
        policy = self._policy
        pause = backoff(attempt, base=policy.backoff, cap=policy.longest)
        if fault.wait is not None:
            if fault.wait > policy.max_wait:
                self.fatal = self._refuses(
                    f"{fault.reason}: it asks to wait {fault.wait:.0f} s, more than max_wait "
                    f"{policy.max_wait:g}; run the same command later to resume"
                )
                raise self.fatal
            self._limiter.pause(fault.wait)
            pause = max(pause, fault.wait)
        await asyncio.sleep(pause)
