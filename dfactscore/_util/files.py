"""Files that are whole or not there."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from dfactscore.errors import RunError

__all__ = ["atomic_write", "dump_json", "make_folder"]


def dump_json(value: Any, *, indent: int | None = None) -> str:
    """JSON with the same bytes for the same value: NaN refused, surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[IO[str]]:
    """Opens a text file that takes its place only when it is complete.

    Raises:
        RunError: If the folder cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def make_folder(path: Path) -> None:
    """Makes a folder that can be written.

    Raises:
        RunError: If it cannot be made or written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path}: cannot be made ({error.strerror})") from None
    if not os.access(path, os.W_OK):
        raise RunError(f"{path}: cannot be written (permission denied); choose another --out")
