"""The main loop of a worker process, whose logs and exceptions go to the main process."""

from __future__ import annotations

import builtins
import contextlib
import logging
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dfactscore._errors import WorkerError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class _Remote(Exception):
    """The traceback of an exception in a worker, shown as the exception's cause."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


class WorkerFailure:
    """An exception in a form that can be sent: its class, arguments, attributes and traceback.

    Pickle creates an exception by calling its class with only the message, which fails for classes
    that take other arguments.
    """

    def __init__(self, error: BaseException) -> None:
        from multiprocessing.reduction import ForkingPickler

        self._where = "".join(traceback.format_exception(error))
        # If the exception has values that cannot be sent, its name and message are sent.
        self._text = f"{type(error).__name__}: {error}"
        self._parts: tuple[Any, ...] | None = (type(error), error.args, dict(vars(error)))
        if type(error).__module__ == builtins.__name__:
            self._parts = (error,)
        try:
            back = ForkingPickler.loads(ForkingPickler.dumps(self))
            if str(back.exception()) != str(error):
                self._parts = None
        except Exception:
            self._parts = None

    def exception(self) -> BaseException:
        """Creates the exception, with the worker's traceback as its cause."""
        error: BaseException
        if self._parts is None:
            error = WorkerError(self._text)
        elif len(self._parts) == 1:
            error = self._parts[0]
        else:
            kind, arguments, attributes = self._parts
            error = kind.__new__(kind, *arguments)
            vars(error).update(attributes)
        error.__cause__ = _Remote(self._where)
        return error


_LOGGER = "dfactscore"
_Line = tuple[str, int, str]


@dataclass(frozen=True)
class BlockResult:
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

    def __call__(self, block: Any) -> BlockResult:
        """Calls the function and collects its logs and its exception."""
        with _collected(self.level) as lines:
            try:
                return BlockResult(self.function(block), None, lines)
            except BaseException as error:
                return BlockResult(None, WorkerFailure(error), lines)


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


_number: int | None = None


class Begin(NamedTuple):
    """The first message of a task, before its blocks."""

    function: Callable[[Any], Any]
    gpus: int


def worker_number() -> int | None:
    """Returns the number of this worker process, from 0; None in other processes."""
    return _number


def begin_worker(number: int, threads: int) -> None:
    """Turns this process into a worker; must be called before libraries count the cores."""
    global _number
    _number = number
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, str(threads))
    os.environ.setdefault("KMP_BLOCKTIME", "0")  # do not spin while other workers need the core


def serve(pipe: Connection[Any, Any], number: int, threads: int) -> None:
    """Answers the messages on a pipe: first a function and its number of GPUs, then blocks."""
    begin_worker(number, threads)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    _end_with_parent()
    work: Callable[[Any], Any] | None = None
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            return
        except BaseException as error:  # a missing module, a name from the parent's script
            pipe.send(("unread", str(error)))
            continue
        try:
            if isinstance(message, Begin):
                work = message.function
                take_gpus(number, message.gpus)
                result = None
            else:
                assert work is not None
                result = work(message)
        except BaseException as error:
            pipe.send(("failed", WorkerFailure(error)))
            continue
        try:
            pipe.send(("done", result))
        except OSError:
            return
        except Exception as error:
            pipe.send(("unsent", str(error)))


def _end_with_parent() -> None:
    """Makes this process exit when the parent dies, even if the parent is killed.

    A thread waits until a pipe that the parent holds open is closed. If other code blocks all
    threads (a faiss search, a regular expression), SIGIO for that pipe, for which there is no
    handler, ends the process on systems that support it.
    """
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(parent.sentinel, fcntl.F_GETFL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, flags | os.O_ASYNC)
    threading.Thread(target=wait, daemon=True).start()


def take_gpus(number: int, gpus: int) -> None:
    """Assigns GPUs to a worker if the machine has any, cycling through the GPUs."""
    if gpus:
        import torch

        count = torch.cuda.device_count()
        if count:
            torch.cuda.set_device(number * gpus % count)
