"""A correction as stored by run folders and comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._runs.corrected import write_corrected
from dfactscore.comparison import Comparison, Level
from dfactscore.comparison._compare import TESTED
from dfactscore.correct._result import Correction
from dfactscore.correct._tables import rows


def save(correction: Correction, runs: Mapping[str, str | Path]) -> list[Path]:
    """Writes each corrected run's means into its folder; returns the files."""
    found: dict[str, dict[str, Any]] = {}
    for run in correction.runs:
        own = {row["measure"]: row for row in rows(correction) if row["run"] == run.label}
        about = found.setdefault(
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
            about["measures"] = own
        else:
            about["models"][run.model] = own
    folders = {label: Path(runs[label]) for label in found}
    return [write_corrected(at, found[label]) for label, at in folders.items() if at.is_dir()]


def with_corrected(comparison: Comparison, correction: Correction) -> Comparison:
    """The comparison with the corrected means of its runs as columns beside the others."""
    found = {run.label: run for run in correction.runs}
    models = []
    for model in comparison.models:
        levels = dict(model.levels)
        if model.label in found:
            for measure, one in found[model.label].measures.items():
                if measure in TESTED:
                    mean = one.corrected
                    levels[f"{measure}_corrected"] = Level(mean.value, mean.interval, one.labels)
        models.append(replace(model, levels=levels))
    shifts = [
        f"{d.first} − {d.second}, corrected D-FS: {100 * d.corrected.value:+.1f} points "
        f"({100 * d.corrected.interval.low:+.1f} to {100 * d.corrected.interval.high:+.1f}, "
        f"p {d.p_holm:.3f} by Holm)".replace("-", "−")
        for d in correction.differences
        if d.measure == "dfs"
    ]
    notes = (*comparison.notes, f"corr.: corrected by {correction.by}", *shifts, *correction.notes)
    return replace(comparison, models=tuple(models), notes=tuple(dict.fromkeys(notes)))
