from __future__ import annotations

import asyncio
import time

import pytest

from dfactscore._asking.paid_client import Limiter, TokenBucket


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


def served(limiter: Limiter, clock: Clock, count: int, places: int, seconds: float) -> list[float]:
    """Returns the time of each of `count` requests at a server with a number of slots."""

    async def run() -> list[float]:
        took: list[float] = []
        queue: list[tuple[float, asyncio.Future[None]]] = []
        free = [0.0] * places

        async def one() -> None:
            async with limiter.turn() as begun:
                place = min(range(places), key=free.__getitem__)
                free[place] = max(free[place], clock.now) + seconds
                answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                queue.append((free[place], answered))
                await answered
                took.append(clock.now - begun)

        tasks = [asyncio.create_task(one()) for _ in range(count)]
        while not all(task.done() for task in tasks):
            for _ in range(9):
                await asyncio.sleep(0)
            if queue:
                queue.sort(key=lambda entry: entry[0])
                clock.now, answered = queue.pop(0)
                answered.set_result(None)
        return took

    return asyncio.run(run())


@pytest.mark.parametrize("places", [1, 2, 5])
@pytest.mark.parametrize("seconds", [0.1, 3, 9, 14, 25, 55])
def test_from_a_slow_start_no_request_waits_until_it_is_lost(places: int, seconds: float) -> None:
    """At a server of few places, of which as many are used as answers come in time."""
    clock = Clock()
    limiter = Limiter(16, quick=120 / 3, clock=clock)
    limiter.start(int(120 / (20 * seconds / 10)))  # the tiny question took a tenth
    took = served(limiter, clock, 100, places, seconds)
    assert len(took) == 100
    assert max(took) <= 120
    assert limiter.most >= min(places, 40 // seconds, 16)


def test_a_quick_server_gets_all_after_a_few_answers() -> None:
    clock = Clock()
    limiter = Limiter(16, quick=30, clock=clock)
    limiter.start(1)
    took = served(limiter, clock, 200, 64, 5.0)
    assert limiter.most == 16
    assert max(took) == 5.0
    assert clock.now <= 5.0 * (5 + 200 / 16)  # as at once, and one round for each doubling


def test_what_timed_out_is_not_tried_again() -> None:
    async def run() -> int:
        clock = Clock()
        limiter = Limiter(8, quick=30, clock=clock)
        held = limiter.turn()
        first = await held.__aenter__()
        for _ in range(3):
            async with limiter.turn():
                pass
        clock.now = 120.0
        lowered = limiter.lower(first)
        for _ in range(20):
            async with limiter.turn():
                pass
        assert limiter.most == lowered
        return limiter.most

    assert asyncio.run(run()) == 3


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
