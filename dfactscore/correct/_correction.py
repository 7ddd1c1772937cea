"""The result of a correction, its plot, and its use in run folders and comparisons."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._runs.corrected import write_corrected
from dfactscore._util.plotting import draw, figure
from dfactscore.comparison import Comparison, Level
from dfactscore.comparison._comparison_tables import title_of
from dfactscore.comparison._plots import draw_means
from dfactscore.comparison._types import TESTED, Difference
from dfactscore.correct import _tables as tables
from dfactscore.correct._estimator import CorrectionData
from dfactscore.correct._planning import LEAST
from dfactscore.correct._tables import order_lines, rows
from dfactscore.measures._resampling import holm


@dataclass(frozen=True)
class Correction(CorrectionData):
    """Runs corrected with labels; ``print`` shows the tables.

    Attributes:
        runs: One entry per run.
        differences: One entry per pair of runs and measure.
        order: The ranking of the runs; None if there is only one run.
        population: The population to which the intervals apply.
        confidence: The confidence level of the intervals.
        by: The source of the labels.
        notes: Notes for the reader.
        signatures: One line per signature of the runs and of any runs used as sources of labels.
    """

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_text(self, *, width: int = 100, columns: Sequence[str] = ()) -> str:
        """Returns the tables as text for a terminal.

        Args:
            width: The width of the terminal in columns.
            columns: The measures to show (``"fs"``, ``"dfs"`` …); ``"all"`` for all measures as
                well as λ and the correlation r.

        Raises:
            InputError: If a measure is unknown.
        """
        return tables.render(self, "table", width=width, columns=columns)

    def to_markdown(self, *, columns: Sequence[str] = ()) -> str:
        """Returns the tables in Markdown, with the columns of `to_text`."""
        return tables.render(self, "markdown", columns=columns)

    def to_latex(self, *, columns: Sequence[str] = ()) -> str:
        """Returns the tables in LaTeX (package booktabs), with the columns of `to_text`."""
        return tables.render(self, "latex", columns=columns)

    def to_csv(self) -> str:
        """Returns unrounded CSV with one row per run and measure; shares are fractions."""
        return tables.render(self, "csv")

    def to_json(self) -> str:
        """Returns all results as JSON, with shares as fractions."""
        return tables.render(self, "json")

    def rows(self) -> list[dict[str, Any]]:
        """Returns one flat mapping per run and measure."""
        return tables.rows(self)


_MEASURE = "dfs"
_SERIES = (("judge", "judge alone"), ("labeled", "labels alone"), ("corrected", "corrected"))


def plot_correction(correction: Correction, path: str | Path | None = None) -> Any:
    """Draws each run's D-FS by judge, labels and both, with intervals (extra ``[plot]``)."""
    return draw({_MEASURE: _figure}, _MEASURE, correction, path)


def _figure(correction: Correction) -> Any:
    known = dict.fromkeys(m for run in correction.runs for m in run.measures)
    measure = _MEASURE if _MEASURE in known else next(iter(known))
    runs = [run for run in correction.runs if measure in run.measures]
    plot, axes = figure(7, 1.6 + 0.7 * len(runs))
    estimates = {
        title: [getattr(run.measures[measure], key) for run in runs] for key, title in _SERIES
    }
    series = {title: [(e.value, e.interval) for e in row] for title, row in estimates.items()}
    draw_means(axes, [run.label for run in runs], series, apart=0.22, hollow=2)
    axes.set_xlabel(f"percent, with {100 * correction.confidence:g} % intervals")
    axes.set_title(title_of(measure))
    return plot


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
    notes = (*comparison.notes, f"corr.: corrected by {correction.by}", *correction.notes, *order)
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
