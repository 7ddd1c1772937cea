"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from dfactscore.retrieval.errors import IndexFolderError

__all__ = ["read_json", "write_json"]


def write_json(path: Path, value: object) -> None:
    """Writes JSON atomically: a temporary file beside it, then a rename.

    Args:
        path: The file.
        value: What to write.

    Raises:
        IndexFolderError: If it cannot be written.
    """
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise IndexFolderError(f"{path}: cannot be written ({error.strerror})") from None


def read_json(path: Path) -> dict[str, Any]:
    """Reads a JSON object.

    Args:
        path: The file.

    Returns:
        The object.

    Raises:
        IndexFolderError: If it is missing, damaged or no object.
    """
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise IndexFolderError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise IndexFolderError(f"{path}: cannot be read ({error})") from None
    if not isinstance(value, dict):
        raise IndexFolderError(f"{path}: expected a JSON object")
    return value
