"""Prints the library's log messages to standard error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGER = logging.getLogger("dfactscore")


class _Lines(logging.Handler):
    """Prints log records as lines."""

    def emit(self, record: logging.LogRecord) -> None:
        """Prints a record as a line."""
        from dfactscore._cli.output import message

        warning = "warning: " if record.levelno >= logging.WARNING else ""
        message(f"{warning}{record.getMessage()}")


@contextmanager
def logs_shown() -> Iterator[None]:
    """Prints log messages within the block."""
    handler, level = _Lines(), _LOGGER.level
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)


def hide_logs(*, quiet: bool) -> None:
    """Hides log messages for the rest of a quiet command."""
    if quiet:
        _LOGGER.setLevel(logging.CRITICAL)
