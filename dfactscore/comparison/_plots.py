"""Plots of a comparison: intervals, D-FS against FS, and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dfactscore._scoring.biography_scores import ANSWERS
from dfactscore._util.plotting import COLORS, MARKERS, draw, figure, save
from dfactscore.measures._resampling import Interval

if TYPE_CHECKING:
    from dfactscore.comparison._types import ComparisonData


#: A mean and its interval, both as shares; the interval is None if it is unknown.
_Mean = tuple[float, Interval | None]
_HATCHES = ("", "///", "...", "xxx", "---", "++", "oo")


def plot_comparison(
    comparison: ComparisonData, kind: str = "intervals", path: str | Path | None = None
) -> Any:
    """Draws a comparison.

    Args:
        comparison: The comparison.
        kind: The type of plot: ``"intervals"`` (FS and D-FS of each run, with intervals),
            ``"fs_dfs"`` (D-FS against FS, with a diagonal that represents no mixing), ``"gap"``
            (the distribution of FS − D-FS over names), or ``"answers"`` (stacked shares of the
            classes of answers).
        path: Path to save the plot to (.png, .svg or .pdf); by default, it is not saved.

    Returns:
        The matplotlib figure.

    Raises:
        MissingExtraError: If matplotlib is not installed.
        InputError: If the type of plot or the file extension is unknown.
    """
    return draw(COMPARISON_PLOTS, kind, comparison, path)


def save_comparison_plots(comparison: ComparisonData, folder: str | Path) -> list[Path]:
    """Saves each plot as PNG and SVG, creating the folder if it does not exist."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for kind in COMPARISON_PLOTS:
        plot = plot_comparison(comparison, kind)
        paths += [save(plot, folder / f"{kind}.{suffix}") for suffix in ("png", "svg")]
    return paths


def draw_means(
    axes: Any,
    labels: Sequence[str],
    series: Mapping[str, Sequence[_Mean | None]],
    *,
    apart: float,
    hollow: int,  # number of series, counted from the first, that have hollow markers
) -> None:
    """Draws rows of means and intervals, in percent, with the first row at the top."""
    places = np.arange(len(labels))[::-1]
    for j, (title, means) in enumerate(series.items()):
        for place, mean in zip(places, means, strict=True):
            if mean is None:
                continue
            y, interval = place + apart * ((len(series) - 1) / 2 - j), mean[1]
            if interval is not None and interval.low == interval.low:
                ends = [100 * interval.low, 100 * interval.high]
                axes.plot(ends, [y, y], color=COLORS[j], linewidth=2.2, solid_capstyle="butt")
            axes.plot(
                100 * mean[0],
                y,
                MARKERS[j],
                color=COLORS[j],
                markersize=7,
                label=title if place == places[0] else None,
                markerfacecolor="white" if j < hollow else COLORS[j],
                markeredgewidth=1.6,
            )
    axes.set_yticks(places, labels)
    axes.set_ylim(-0.6, len(labels) - 0.4)
    axes.grid(visible=False, axis="y")
    axes.figure.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=3)


def _intervals(comparison: ComparisonData) -> Any:
    models = comparison.models
    plot, axes = figure(7, 1.4 + 0.55 * len(models))
    titles = {"fs": "FS", "dfs": "D-FS", "dfs_corrected": "D-FS corrected"}
    if not any("dfs_corrected" in model.levels for model in models):
        del titles["dfs_corrected"]
    series = {
        title: [(x.mean, x.interval) if (x := m.levels.get(measure)) else None for m in models]
        for measure, title in titles.items()
    }
    draw_means(axes, [m.label for m in models], series, apart=0.28, hollow=1)
    axes.set_xlabel(f"percent, with {100 * comparison.confidence:g} % intervals over names")
    axes.set_title("FActScore and D-FActScore")
    return plot


