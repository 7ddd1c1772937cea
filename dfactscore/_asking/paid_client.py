"""Base client for paid or slow services: one limit, one set of retries, one end for all."""

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
    """One thing that is asked, by any number of tasks at once; the same question is paid for once.

    Args:
        usage: Books shared with other clients.
        patience: The number of retries and the longest wait.
        refuses: The error of every request, that says so to the user.

    Attributes:
        fatal: The error that stopped it, for later requests.
        begun: The time of the first request, by `time.monotonic`; None before.
        answered: The time of the first answer.
    """

    def __init__(
        self, *, usage: Usage | None, patience: RetryPolicy, refuses: type[DFactScoreError]
    ) -> None:
        self.usage = usage if usage is not None else Usage()
        self.fatal: DFactScoreError | None = None
        self.begun: float | None = None
        self.answered: float | None = None
        self._patience = patience
        self._refuses = refuses
        self._loop: asyncio.AbstractEventLoop | None = None
        self._limiter: Limiter  # of the running loop
        self._pending: dict[bytes, asyncio.Future[T]] = {}
        self._under_way: set[asyncio.Future[None]] = set()

    @property
    def running(self) -> int:
        """The number of requests in flight, without those in the queue."""
        begun = len(self._under_way)
        return min(begun, self._limiter.most) if begun else 0

    @abstractmethod
    def _new_limiter(self) -> Limiter:
        """The rate limits."""

    def _enter_loop(self) -> bool:
        """Begins again where the event loop is another; says whether it is."""
        loop = asyncio.get_running_loop()
        if loop is self._loop:
            return False
        # Waiting requests belong to a loop; a client in a notebook outlives several.
        self._loop, self.fatal = loop, None
        self._pending, self._under_way = {}, set()
        self._limiter = self._new_limiter()
        return True

    async def _of_another(self, key: bytes) -> T | None:
        """Shares the answer with another task that sends the same request; None if none does."""
        while (pending := self._pending.get(key)) is not None:
            await asyncio.wait([pending])
            if not pending.cancelled():
                return pending.result()
        return None

    @contextmanager
    def _asked_once(self, key: bytes) -> Iterator[asyncio.Future[T]]:
        """Lets others who ask the same wait for what is set as the result."""
        mine: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending[key] = mine
        try:
            yield mine
        finally:
            self._pending.pop(key, None)
            if not mine.done():
                mine.cancel()

    @contextmanager
    def _paying(self) -> Iterator[None]:
        """Marks a request in flight, which finishes before a limit stops the run."""
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
        size: int = 0,
        stops: bool = True,
    ) -> R:
        """Sends until there is an answer, the fault cannot pass, or there were enough attempts.

        Args:
            send: Sends once.
            tally: The counter of attempts.
            size: Tokens, for the limit.
            stops: Whether the refusal of this request applies to all.
        """
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
                    # Also by who meets it second: the first to leave ends the others.
                    await self._finish_what_is_paid()
                raise

    def _retries(self, fault: Transient) -> int:
        """Attempts after the first, given a fault."""
        return self._patience.retries

    @abstractmethod
    def _given_up(self, fault: Transient, attempts: int) -> Exception:
        """Failure of a request; a `DFactScoreError` ends all others, too."""

    async def _finish_what_is_paid(self) -> None:
        """Waits for requests in flight and stores their answers before the run stops."""
        if others := {one for one in self._under_way if not one.done()}:
            await asyncio.wait(others)
        for _ in range(3):  # From the answer to the cache's queue there is no other wait.
            await asyncio.sleep(0)

    async def _wait(self, fault: Transient, attempt: int) -> None:
        patience = self._patience
        pause = backoff(attempt, base=patience.backoff, cap=patience.longest)
        if fault.wait is not None:
            if fault.wait > patience.max_wait:
                self.fatal = self._refuses(
                    f"{fault.reason}: it asks to wait {fault.wait:.0f} s, more than max_wait "
                    f"{patience.max_wait:g}; run the same command later to resume"
                )
                raise self.fatal
            self._limiter.pause(fault.wait)
            pause = max(pause, fault.wait)
        await asyncio.sleep(pause)
