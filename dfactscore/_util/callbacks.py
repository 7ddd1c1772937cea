"""Types of callbacks: logging, progress and exceptions to raise."""

from __future__ import annotations

from collections.abc import Callable

MakeError = Callable[[str], Exception]
"""Makes a package's own exception of one line for a person; an exception class is one."""

Log = Callable[[str], None]
"""A callback for messages to the user, one line at a time."""

Progress = Callable[[int, int], None]
"""Called with how many are done and how many there are."""

StepProgress = Callable[[str, int], None]
"""Called with the name of a step and how many are done; how many there are is not known."""


def no_log(line: str) -> None:
    """Drops a line."""
