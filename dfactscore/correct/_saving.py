"""Saves corrected means in run folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._runs.corrected import write_corrected
from dfactscore.correct._result import Correction
from dfactscore.correct._tables import rows


def save(correction: Correction, runs: Mapping[str, str | Path]) -> list[Path]:
    """Writes each run's corrected means to its folder and returns the files."""
    by_run: dict[str, dict[str, Any]] = {}
    for run in correction.runs:
        measures = {row["measure"]: row for row in rows(correction) if row["run"] == run.label}
        content = by_run.setdefault(
            run.run,
            {
                "by": correction.by,
                "population": correction.population,
                "confidence": correction.confidence,
                "measures": {},
                "models": {},
            },
        )
        if run.model is None:
            content["measures"] = measures
        else:
            content["models"][run.model] = measures
    folders = {label: Path(runs[label]) for label in by_run}
    return [write_corrected(at, by_run[label]) for label, at in folders.items() if at.is_dir()]
