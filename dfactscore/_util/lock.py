"""A lock that admits only one writer."""

from __future__ import annotations

import errno
from pathlib import Path

from dfactscore._errors import RunError
from dfactscore._util.callbacks import MakeError

# Errors of network drives that do not support locks.
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})


class WriteLock:
    """An exclusive lock that the system releases when the process ends.

    The empty lock file is never removed, since removing it could admit two writers. On drives that
    do not support locks, every writer is admitted.
    """

    def __init__(self, path: Path, what: str, *, error: MakeError = RunError) -> None:
        from filelock import FileLock, Timeout

        self._lock = FileLock(path, timeout=0, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            problem = "another process is writing it" if path.exists() else "cannot be written"
            raise error(f"{what}: {problem}") from None
        except OSError as fault:
            if fault.errno not in _NO_LOCKS:
                raise error(f"{what}: cannot be written ({fault.strerror})") from None

    def release(self) -> None:
        """Releases the lock; a second call does nothing."""
        self._lock.release()

    def __enter__(self) -> WriteLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
