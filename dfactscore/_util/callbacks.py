"""What callers hand in: where lines of a log go, what counts progress, which error to raise."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["MakeError"]

MakeError = Callable[[str], Exception]
"""Makes a package's own exception of one line for a person; an exception class is one."""
