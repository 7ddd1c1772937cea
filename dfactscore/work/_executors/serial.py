"""Runs blocks one after another in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from dfactscore.work._executors.executor import Function

_Block = TypeVar("_Block")
_Result = TypeVar("_Result")


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
