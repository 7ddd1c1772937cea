"""Files written so that nobody ever sees half of one."""

from __future__ import annotations

import os
from pathlib import Path

from dfactscore.errors import InputError

__all__ = ["write_atomic"]


def write_atomic(path: str | Path, text: str) -> None:
    """Writes UTF-8 text to a temporary file beside the target and moves it there.

    Raises:
        InputError: If it cannot be written.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from error
