"""Logs lines, some of which are warnings."""

from __future__ import annotations

import logging
from collections.abc import Iterable

_WARNING = "warning: "


def log_lines(logger: logging.Logger, lines: Iterable[str]) -> None:
    """Logs lines as information, and lines that begin with ``warning:`` as warnings."""
    for line in lines:
        level = logging.WARNING if line.startswith(_WARNING) else logging.INFO
        logger.log(level, "%s", line.removeprefix(_WARNING))
