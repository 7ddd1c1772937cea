"""Size and type limits for input files."""

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
_PACKED = 200  # texts are packed to a twentieth; what unpacks to so many times its size is none
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def largest_file() -> int:
    """Returns the bytes of a file held at once: 256 MiB, or the environment's value."""
    said = os.environ.get(_VARIABLE, "")
    return (int(said) if said.isdecimal() and said.isascii() else _LARGEST) << 20


def too_large(path: object, *, packed: int = 0, error: MakeError) -> Exception:
    """The error for a file that is read whole and is larger than `largest_file`."""
    most = largest_file() >> 20
    is_packed = f"unpacks to {packed >> 20} MiB, " if packed else ""
    return error(
        f"{path}: {is_packed}larger than the {most} MiB that are held at once; "
        f"{_VARIABLE}={2 * most} reads files of up to {2 * most} MiB"
    )


def check_regular(path: Path, *, error: MakeError) -> None:
    """Refuses folders and endless files: devices, sockets, pipes but those of the shell.

    Args:
        path: Input to read; that it is not there is for others to say.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it fails.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    kind = _KINDS.get(stat.S_IFMT(mode))
    # <(command) and | are pipes that someone writes; opening one with a name may wait for ever.
    if kind and not (stat.S_ISFIFO(mode) and path.as_posix().startswith(("/dev/", "/proc/"))):
        raise error(f"{path}: is {kind}, not a file")


def check_zip(file: IO[bytes] | Path, path: Path, *, error: MakeError) -> None:
    """Refuses a zip file that unpacks to more than `largest_file`; others are not looked at.

    Args:
        file: The file, or its path.
        path: Its name in messages.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it fails.
    """
    try:
        with zipfile.ZipFile(file) as opened:
            size = sum(one.file_size for one in opened.infolist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return
    if size > largest_file():
        raise too_large(path, packed=size, error=error)


class Bounded(io.RawIOBase):
    """Bytes of a file, with an error where a line, or what a packed file holds, has no end.

    Args:
        file: The file, unpacked.
        path: Its path, for messages and for its size.
        error: Makes the error to raise.
    """

    def __init__(self, file: IO[bytes], path: Path, *, error: MakeError) -> None:
        self._file, self._path, self._error = file, path, error
        self._line, self._since, self._total = 1, 0, 0
        packed = path.suffix == ".gz"
        self._most = max(largest_file(), _PACKED * path.stat().st_size) if packed else None

    def readable(self) -> bool:
        """Whether it can be read: yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Reads on, as files do."""
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
                "(gunzip), if it is what you want"
            )
        return count
