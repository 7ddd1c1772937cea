"""Executors of blocks: serial, several processes, Ray."""

from __future__ import annotations

from dfactscore._errors import InputError
from dfactscore.work._executors.cores import cores
from dfactscore.work._executors.executor import Executor
from dfactscore.work._executors.serial import SerialExecutor
from dfactscore.work._executors.worker import worker_number

__all__ = ["SERIAL", "Executor", "SerialExecutor", "cores", "open_executor", "worker_number"]

SERIAL: Executor = SerialExecutor()
"""Executor that works in this process: the default wherever one can be given."""


def open_executor(workers: int = 1, on: str | None = None) -> Executor:
    """Opens an executor; close it, or use it in a ``with`` block.

    Args:
        workers: The number of processes; 0 for one per core, 1 to work in this process.
        on: Their place: None for this machine; ``"ray"`` for the Ray cluster that
            ``RAY_ADDRESS`` names, or ``"ray://HOST:PORT"``.

    Raises:
        InputError: A number below 0, or a place that is not known.
        MissingExtraError: Ray is asked for and not installed.
        WorkerError: The cluster cannot be used: it does not answer, or a node has other versions.

    Example:
        >>> with open_executor() as executor:
        ...     list(executor.map_blocks(len, ["a", "bc"]))
        [1, 2]
    """
    if workers < 0:
        raise InputError(f"workers {workers}: give 0 for one per core, or how many")
    if on is not None:
        from dfactscore.work._executors.ray import RayExecutor

        return RayExecutor(workers, on)
    count = workers or cores()
    if count == 1:
        return SERIAL
    from dfactscore.work._executors.processes import LocalExecutor

    return LocalExecutor(count)
