"""Paths that are not files or have no end, in place of a file that a command reads."""

from __future__ import annotations

import gzip
import os
import shutil
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path

_GIGABYTES = 3


def put(kind: str, path: Path) -> bool:
    """Puts something in the place of a file; False where its name says that it is another kind."""
    if kind == "bomb" and path.suffix not in (".gz", ".xlsx"):
        return False
    path.unlink()
    KINDS[kind](path)
    return True


def remove(path: Path) -> None:
    """Removes whatever it is."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # a socket's path is at most a hundred characters long
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(before)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(_GIGABYTES << 30)


def _bomb(path: Path) -> None:
    """Files that unpack to gigabytes."""
    if path.suffix == ".gz":
        with gzip.open(path, "wb", 1) as file:
            for _ in range(_GIGABYTES << 10):
                file.write(bytes(1 << 20))
        return
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book,
        book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet,
    ):
        for _ in range(_GIGABYTES << 10):
            sheet.write(bytes(1 << 20))


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": lambda path: os.mkfifo(path),
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "nothing": lambda path: path.symlink_to("/dev/null"),
    "socket": _socket,
    "sparse": _sparse,
    "line": lambda path: path.write_bytes(b"x" * (80 << 20)),
    "folder": lambda path: path.mkdir(),
    "loop": lambda path: path.symlink_to(path.name),
    "bomb": _bomb,
}
