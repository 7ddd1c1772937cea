"""Limits concurrency, requests per minute and tokens per minute across all stages of a run."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


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
