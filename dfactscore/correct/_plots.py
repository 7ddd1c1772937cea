"""Plots each run's mean according to the judge, the labels and both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dfactscore._scoring.run_measures import MEASURES
from dfactscore._util.plotting import draw, figure
from dfactscore.comparison._plots import draw_means
from dfactscore.correct._result import Correction

_MEASURE = "dfs"
_SERIES = (("judge", "judge alone"), ("labeled", "labels alone"), ("corrected", "corrected"))


def plot_correction(correction: Correction, path: str | Path | None = None) -> Any:
    """Draws each run's D-FS by judge, labels and both, with intervals (extra ``[plot]``)."""
    return draw({_MEASURE: _figure}, _MEASURE, correction, path)


def _figure(correction: Correction) -> Any:
    runs = [run for run in correction.runs if _MEASURE in run.measures]
    plot, axes = figure(7, 1.6 + 0.7 * len(runs))
    estimates = {
        title: [getattr(run.measures[_MEASURE], key) for run in runs] for key, title in _SERIES
    }
    series = {title: [(e.value, e.interval) for e in row] for title, row in estimates.items()}
    draw_means(axes, [run.label for run in runs], series, apart=0.22, hollow=2)
    axes.set_xlabel(f"percent, with {100 * correction.confidence:g} % intervals")
    axes.set_title(MEASURES[_MEASURE].title)
    return plot
