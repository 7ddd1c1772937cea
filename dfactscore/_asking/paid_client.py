"""Base client for paid or slow services: shared limits, retries and shutdown."""

from __future__ import annotations

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from dfactscore._asking.transport import Transient
from dfactscore._errors import DFactScoreError
from dfactscore._util.fetching import RetryPolicy, backoff
from dfactscore._util.usage import Tally, Usage, note_call

_IN_FLIGHT: WeakKeyDictionary[asyncio.AbstractEventLoop, set[asyncio.Future[None]]] = (
    WeakKeyDictionary()
)


class TokenBucket:
    """A rate limit of `per_minute` units, of which at most a sixth can be used at once."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = per_minute / 60.0
        # If a run started with a minute's worth at once, the provider would refuse the next
        # requests. Ten seconds' worth is safe and does not slow a long run.
        self.burst = max(per_minute / 6.0, 1.0)
        self.level = self.burst
        self.clock = clock
        self.stamp = clock()

    def take(self, units: float) -> float:
        """Takes units and returns how many seconds to wait before using them."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.stamp) * self.rate)
        self.stamp = now
        # A negative level is a debt for which later callers wait, in order.
        self.level -= units
        return max(0.0, -self.level / self.rate)

    def give_back(self, units: float) -> None:
        """Gives back unused units."""
        self.level += units


