"""Runs blocks one after another in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from dfactscore.work._executors.executor import Function

_Block = TypeVar("_Block")
_Result = TypeVar("_Result")


class SerialExecutor:
    """Works in this process; starts nothing and sends nothing."""

    workers = 1

    def map_blocks(
        self, function: Function[_Block, _Result], blocks: Iterable[_Block], *, gpus: int = 0
    ) -> Iterator[_Result]:
        """As in `Executor`; a block is worked on when its result is asked for."""
        return map(function, blocks)

    def check_files(self, paths: Iterable[Path]) -> None:
        """Does nothing: the files of this machine are those that will be read."""

    def close(self) -> None:
        """Does nothing."""

    def __enter__(self) -> SerialExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        pass
