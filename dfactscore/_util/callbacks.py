"""Types of callbacks: logging, progress and exceptions to raise."""

from __future__ import annotations

from collections.abc import Callable

MakeError = Callable[[str], Exception]
"""Makes an exception from a one-line message, as an exception class does."""

Log = Callable[[str], None]
"""A callback for messages to the user, one line at a time."""

Progress = Callable[[int, int], None]
"""A callback for progress: the number of finished items, and of all items."""

StepProgress = Callable[[str, int], None]
"""A callback for progress without a known total: the step's name, the number of finished items."""


def no_log(line: str) -> None:
    """Ignores a message."""
