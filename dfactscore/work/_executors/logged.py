"""Forwards the logs of a function that runs in another process to the loggers of this process."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dfactscore.work._executors.failure import WorkerFailure

_LOGGER = "dfactscore"
_Line = tuple[str, int, str]


@dataclass(frozen=True)
class Answer:
    """The result of a block that was processed in another process."""

    result: Any
    failure: WorkerFailure | None
    lines: list[_Line]  # logger, level and message of each log record

    def deliver(self) -> Any:
        """Writes the logs in this process, then returns the result or raises the failure."""
        for name, level, message in self.lines:
            logging.getLogger(name).log(level, "%s", message)
        if self.failure is not None:
            raise self.failure.exception()
        return self.result


@dataclass(frozen=True)
class Logged:
    """A function to call in another process, whose logs are returned with its result."""

    function: Callable[[Any], Any]
    level: int  # log level of the main process, which the worker also uses

    @classmethod
    def of(cls, function: Callable[[Any], Any]) -> Logged:
        """Wraps a function, recording the log level of this process."""
        return cls(function, logging.getLogger(_LOGGER).getEffectiveLevel())

    def __call__(self, block: Any) -> Answer:
        """Calls the function and collects its logs and its exception."""
        with _collected(self.level) as lines:
            try:
                return Answer(self.function(block), None, lines)
            except BaseException as error:
                return Answer(None, WorkerFailure(error), lines)


class _Collector(logging.Handler):
    """A handler that collects log records."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[_Line] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Adds a log record."""
        self.lines.append((record.name, record.levelno, record.getMessage()))


@contextmanager
def _collected(level: int) -> Iterator[list[_Line]]:
    """Collects the package's logs and hides them from other handlers."""
    logger, collector = logging.getLogger(_LOGGER), _Collector()
    level_before, propagate_before = logger.level, logger.propagate
    logger.setLevel(level)
    logger.propagate = False
    logger.addHandler(collector)
    try:
        yield collector.lines
    finally:
        logger.removeHandler(collector)
        logger.propagate = propagate_before
        logger.setLevel(level_before)
