"""Log messages of the library, as lines on standard error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGER = logging.getLogger("dfactscore")


class _Lines(logging.Handler):
    """Prints each record as a line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Prints a record."""
        from dfactscore._cli.output import message

        warning = "warning: " if record.levelno >= logging.WARNING else ""
        message(f"{warning}{record.getMessage()}")


@contextmanager
def logs_shown() -> Iterator[None]:
    """Shows log messages within the block."""
    handler, level = _Lines(), _LOGGER.level
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)


def hide_logs(*, quiet: bool) -> None:
    """Shows nothing for the rest of a command that is to be quiet."""
    if quiet:
        _LOGGER.setLevel(logging.CRITICAL)
