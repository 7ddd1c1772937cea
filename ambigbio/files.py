"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from dfactscore.ambigbio.errors import AmbigBioError

__all__ = ["replace_file", "write_lines"]


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a file beside its place and then moves it there.

    Args:
        path: Where the file will be.
        write: Writes to the path it is given.

    Raises:
        AmbigBioError: It cannot be written; what stood there before is untouched.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        os.close(handle)
        temporary = Path(name)
        write(temporary)
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        os.replace(temporary, path)
    except OSError as error:
        raise AmbigBioError(
            f"cannot write {path} ({error.strerror or error}): make room or give another place, "
            "and run the same command again; what was fetched is kept"
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Writes lines of text and gives their number.

    Raises:
        AmbigBioError: The file cannot be written.
    """
    count = 0

    def write(place: Path) -> None:
        nonlocal count
        with place.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(line + "\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())

    replace_file(path, write)
    return count
