"""Writes a whole file or none."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from dfactscore.errors import InputError

__all__ = ["write_text"]


def write_text(path: Path, text: str) -> None:
    """Writes UTF-8 text through a temporary file in the same folder.

    Raises:
        InputError: If the folder is not there or cannot be written to.
    """
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.",
            delete=False,
        ) as temporary:  # fmt: skip
            temporary.write(text)
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary.name).chmod(0o666 & ~umask)
        os.replace(temporary.name, path)
    except OSError as error:
        raise InputError(f"{path}: cannot write it ({error.strerror})") from None
