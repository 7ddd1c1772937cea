"""``corrected.json`` in a run folder: what its report and its readers find."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._util.jsonl import read_json, write_json
from dfactscore.correct.result import Correction
from dfactscore.correct.tables import rows
from dfactscore.errors import InputError

__all__ = ["FILE", "load", "save"]

FILE = "corrected.json"


def save(correction: Correction, runs: Mapping[str, str | Path]) -> list[Path]:
    """Writes each corrected run's means into its folder; returns the files."""
    written = []
    for run in correction.runs:
        folder = Path(runs[run.label])
        if not folder.is_dir():
            continue
        own = [row for row in rows(correction) if row["run"] == run.label]
        path = folder / FILE
        write_json(
            path,
            {
                "by": correction.by,
                "population": correction.population,
                "confidence": correction.confidence,
                "measures": {row.pop("measure"): row for row in own},
            },
        )
        written.append(path)
    return written


def load(folder: str | Path) -> dict[str, Any] | None:
    """What `save` wrote into a run folder; None where it was not corrected."""
    path = Path(folder) / FILE
    if not path.exists():
        return None
    found = read_json(path, error=InputError)
    if not isinstance(found, Mapping) or not isinstance(found.get("measures"), Mapping):
        raise InputError(f"{path}: damaged; 'dfactscore correct' writes it again")
    return dict(found)
