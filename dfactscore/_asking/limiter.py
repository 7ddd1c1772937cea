"""One limit on concurrency, requests and tokens a minute, shared by all stages of a run."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class TokenBucket:
    """Hands out `per_minute` units a minute, at most a sixth of them at once.

    Args:
        per_minute: The rate.
        clock: Seconds; replaced in tests.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = per_minute / 60.0
        # A provider counts over a minute, so a start with the whole minute's budget at once
        # would be followed by refusals; ten seconds' worth is safe and does not slow a long run.
        self.burst = max(per_minute / 6.0, 1.0)
        self.level = self.burst
        self.clock = clock
        self.stamp = clock()

    def take(self, units: float) -> float:
        """Takes the units and returns how many seconds to wait before using them."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.stamp) * self.rate)
        self.stamp = now
        # Going below zero is a debt that later callers wait off in turn: first come, first served.
        self.level -= units
        return max(0.0, -self.level / self.rate)

    def give_back(self, units: float) -> None:
        """Returns units that were reserved and not used."""
        self.level += units


class Limiter:
    """Admits requests.

    Args:
        concurrency: Maximum number of requests under way at once.
        requests_per_minute: None for no limit.
        tokens_per_minute: Prompt and answer tokens together; None for no limit.
        quick: Seconds within which an answer shows that the server can take more at once.
        clock: Seconds; replaced in tests.
    """

    def __init__(
        self,
        concurrency: int,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
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
        """Holds one of the concurrent places."""
        async with self._slots:
            yield

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[float]:
        """Holds one of the requests that may be under way at once; gives the time of its start."""
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
        """The largest number of concurrent requests at this time."""
        return self._most

    def start(self, most: int) -> None:
        """Starts with fewer requests at once; each time that so many come back quickly, doubles.

        A server with fewer places than requests answers them one after the other: those that wait
        until their time is over are lost.
        """
        self._most, self._quick_ones = max(1, min(most, self._limit)), 0

    def _raise(self, seconds: float) -> None:
        self._quick_ones = self._quick_ones + 1 if seconds <= self._quick else 0
        if self._quick_ones >= self._most < self._limit:
            self._most, self._quick_ones = min(2 * self._most, self._limit), 0

    def lower(self, begun: float) -> int | None:
        """Lowers how many are under way at once, after a request that was not answered in time.

        A server with fewer places than requests makes the last ones wait for the first: half as
        many are tried, or as many as were answered meanwhile, if that is less.

        Args:
            begun: The time at which the request was sent.

        Returns:
            The new limit of concurrent requests; None if nothing changes, for the request was
            alone, or is from before the last change.
        """
        if self._most == 1 or begun < self._lowered_at or begun > self._crowded_at:
            return None
        self._most = self._limit = max(1, min(self._most // 2, self._answered))
        self._lowered_at, self._answered, self._quick_ones = self._clock(), 0, 0
        return self._most

    async def admit(self, tokens: int) -> None:
        """Waits until a request of that many tokens may be sent."""
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
        """Corrects the token budget once the true count is known."""
        if self._tokens:
            self._tokens.give_back(reserved - used)

    def pause(self, seconds: float) -> None:
        """Lets nothing new out for a while: a server's `Retry-After` is meant for everybody."""
        self._resume_at = max(self._resume_at, time.monotonic() + seconds)