def _fs_dfs(comparison: ComparisonData) -> Any:
    plot, axes = figure(5.6, 5.2)
    models = [m for m in comparison.models if {"fs", "dfs"} <= m.levels.keys()]
    edges: list[float] = []
    boxes: list[list[float]] = []  # what is drawn of the models: left, right, bottom and top
    for i, model in enumerate(models):
        fs, dfs = model.levels["fs"], model.levels["dfs"]
        x, y = 100 * fs.mean, 100 * dfs.mean
        color, marker = COLORS[i % len(COLORS)], MARKERS[i % len(MARKERS)]
        edges += [x, y]
        boxes.append([x, x, y, y])
        for level, horizontal in ((fs, True), (dfs, False)):
            if level.interval is None or level.interval.low != level.interval.low:
                continue
            ends = [100 * level.interval.low, 100 * level.interval.high]
            edges += ends
            boxes.append([*ends, y, y] if horizontal else [x, x, *ends])
            line = ends, [y, y] if horizontal else ends
            line = line if horizontal else ([x, x], ends)
            axes.plot(*line, color=color, linewidth=1.4, clip_on=False)
        axes.plot(
            x,
            y,
            marker,
            color=color,
            markersize=8,
            label=model.label,
            linestyle="none",
            clip_on=False,  # the mark for a mean of 100 crosses the frame
        )
    low, high = (min(edges), max(edges)) if edges else (0.0, 100.0)
    margin = max(1.0, 0.08 * (high - low))
    low, high = max(0.0, low - margin), min(100.0, high + margin)
    axes.plot([low, high], [low, high], color="#888888", linewidth=1, linestyle=(0, (4, 3)))
    start = _clear_of(boxes, low, high)
    axes.annotate(
        "FS = D-FS: no mixing",
        (start, start),
        rotation=45,
        rotation_mode="anchor",
        transform_rotates_text=True,
        xytext=(0, 5),
        textcoords="offset points",
        fontsize=9,
        color="#666666",
    )
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    axes.set_aspect("equal")
    axes.set_xlabel("FActScore, percent")
    axes.set_ylabel("D-FActScore, percent")
    axes.set_title("What disambiguation costs")
    axes.legend(loc="upper left")
    return plot


def _clear_of(boxes: list[list[float]], low: float, high: float) -> float:
    """Returns where on the diagonal a label starts, near the middle and clear of the boxes."""
    size = high - low
    starts = low + size * np.array(
        sorted(np.linspace(0.02, 0.74, 19), key=lambda at: abs(at - 0.4))
    )
    places = starts[:, None, None] + size * np.linspace(0, 0.24, 9)[:, None]
    left, right, bottom, top = np.reshape(boxes, (-1, 4)).T
    away = np.hypot(places - np.clip(places, left, right), places - np.clip(places, bottom, top))
    nearest = away.min(axis=(1, 2), initial=0.12 * size)
    return float(starts[int(nearest.argmax())])


def _gap(comparison: ComparisonData) -> Any:
    plot, axes = figure(7, 4)
    bins = np.arange(0, 105, 5)
    runs = [(s.label, 100 * s.values["gap"]) for s in comparison.scores]
    runs = [(label, np.clip(gap[~np.isnan(gap)], 0, 100)) for label, gap in runs]
    runs = [(label, gap) for label, gap in runs if len(gap)]
    width = 5 / (len(runs) + 0.6) if runs else 5
    for i, (label, gap) in enumerate(runs):
        shares = 100 * np.histogram(gap, bins)[0] / len(gap)
        axes.bar(
            bins[:-1] + width * (i + 0.3),
            shares,
            width,
            align="edge",
            label=label,
            color=COLORS[i % len(COLORS)],
            hatch=_HATCHES[i % len(_HATCHES)],
            edgecolor="white",
            linewidth=0.3,
        )
    top = max((gap.max() for _, gap in runs), default=100.0)
    axes.set_xlim(0, min(100, 5 * (top // 5 + 1)))
    several = any((s.paired > 1).any() for s in comparison.scores)
    unit = "a name (mean over its biographies)" if several else "a biography"
    axes.set_xlabel(f"FS − D-FS of {unit}, points (5 a bin; below 0 counts as 0)")
    axes.set_ylabel(f"share of {'names' if several else 'biographies'}, percent")
    axes.set_title("How unevenly the gap is spread")
    axes.grid(visible=False, axis="x")
    axes.legend()
    return plot


def _answers(comparison: ComparisonData) -> Any:
    models = comparison.models
    plot, axes = figure(7, 1.6 + 0.5 * len(models))
    places, left = np.arange(len(models))[::-1], np.zeros(len(models))
    for i, kind in enumerate(ANSWERS):
        levels = [model.levels.get(f"answer_{kind}") for model in models]
        shares = np.array([100 * level.mean if level else 0.0 for level in levels])
        hatch, color = _HATCHES[i % len(_HATCHES)], COLORS[i % len(COLORS)]
        style = {"color": color, "hatch": hatch, "edgecolor": "white", "linewidth": 0.3}
        axes.barh(places, shares, 0.62, left=left, label=kind, **style)
        left += shares
    axes.set_yticks(places, [model.label for model in models])
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of texts, percent")
    axes.set_title("Classes of answers")
    axes.grid(visible=False, axis="y")
    axes.figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return plot


COMPARISON_PLOTS = {"intervals": _intervals, "fs_dfs": _fs_dfs, "gap": _gap, "answers": _answers}
