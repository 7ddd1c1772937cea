"""Executors of blocks: this process, several processes, Ray."""

from __future__ import annotations

from dfactscore._errors import InputError
from dfactscore.work._executors.executor import Executor, SerialExecutor, cores
from dfactscore.work._executors.worker import worker_number

__all__ = ["SERIAL", "Executor", "SerialExecutor", "cores", "open_executor", "worker_number"]

SERIAL: Executor = SerialExecutor()
"""The default executor, which works in this process."""


def open_executor(workers: int = 1, on: str | None = None) -> Executor:
    """Opens an executor, which the caller closes or uses in a ``with`` block.

    Args:
        workers: Number of processes; 0 means one per core, 1 means this process.
        on: Where the processes run: None for this machine, ``"ray"`` for the Ray cluster at
            ``RAY_ADDRESS``, or ``"ray://HOST:PORT"``.

    Raises:
        InputError: If `workers` is negative or `on` is unknown.
        MissingExtraError: If Ray is needed but not installed.
        WorkerError: If the cluster does not answer, or a node has different versions.

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
    from dfactscore.work._executors.pool import LocalExecutor

    return LocalExecutor(count)
