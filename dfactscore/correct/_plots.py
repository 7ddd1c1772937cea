"""Plots of a correction: judge, labels and corrected mean of each run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._scoring.run_measures import MEASURES
from dfactscore._util.plotting import draw, figure
from dfactscore.comparison._plots import draw_means
from dfactscore.correct._result import Correction

_SERIES = (("judge", "judge alone"), ("labeled", "labels alone"), ("corrected", "corrected"))


def plot_correction(
    correction: Correction, path: str | Path | None = None, *, measure: str = "dfs"
) -> Any:
    """Draws a measure of each run by judge, labels and both, with intervals (extra ``[plot]``).

    Args:
        correction: Correction to draw.
        path: The path to save it to (PNG, SVG or PDF by suffix); not saved by default.
        measure: ``"dfs"``, ``"fs"`` …

    Returns:
        The matplotlib figure.
    """
    return draw({measure: partial(_drawn, measure)}, measure, correction, path)


def _drawn(measure: str, correction: Correction) -> Any:
    runs = [run for run in correction.runs if measure in run.measures]
    plot, axes = figure(7, 1.6 + 0.7 * len(runs))
    means = {title: [getattr(run.measures[measure], key) for run in runs] for key, title in _SERIES}
    series = {
        title: [(estimate.value, estimate.interval) for estimate in row]
        for title, row in means.items()
    }
    draw_means(axes, [run.label for run in runs], series, apart=0.22, hollow=2)
    axes.set_xlabel(f"percent, with {100 * correction.confidence:g} % intervals")
    axes.set_title(MEASURES[measure].title)
    return plot
