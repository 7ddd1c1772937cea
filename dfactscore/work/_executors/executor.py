"""The executor protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from dfactscore._errors import InputError

_Block = TypeVar("_Block")
_Result = TypeVar("_Result")

Function = Callable[[_Block], _Result]
"""Makes a result of a block: found by its name in another process, or an object that such a class
makes, with settings that are sent once to each worker."""

TRIES = 3
"""The number of attempts at a block whose worker ends in the middle of it."""


class Executor(Protocol):
    """Runs a function over blocks, in this process, in others, or on other machines."""

    @property
    def workers(self) -> int:
        """The number of concurrent blocks; 1 if they run in this process."""

    def map_blocks(
        self, function: Function[_Block, _Result], blocks: Iterable[_Block], *, gpus: int = 0
    ) -> Iterator[_Result]:
        """Calls a function on blocks and gives the results in the order of the blocks.

        Blocks are taken as there is room, at most two for each worker, so that a long iterable is
        never held whole. An exception of the function is raised, as it was, in the block's turn.

        Args:
            function: Found by its name in another process (no lambda, nothing of ``__main__``), or
                an object of such a class or a `functools.partial`; its settings are sent once to
                each worker, which keeps it from one block to the next.
            blocks: The blocks to work on; each is sent once.
            gpus: The number of GPUs per worker.

        Yields:
            The results.

        Raises:
            InputError: The function cannot be sent to another process.
            WorkerError: Workers ended three times in the middle of one block.
        """

    def check_files(self, paths: Iterable[Path]) -> None:
        """Refuses workers on machines where files or folders are missing or are others.

        Args:
            paths: The files that the work reads.

        Raises:
            WorkerError: With the machine and the path. Files are compared by SHA-256.
        """

    def close(self) -> None:
        """Ends the workers; a second call does nothing."""

    def __enter__(self) -> Executor:
        """Gives the executor."""

    def __exit__(self, *_: object) -> None:
        """Closes it."""


def named(function: object) -> str:
    """The name of a function, or of an object's class, for a message.

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
    """Refuses a function that another process does not find.

    Raises:
        InputError: With its name and what to do.
    """
    name = named(function)
    if "<lambda>" in name or "<locals>" in name or name.startswith("__main__."):
        raise InputError(
            f"{name} cannot be sent to another process: define it at the top of a module that can "
            "be imported, or use one worker"
        )
