"""Kills a program at random moments before its end."""

from __future__ import annotations

import random
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence

import pytest


class Gate:
    """Controls a server: lets a number of requests pass and holds the next ones."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open = True
        self._left = self._turn = 0
        self.reached = threading.Event()

    def pass_through(self) -> None:
        """Waits until a request may pass; the server calls this for each request."""
        with self._changed:
            if self._open or self._left:
                self._left = max(0, self._left - 1)
                return
            turn = self._turn
            self.reached.set()
            self._changed.wait_for(lambda: self._open or self._turn > turn, 120)

    def close(self, after: int) -> None:
        """Holds the requests after the next `after` ones."""
        with self._changed:
            self._left, self._open = after, False
            self.reached.clear()

    def release(self) -> None:
        """Lets held requests pass, and holds the next ones."""
        with self._changed:
            self._turn += 1
            self._changed.notify_all()

    def open(self) -> None:
        """Lets all requests pass."""
        with self._changed:
            self._open = True
            self._changed.notify_all()


def kill_often(
    command: Sequence[str],
    gate: Gate,
    *,
    times: int,
    seed: int,
    most: int = 2,
    signals: Sequence[int] = (signal.SIGKILL,),
) -> list[int]:
    """Starts a program and kills it, again and again.

    Args:
        command: The program, which sends requests to a server with `gate`.
        gate: The gate.
        times: The number of kills.
        seed: Seed of the moments.
        most: The largest number of answered requests per start.
        signals: The signals to send, in turn.

    Returns:
        The exit status of each start.
    """
    rng, statuses = random.Random(seed), []
    for number in range(times):
        gate.close(after=rng.randint(0, most))
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True
            )
            try:
                while not gate.reached.wait(0.2):
                    if process.poll() is not None:
                        said.seek(0)
                        pytest.fail(f"start {number} ended by itself: {said.read()[-2000:]}")
                time.sleep(rng.random() * 0.05)
            finally:
                process.send_signal(signals[number % len(signals)])
                gate.release()  # the program cannot make progress while the gate is closed
                statuses.append(process.wait(300))
                gate.open()
    return statuses
