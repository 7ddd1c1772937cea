"""``corrected.json`` in a run folder: the means corrected with labels (``dfactscore correct``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._util.jsonl import read_json, write_json

_FILE = "corrected.json"


def write_corrected(folder: Path, corrected: Mapping[str, Any]) -> Path:
    """Writes a run's corrected means; returns the file."""
    path = folder / _FILE
    write_json(path, corrected)
    return path


def read_corrected(folder: Path) -> dict[str, Any] | None:
    """Reads a run's corrected means; None if it has none."""
    path = folder / _FILE
    if not path.exists():
        return None
    content = read_json(path, error=RunError)
    parts = (content.get("measures"), content.get("models", {})) if _is_map(content) else (None,)
    if not all(map(_is_map, parts)):
        raise RunError(f"{path}: damaged; 'dfactscore correct' writes it again")
    return dict(content)


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)