class Limiter:
    """Limits the requests of an event loop."""

    def __init__(
        self,
        concurrency: int,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        # Number of seconds below which an answer shows that the server can take more concurrent
        # requests.
        quick: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._slots = asyncio.Semaphore(concurrency)
        self._most = self._limit = concurrency
        self._quick, self._clock = quick, clock
        self._quick_ones = 0
        self._open = 0
        self._waiting: set[asyncio.Future[None]] = set()
        self._crowded_at = self._lowered_at = clock()
        self._answered = 0
        self._requests = TokenBucket(requests_per_minute) if requests_per_minute else None
        self._tokens = TokenBucket(tokens_per_minute) if tokens_per_minute else None
        self._resume_at = 0.0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Holds a slot for a question and its retries."""
        async with self._slots:
            yield

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[float]:
        """Holds a slot for a concurrent request; yields the start time."""
        while self._open >= self._most:
            freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(freed)
            try:
                await freed
            finally:
                self._waiting.discard(freed)
        begun = self._clock()
        self._open += 1
        if self._open > 1:
            self._crowded_at = begun
        try:
            yield begun
            self._answered += 1
            self._raise(self._clock() - begun)
        finally:
            self._open -= 1
            for freed in self._waiting:
                if not freed.done():
                    freed.set_result(None)

    @property
    def most(self) -> int:
        """The current maximum number of concurrent requests."""
        return self._most

    def start(self, most: int) -> None:
        """Sets a lower initial maximum, which doubles after as many quick answers in a row.

        A server with fewer slots than requests queues the excess, and any request that waits in the
        queue beyond the timeout is lost.
        """
        self._most, self._quick_ones = max(1, min(most, self._limit)), 0

    def _raise(self, seconds: float) -> None:
        self._quick_ones = self._quick_ones + 1 if seconds <= self._quick else 0
        if self._quick_ones >= self._most < self._limit:
            self._most, self._quick_ones = min(2 * self._most, self._limit), 0

    def lower(self, begun: float) -> int | None:
        """Lowers the maximum after a timeout to half, or to the number of answers if lower."""
        # Returns the new maximum; None if it stays the same, because the request ran alone or began
        # before the last change.
        if self._most == 1 or begun < self._lowered_at or begun > self._crowded_at:
            return None
        self._most = self._limit = max(1, min(self._most // 2, self._answered))
        self._lowered_at, self._answered, self._quick_ones = self._clock(), 0, 0
        return self._most

    async def admit(self, tokens: int) -> None:
        """Waits until the rate limits admit a request of this size."""
        wait = 0.0
        if self._requests:
            wait = self._requests.take(1)
        if self._tokens:
            wait = max(wait, self._tokens.take(tokens))
        if wait:
            await asyncio.sleep(wait)
        while (pause := self._resume_at - time.monotonic()) > 0:
            await asyncio.sleep(pause)

    def settle(self, reserved: int, used: int) -> None:
        """Corrects the token budget, given the actual number of tokens."""
        if self._tokens:
            self._tokens.give_back(reserved - used)

    def pause(self, seconds: float) -> None:
        """Delays all new requests, as the server's ``Retry-After`` applies to all of them."""
        self._resume_at = max(self._resume_at, time.monotonic() + seconds)


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
        in_flight = self._in_flight()
        in_flight.add(under_way)
        self.begun = self.begun or time.monotonic()
        try:
            yield
            self.answered = self.answered or time.monotonic()
        finally:
            self._under_way.discard(under_way)
            in_flight.discard(under_way)
            under_way.set_result(None)

    @contextmanager
    def _charged(self, tally: Tally, **counts: float | None) -> Iterator[None]:
        """Counts a call from the moment it is sent, since a killed process may have to pay it."""
        tally.add(calls=1, **counts)
        note_call()
        try:
            yield
        except Exception:  # the service did not answer
            tally.add(calls=-1, **{name: -(count or 0) for name, count in counts.items()})
            note_call()
            raise
        except BaseException:
            tally.add(canceled=1)
            note_call()
            raise

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Marks a paid answer that is not stored yet, for which a stop of the run waits."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        in_flight = self._in_flight()
        in_flight.add(stored)
        try:
            yield
        finally:
            in_flight.discard(stored)
            stored.set_result(None)

    @staticmethod
    def _in_flight() -> set[asyncio.Future[None]]:
        """The requests in flight and the answers that are not stored yet, of all clients."""
        return _IN_FLIGHT.setdefault(asyncio.get_running_loop(), set())

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
        try:
            while True:
                if self.fatal is None:
                    await self._limiter.admit(size)
                if self.fatal is not None:
                    raise self.fatal
                try:
                    return await send()
                except Transient as fault:
                    if attempt >= self._retries(fault):
                        tally.add(failed=1)
                        raise self._given_up(fault, attempt + 1) from None
                    tally.add(retries=1)
                    await self._wait(fault, attempt)
                    attempt += 1
        except DFactScoreError as error:
            if stops:
                self.fatal = self.fatal or error
                await self.raise_fatal()
            raise

    async def raise_fatal(self) -> None:
        """Raises the error that stopped the client, if any, once all paid answers are stored."""
        if self.fatal is not None:
            # All tasks wait here, since the first to raise cancels the others.
            await self._finish_paid_requests()
            raise self.fatal

    def _retries(self, fault: Transient) -> int:
        """Returns the number of retries allowed after an error."""
        return self._policy.retries

    @abstractmethod
    def _given_up(self, fault: Transient, attempts: int) -> Exception:
        """Returns the error for the last attempt; if a `DFactScoreError`, it stops the client."""

    async def _finish_paid_requests(self) -> None:
        """Waits until the requests in flight are answered and stored."""
        while running := set(self._in_flight()):
            await asyncio.wait(running)
            await asyncio.sleep(0)  # gives the tasks time to pass their answers to the cache

    def _announce(self, fault: Transient, pause: float) -> None:
        """Says that a request is repeated; the base class says nothing."""

    async def _wait(self, fault: Transient, attempt: int) -> None:
        policy = self._policy
        pause = backoff(attempt, base=policy.backoff, cap=policy.longest)
        if fault.wait is not None:
            if fault.wait > policy.max_wait:
                raise self._refuses(
                    f"{fault.reason}: it asks to wait {fault.wait:.0f} s, more than "
                    f"{policy.max_wait:g} s; run the same command later to resume"
                )
            self._limiter.pause(fault.wait)
            pause = max(pause, fault.wait)
        self._announce(fault, pause)
        await asyncio.sleep(pause)
