"""Protocol that executors implement, and the executor of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from dfactscore._errors import InputError


def cores() -> int:
    """Returns the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_Block = TypeVar("_Block")
_Result = TypeVar("_Result")

Function = Callable[[_Block], _Result]
"""Computes the result of a block: an importable function, or an instance of an importable class,
whose attributes are sent to each worker once."""

TRIES = 3
"""The number of times that a block is tried if its workers die."""


class Executor(Protocol):
    """Calls a function on blocks, in this process, in other processes or on other machines."""

    @property
    def workers(self) -> int:
        """The number of blocks processed concurrently; 1 if they run in this process."""

    def map_blocks(
        self, function: Function[_Block, _Result], blocks: Iterable[_Block], *, gpus: int = 0
    ) -> Iterator[_Result]:
        """Calls a function on blocks and yields the results in the order of the blocks.

        At most two blocks per worker are read ahead, so a long iterable is never held in memory. An
        exception raised by the function is raised here when the result of its block is due.

        Args:
            function: An importable function (not a lambda or from ``__main__``), a
                `functools.partial` of one, or an instance of an importable class. It is sent to
                each worker once.
            blocks: The blocks.
            gpus: Number of GPUs per worker.

        Yields:
            The results.

        Raises:
            InputError: If the function cannot be sent to another process.
            WorkerError: If three workers died while working on the same block.
        """

    def check_files(self, paths: Iterable[Path]) -> None:
        """Checks, by SHA-256, that the workers' machines have the same files and folders.

        Args:
            paths: The files that the task reads.

        Raises:
            WorkerError: If a file is missing or different; the message names the machine and path.
        """

    def close(self) -> None:
        """Stops the workers; a second call has no effect."""

    def __enter__(self) -> Executor:
        """Returns the executor."""

    def __exit__(self, *_: object) -> None:
        """Closes the executor."""


def named(function: object) -> str:
    """Returns the name of a function, or of a callable object's class, for use in messages.

    Example:
        >>> from functools import partial
        >>> named(partial(named, 1))
        'dfactscore.work._executors.executor.named'
    """
    function = _innermost(function)
    if not hasattr(function, "__qualname__"):
        function = type(function)
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', '?')}"


def _innermost(function: object) -> object:
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__func__", function)


def check_sendable(function: object) -> None:
    """Raises an error for a function that another process cannot import."""
    name = named(function)
    if "<lambda>" in name or "<locals>" in name or name.startswith("__main__."):
        raise InputError(
            f"{name} cannot be sent to another process: define it at the top of a module that can "
            "be imported, or use one worker"
        )


class SerialExecutor:
    """An executor that works in this process."""

    workers = 1

    def map_blocks(
        self, function: Function[_Block, _Result], blocks: Iterable[_Block], *, gpus: int = 0
    ) -> Iterator[_Result]:
        """Calls a function on each block when its result is needed; see `Executor.map_blocks`."""
        return map(function, blocks)

    def check_files(self, paths: Iterable[Path]) -> None:
        """Has no effect, because this process reads the files of this machine."""

    def close(self) -> None:
        """Has no effect."""

    def __enter__(self) -> SerialExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        pass
