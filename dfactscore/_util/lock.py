"""One writer at a time."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import TracebackType

from dfactscore.errors import RunError

__all__ = ["WriteLock"]


class WriteLock:
    """Keeps other processes from writing something; the system lets go when this one ends.

    The lock is a file that is gone when the lock is released. Where the system has no file locks
    (Windows, some network drives), the file is made and no one is kept out.

    Args:
        path: The lock file.
        what: What is kept, for the message to those who come second.

    Raises:
        RunError: If another process has it, or the file cannot be made.
    """

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        self._descriptor: int | None = None
        while True:
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise RunError(f"{what}: cannot be written ({error.strerror})") from None
            try:
                _take(descriptor)
            except BlockingIOError:
                os.close(descriptor)
                raise RunError(f"{what}: another process is writing it") from None
            if _is_same(descriptor, path):
                self._descriptor = descriptor
                return
            os.close(descriptor)  # Its last holder has removed it between the two steps.

    def release(self) -> None:
        """Lets others write; a second call does nothing."""
        if self._descriptor is None:
            return
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self._descriptor)
        self._descriptor = None

    def __enter__(self) -> WriteLock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.release()


def _take(descriptor: int) -> None:
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except (ImportError, OSError):  # a system, or a network drive, without file locks
        return


def _is_same(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
