"""A lock that admits one writer."""

from __future__ import annotations

import errno
from pathlib import Path

from dfactscore._errors import RunError
from dfactscore._util.callbacks import MakeError

# The error of some network drives, where no file can be locked.
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})


class WriteLock:
    """Keeps other processes from writing something; the system lets go when this one ends.

    The lock is a file that stays, empty: to remove it would let two writers in. On a drive without
    locks everyone is let in.

    Args:
        path: The lock file.
        what: Name of the locked file, for messages.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if another process has it, or the file cannot be made.
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
        """Lets others write; a second call does nothing."""
        self._lock.release()

    def __enter__(self) -> WriteLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
