"""Settings of the commands that look at runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from dfactscore._util.settings import Settings, setting

__all__ = ["CompareSettings", "MixingSettings"]

_scoring = partial(setting, panel="Scoring")
_output = partial(setting, panel="Output")


class CompareSettings(Settings):
    """One `dfactscore compare` command."""

    confidence: float = _scoring(0.95, "Level of the intervals.")
    resamples: int = _scoring(10_000, "Bootstrap samples and permutations.")
    seed: int = _scoring(0, "Random seed of intervals and tests.")
    tests: bool = _scoring(True, "Test the differences of pairs of runs.")
    rows: Literal["auto", "model", "run"] = _scoring(
        "auto", "One row a model or a run; auto splits runs of several models."
    )
    out: Path | None = _output(
        None,
        "File to write; its suffix sets the format.",
        flags=("--out", "-o"),
        named="standard output",
    )
    columns: str | None = _output(
        None,
        "Columns to show, separated by commas: fs,dfs,kept,gap ...",
        named="all with values",
    )
    caption: str | None = _output(
        None,
        "Caption of the table in LaTeX and Markdown; an empty one leaves out the notes, too.",
        named="made of the settings",
    )
    part: Literal["levels", "differences"] = _output("levels", "Which table, for --format csv.")
    plots: Path | None = _output(None, "Folder for plots of intervals, FS against D-FS, and gaps.")


class MixingSettings(Settings):
    """One `dfactscore mixing` command."""

    out: Path | None = _output(
        None,
        "Write all biographies to this file (.csv or .json) instead.",
        flags=("--out", "-o"),
    )
    graphml: Path | None = _output(None, "Write the entities that are mixed as GraphML.")
    plot: Path | None = _output(None, "Draw the entities that are mixed (.png, .svg, .pdf).")
    by_number: Path | None = _output(
        None, "Draw mixing by number of entities with the name (.png, .svg, .pdf)."
    )
    min_foreign: int | None = setting(
        None,
        "Facts of another entity of the name from which on a group is mixed.",
        panel="Scoring",
        ge=1,
        named="as the run was scored",
    )
    top: int = _output(10, "Biographies to list.", ge=0)
