"""Limits on the size and type of input files."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from pathlib import Path
from typing import IO

from dfactscore._util.callbacks import MakeError

LONGEST_LINE = 64 << 20
_LARGEST, _VARIABLE = 256, "DFACTSCORE_LARGEST_FILE"  # in MiB
_PACKED = 200  # gzip compresses texts to about a twentieth of their size, never to a 200th
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def largest_file() -> int:
    """Returns the maximum size in bytes of a file read at once; a variable can set it."""
    value = os.environ.get(_VARIABLE, "")
    return (int(value) if value.isdecimal() and value.isascii() else _LARGEST) << 20


def too_large(path: object, *, packed: int = 0, error: MakeError) -> Exception:
    """Returns the error for a file that is larger than `largest_file`."""
    most = largest_file() >> 20
    is_packed = f"unpacks to {packed >> 20} MiB, " if packed else ""
    return error(
        f"{path}: {is_packed}larger than the {most} MiB that are held at once; "
        f"{_VARIABLE}={2 * most} reads files of up to {2 * most} MiB"
    )


def check_regular(path: Path, *, error: MakeError) -> None:
    """Rejects folders, devices, sockets and named pipes; pipes created by a shell are allowed."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    kind = _KINDS.get(stat.S_IFMT(mode))
    # For <(command) and |, a command writes to the pipe; opening a named pipe may block forever.
    if kind and not (stat.S_ISFIFO(mode) and path.as_posix().startswith(("/dev/", "/proc/"))):
        raise error(f"{path}: is {kind}, not a file")


def check_zip(file: IO[bytes] | Path, path: Path, *, error: MakeError) -> None:
    """Rejects a zip file that unpacks to more than `largest_file`; ignores files of other types."""
    try:
        with zipfile.ZipFile(file) as opened:
            size = sum(member.file_size for member in opened.infolist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return
    if size > largest_file():
        raise too_large(path, packed=size, error=error)


class Bounded(io.RawIOBase):
    """Reads the bytes of a file; rejects it if a line or the decompressed content is too long."""

    def __init__(self, file: IO[bytes], path: Path, *, error: MakeError) -> None:
        self._file, self._path, self._error = file, path, error
        self._line, self._since, self._total = 1, 0, 0
        packed = path.suffix == ".gz"
        self._most = max(largest_file(), _PACKED * path.stat().st_size) if packed else None

    def readable(self) -> bool:
        """Whether the file is readable; always true."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Reads bytes into a buffer and returns their number."""
        count: int = self._file.readinto(buffer)  # type: ignore[attr-defined]
        block = bytes(buffer[:count])
        self._total += count
        last = block.rfind(b"\n")
        if self._since + (count if last < 0 else block.find(b"\n")) > LONGEST_LINE:
            raise self._error(
                f"{self._path}:{self._line}: longer than {LONGEST_LINE >> 20} MiB; no line of "
                "records or of a table is"
            )
        self._line += block.count(b"\n")
        self._since = self._since + count if last < 0 else count - last - 1
        if self._most is not None and self._total > self._most:
            raise self._error(
                f"{self._path}: unpacks to more than {_PACKED} times its size; unpack it first "
                "(gunzip) if you trust it"
            )
        return count
