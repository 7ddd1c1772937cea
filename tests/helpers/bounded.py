"""Limits on work that hold on a busy machine: processor time with a wide margin, lines run."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["lines_run", "processor_seconds"]


@contextmanager
def processor_seconds(most: float) -> Iterator[None]:
    """Fails where the body takes more of this process's own time; what waits does not count."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("no timer of processor time on this system")

    def late(*_: Any) -> None:
        pytest.fail(f"took more than {most:g} s of processor time", pytrace=False)

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def lines_run(call: Callable[[], Any]) -> int:
    """How many lines of Python the call runs: the same number however busy the machine is."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
