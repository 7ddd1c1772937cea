"""``corrected.json`` in a run folder: its means, corrected by labels (``dfactscore correct``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._util.jsonl import read_json, write_json

_FILE = "corrected.json"


def write_corrected(folder: Path, found: Mapping[str, Any]) -> Path:
    """Writes a run's corrected means; returns the file."""
    path = folder / _FILE
    write_json(path, found)
    return path


def read_corrected(folder: Path) -> dict[str, Any] | None:
    """Corrected means in a run folder; None if it was not corrected.

    Raises:
        RunError: If the file is damaged.
    """
    path = folder / _FILE
    if not path.exists():
        return None
    found = read_json(path, error=RunError)
    if not isinstance(found, Mapping) or not isinstance(found.get("measures"), Mapping):
        raise RunError(f"{path}: damaged; 'dfactscore correct' writes it again")
    if not isinstance(found.get("models", {}), Mapping):
        raise RunError(f"{path}: damaged; 'dfactscore correct' writes it again")
    return dict(found)
