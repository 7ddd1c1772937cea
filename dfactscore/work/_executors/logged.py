"""Carries what a function logs in another process to the loggers of this one."""

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
    """The result of a block in another process.

    Attributes:
        result: The value that the function returned.
        failure: The exception, or None.
        lines: Logger, level and message of what it logged.
    """

    result: Any
    failure: WorkerFailure | None
    lines: list[_Line]

    def deliver(self) -> Any:
        """Logs the lines in this process and returns the result, or raises the failure."""
        for name, level, message in self.lines:
            logging.getLogger(name).log(level, "%s", message)
        if self.failure is not None:
            raise self.failure.exception()
        return self.result


@dataclass(frozen=True)
class Logged:
    """A function that is called in another process.

    Attributes:
        function: The function.
        level: The level of the loggers here, which those there take.
    """

    function: Callable[[Any], Any]
    level: int

    @classmethod
    def of(cls, function: Callable[[Any], Any]) -> Logged:
        """A function with the level at which this process logs."""
        return cls(function, logging.getLogger(_LOGGER).getEffectiveLevel())

    def __call__(self, block: Any) -> Answer:
        """Calls the function, and notes what it logs and raises."""
        with _noted(self.level) as lines:
            try:
                return Answer(self.function(block), None, lines)
            except BaseException as error:
                return Answer(None, WorkerFailure(error), lines)


class _Notes(logging.Handler):
    """Keeps lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[_Line] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a line."""
        self.lines.append((record.name, record.levelno, record.getMessage()))


@contextmanager
def _noted(level: int) -> Iterator[list[_Line]]:
    """The lines that the package logs meanwhile, which nothing else of this process shows."""
    logger, notes = logging.getLogger(_LOGGER), _Notes()
    before = logger.level, logger.propagate
    logger.setLevel(level)
    logger.propagate = False
    logger.addHandler(notes)
    try:
        yield notes.lines
    finally:
        logger.removeHandler(notes)
        logger.propagate = before[1]
        logger.setLevel(before[0])
