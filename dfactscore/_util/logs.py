"""Lines for a person, as records of Python's logging."""

from __future__ import annotations

import logging
from collections.abc import Iterable

_WARNING = "warning: "


def log_lines(logger: logging.Logger, lines: Iterable[str]) -> None:
    """Logs lines: those that begin with ``warning:`` as warnings without that word."""
    for line in lines:
        level = logging.WARNING if line.startswith(_WARNING) else logging.INFO
        logger.log(level, "%s", line.removeprefix(_WARNING))
