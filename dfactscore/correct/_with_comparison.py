"""Adds corrected means and differences to a comparison."""

from __future__ import annotations

from dataclasses import replace

from dfactscore.comparison import Comparison, Level
from dfactscore.comparison._types import TESTED, Difference
from dfactscore.correct._planning import LEAST
from dfactscore.correct._result import Correction
from dfactscore.correct._tables import order_lines
from dfactscore.measures._paired import holm


def with_corrected(
    comparison: Comparison, correction: Correction, *, tests: bool = True
) -> Comparison:
    """Adds columns with corrected means to a comparison.

    If both runs of a pair are corrected with labels, the corrected differences are tested instead
    of the judge's.
    """
    corrections = {run.label: run for run in correction.runs}
    models = []
    for model in comparison.models:
        levels = dict(model.levels)
        if model.label in corrections:
            for measure, corrected in corrections[model.label].measures.items():
                if measure in TESTED:
                    mean = corrected.corrected
                    levels[f"{measure}_corrected"] = Level(
                        mean.value, mean.interval, corrected.labels
                    )
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
    """Returns corrected differences for runs with labels, and the judge's for other pairs.

    Holm's correction is applied to all of these.
    """
    differences = {(d.first, d.second, d.measure): d for d in comparison.differences}
    for s in correction.differences:
        if min(s.labels) >= LEAST:
            differences[s.first, s.second, s.measure] = Difference(
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
    keys = sorted(differences, key=lambda k: (places[k[0]], places[k[1]], TESTED.index(k[2])))
    adjusted = holm([differences[key].p for key in keys])
    return tuple(
        replace(differences[key], p_holm=q, significant=q <= 1 - comparison.confidence)
        for key, q in zip(keys, adjusted, strict=True)
    )
