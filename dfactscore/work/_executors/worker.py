"""The main loop of a worker process."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from dfactscore.work._executors.failure import WorkerFailure

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


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
