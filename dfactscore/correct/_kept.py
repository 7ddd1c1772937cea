"""A correction as stored by run folders and comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._runs.corrected import write_corrected
from dfactscore.comparison import Comparison, Level
from dfactscore.comparison._types import TESTED, Difference
from dfactscore.correct._planning import LEAST
from dfactscore.correct._result import Correction
from dfactscore.correct._tables import order_lines, rows
from dfactscore.measures._holm import holm


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


def with_corrected(
    comparison: Comparison, correction: Correction, *, tests: bool = True
) -> Comparison:
    """The comparison with the corrected means of its runs as columns beside the others.

    If labels correct both runs of a pair, the corrected differences are tested, not the judge's.
    """
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
    order = order_lines(correction)
    notes = (*comparison.notes, f"corr.: corrected by {correction.by}", *order, *correction.notes)
    return replace(
        comparison,
        models=tuple(models),
        differences=_tested(comparison, correction) if tests else (),
        notes=tuple(dict.fromkeys(notes)),
    )


def _tested(comparison: Comparison, correction: Correction) -> tuple[Difference, ...]:
    """Every difference once: the corrected one, where labels correct both runs, else the judge's.

    Holm's correction is over all of them.
    """
    found = {(d.first, d.second, d.measure): d for d in comparison.differences}
    for s in correction.differences:
        if min(s.labels) >= LEAST:
            found[s.first, s.second, s.measure] = Difference(
                first=s.first,
                second=s.second,
                measure=f"{s.measure}_corrected",
                judge=s.judge.value,
                n=s.names,
                difference=s.corrected.value,
                interval=s.corrected.interval,
                p=s.p,
                p_holm=s.p_holm,
                significant=s.significant,
                effect=None,
            )
    places = {model.label: i for i, model in enumerate(comparison.models)}
    keys = sorted(found, key=lambda k: (places[k[0]], places[k[1]], TESTED.index(k[2])))
    adjusted = holm([found[key].p for key in keys])
    return tuple(
        replace(found[key], p_holm=q, significant=q <= 1 - comparison.confidence)
        for key, q in zip(keys, adjusted, strict=True)
    )
