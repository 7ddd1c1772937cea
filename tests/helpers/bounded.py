"""Limits on work for busy machines: processor time with a wide margin, executed lines."""

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
    """Fails if the body takes more processor time; waiting does not count."""
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
    """Counts the lines of Python that a call runs, independent of the machine's load."""
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
