"""Saves corrected means in run folders."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._runs.corrected import write_corrected
from dfactscore.correct._result import Correction
from dfactscore.correct._tables import rows

_LOG = logging.getLogger(__name__)


def save(correction: Correction, runs: Mapping[str, str | Path]) -> list[Path]:
    """Writes each run's corrected means to its folder and returns the files.

    A folder that cannot be written, such as an archived one, only gives a warning.
    """
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
    files = []
    for label, at in folders.items():
        if at.is_dir():
            try:
                files.append(write_corrected(at, by_run[label]))
            except RunError as error:
                _LOG.warning(f"{error}; the report of {at} does not show the corrected means")
    return files
