"""Coroutines: bounded, in order, and none left behind."""

from __future__ import annotations

import asyncio
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.tasks import map_concurrently, map_in_order, run_sync


class Calls:
    """Counts what is under way; item `n` ends after `5 n` steps of the loop."""

    def __init__(self) -> None:
        self.under_way = self.most = self.cancelled = 0

    async def __call__(self, steps: int) -> int:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            for _ in range(5 * steps):
                await asyncio.sleep(0)
            if steps == 7:
                raise ValueError("seven")
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.under_way -= 1
        return steps * 10


steps = st.lists(st.integers(0, 6), max_size=20)


@given(steps, st.integers(1, 5))
def test_results_come_in_the_order_of_the_items(items, concurrency):
    calls, seen = Calls(), []
    found = run_sync(map_in_order(calls, items, concurrency=concurrency, advance=seen.append))
    assert found == [item * 10 for item in items]
    assert seen == list(range(1, len(items) + 1))
    assert calls.most <= concurrency


@given(steps)
def test_results_come_as_they_are_ready(items):
    async def order() -> list[int]:
        found = map_concurrently(Calls(), items, concurrency=len(items) + 1)
        return [item async for item, _ in found]

    assert run_sync(order()) == sorted(items)


def test_an_exception_cancels_the_rest():
    calls = Calls()
    with pytest.raises(ValueError, match="seven"):
        run_sync(map_in_order(calls, [7, 500, 600, 1], concurrency=3))
    assert (calls.cancelled, calls.under_way) == (2, 0)


def test_inside_a_running_loop():
    async def notebook() -> list[int]:
        return run_sync(map_in_order(Calls(), [2, 1], concurrency=2))

    assert asyncio.run(notebook()) == [20, 10]


def test_an_interrupt_of_work_that_never_waits_is_raised():
    async def work() -> int:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("it was kept for later")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_sync(work())
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
