"""The style shared by all plots, which are readable without color, and saving of figures."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._util.files import atomic_path

# Okabe and Ito's colors, which color-blind readers can tell apart, like the markers.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#888888",
    "axes.grid": True,
    "axes.labelcolor": "#222222",
    "axes.labelsize": 10,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.8,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "savefig.dpi": 160,
    "svg.fonttype": "none",
    "svg.hashsalt": "dfactscore",
    "xtick.color": "#444444",
    "ytick.color": "#444444",
}
_SCREEN_DPI = 110
_SUFFIXES = (".png", ".svg", ".pdf")


@contextmanager
def style() -> Iterator[None]:
    """Applies the style to plots in the block."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtraError("Drawing", "plot") from None
    with mpl.rc_context(_STYLE):
        yield


def draw(
    plots: Mapping[str, Callable[[Any], Any]], kind: str, subject: Any, path: str | Path | None
) -> Any:
    """Draws one of several types of plot and saves it if a path is given."""
    if kind not in plots:
        raise InputError(f"unknown plot {kind!r}; choose {', '.join(plots)}")
    with style():
        drawn = plots[kind](subject)
    if path is not None:
        save(drawn, path)
    return drawn


def figure(width: float, height: float) -> tuple[Any, Any]:
    """Creates a figure with one set of axes but no window; sizes are in inches.

    Notebooks show the figure without pyplot and without ``%matplotlib inline``.
    """
    from matplotlib import figure as plain

    class Figure(plain.Figure):
        def _repr_png_(self) -> bytes:
            return _png(self)

    drawn = Figure(figsize=(width, height))
    return drawn, drawn.add_subplot()


def _png(drawn: Any) -> bytes:
    out = io.BytesIO()
    with style():
        drawn.savefig(out, format="png", dpi=_SCREEN_DPI, metadata={"Software": None})
    return out.getvalue()


def save(drawn: Any, path: str | Path) -> Path:
    """Saves a figure; identical figures yield identical bytes."""
    path = Path(path)
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: cannot draw a {path.suffix!r}; choose {', '.join(_SUFFIXES)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: no folder {path.parent}")
    undated: dict[str, Any] = {
        ".png": {"Software": None},
        ".svg": {"Date": None},
        ".pdf": {"CreationDate": None},
    }[path.suffix.lower()]
    with style(), atomic_path(path, error=InputError) as temporary:
        drawn.savefig(temporary, format=path.suffix.lower()[1:], metadata=undated)
    return path
