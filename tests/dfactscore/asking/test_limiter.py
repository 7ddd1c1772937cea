from __future__ import annotations

import asyncio
import time

import pytest

from dfactscore._asking.limiter import Limiter, TokenBucket


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_never_gives_more_than_its_rate_and_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(60, clock)
    sent: list[float] = []
    for _ in range(120):
        sent.append(clock.now + bucket.take(1))
    # Ten at once, then one a second: in any minute at most the rate plus one burst.
    assert sent[:10] == [0.0] * 10
    assert sent[10:] == pytest.approx([float(i) for i in range(1, 111)])


def test_a_bucket_fills_again_but_not_beyond_its_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(60, clock)
    bucket.take(10)
    clock.now = 1000.0
    assert bucket.take(10) == 0
    assert bucket.take(1) == pytest.approx(1.0)


def test_unused_units_come_back() -> None:
    bucket = TokenBucket(600, Clock())
    assert bucket.take(100) == 0
    bucket.give_back(60)
    assert bucket.take(50) == 0


def test_no_more_requests_than_places() -> None:
    async def run() -> int:
        limiter = Limiter(3)
        inside = most = 0

        async def one() -> None:
            nonlocal inside, most
            async with limiter.slot():
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.001)
                inside -= 1

        await asyncio.gather(*(one() for _ in range(20)))
        return most

    assert asyncio.run(run()) == 3


def test_a_late_answer_lowers_what_is_under_way() -> None:
    """Of a crowd, once for each change; never for a request that was alone."""

    async def run() -> None:
        limiter = Limiter(8)
        async with limiter.turn() as alone:
            pass
        assert limiter.lower(alone) is None
        held = limiter.turn()
        first = await held.__aenter__()
        async with limiter.turn(), limiter.turn(), limiter.turn():
            pass
        assert limiter.lower(first) == 4  # half as many; as many were answered, too
        assert limiter.lower(first) is None
        inside = most = 0

        async def one() -> None:
            nonlocal inside, most
            async with limiter.turn():
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.001)
                inside -= 1

        tasks = [asyncio.create_task(one()) for _ in range(20)]
        await asyncio.sleep(0)
        tasks[7].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert most == 3  # beside the first, which has not come back

    asyncio.run(run())


def test_a_pause_holds_everybody() -> None:
    async def run() -> float:
        limiter = Limiter(5)
        limiter.pause(0.2)
        begun = time.monotonic()
        await asyncio.gather(*(limiter.admit(1) for _ in range(5)))
        return time.monotonic() - begun

    assert asyncio.run(run()) >= 0.19


def test_tokens_a_minute_delay_and_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def noting(seconds: float) -> None:
        waits.append(seconds)
        await sleep(seconds)

    monkeypatch.setattr(asyncio, "sleep", noting)

    async def run() -> float:
        limiter = Limiter(5, requests_per_minute=6000, tokens_per_minute=6000)
        begun = time.monotonic()
        await limiter.admit(1000)  # the whole burst
        limiter.settle(1000, 10)  # and almost nothing of it was used
        await limiter.admit(900)
        assert not waits
        await limiter.admit(110)
        return time.monotonic() - begun

    assert asyncio.run(run()) >= 0.1
