"""A picture of a correction: the judge, the labels and the corrected mean of each run."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dfactscore._util.plotting import COLORS, MARKERS, draw, figure
from dfactscore.correct.result import Correction
from dfactscore.scoring.declared import MEASURES

__all__ = ["plot_correction"]

_SERIES = (("judge", "judge alone"), ("labeled", "labels alone"), ("corrected", "corrected"))


def plot_correction(
    correction: Correction, path: str | Path | None = None, *, measure: str = "dfs"
) -> Any:
    """Draws a measure of each run by judge, labels and both, with intervals (extra ``[plot]``).

    Args:
        correction: What to draw.
        path: Where to save it (PNG, SVG or PDF by suffix); not saved by default.
        measure: ``"dfs"``, ``"fs"`` …

    Returns:
        The matplotlib figure.
    """
    return draw({measure: partial(_drawn, measure)}, measure, correction, path)


def _drawn(measure: str, correction: Correction) -> Any:
    runs = [run for run in correction.runs if measure in run.measures]
    drawn, axes = figure(7, 1.6 + 0.7 * len(runs))
    places = np.arange(len(runs))[::-1]
    for j, (key, title) in enumerate(_SERIES):
        for place, run in zip(places, runs, strict=True):
            one = getattr(run.measures[measure], key)
            y = place + 0.22 * (1 - j)
            if not math.isnan(one.interval.low):
                ends = [100 * one.interval.low, 100 * one.interval.high]
                axes.plot(ends, [y, y], color=COLORS[j], linewidth=2.2, solid_capstyle="butt")
            axes.plot(
                100 * one.value, y, MARKERS[j], color=COLORS[j], markersize=7,
                label=title if place == places[0] else None,
                markerfacecolor="white" if j < 2 else COLORS[j], markeredgewidth=1.6,
            )  # fmt: skip
    axes.set_yticks(places, [run.label for run in runs])
    axes.set_ylim(-0.6, len(runs) - 0.4)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"percent, with {100 * correction.confidence:g} % intervals")
    axes.set_title(MEASURES[measure].title)
    drawn.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=3)
    return drawn
