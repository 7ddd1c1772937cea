"""Logs lines of text, some as warnings."""

from __future__ import annotations

import logging
from collections.abc import Iterable

_WARNING = "warning: "


def log_lines(logger: logging.Logger, lines: Iterable[str]) -> None:
    """Logs lines that begin with ``warning:`` as warnings, and other lines as information."""
    for line in lines:
        level = logging.WARNING if line.startswith(_WARNING) else logging.INFO
        logger.log(level, "%s", line.removeprefix(_WARNING))
