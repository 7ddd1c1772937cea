"""Settings of the commands that look at runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from dfactscore._util.settings import Settings, setting

__all__ = [
    "CacheSettings",
    "ClearSettings",
    "CompareSettings",
    "DemoSettings",
    "DoctorSettings",
    "ExplainSettings",
    "ExportSettings",
    "MixingSettings",
    "PageSettings",
    "ViewsSettings",
]

_input = partial(setting, panel="Input")
_model = partial(setting, panel="Model")
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


class PageSettings(Settings):
    """One `dfactscore report` command."""

    out: Path | None = _output(
        None,
        "File to write.",
        flags=("--out", "-o"),
        named="RUN/report.html, RUN/report-and-OTHER.html",
    )
    explain: bool = _output(
        False, "Show who each clause is about, and by which rule.", flags=("--explain",)
    )


class ExplainSettings(Settings):
    """One `dfactscore explain` command."""

    name: str | None = _input(None, "Only this name; the target name of a plain text.")
    cues: bool = _output(False, "Show the cues of each clause.", flags=("--cues",))


class ExportSettings(Settings):
    """One `dfactscore export` command."""

    out: Path = _output(..., "Folder to write.", flags=("--out", "-o"))
    license: str = _output("unknown", "License of the texts, as the Hub calls it (cc-by-4.0).")


class ViewsSettings(Settings):
    """One `dfactscore popularity` command."""

    views: Path = setting(
        ...,
        "Page views: an AmbigBio file with them, or JSONL {title, views}.",
        panel="Evidence",
    )


class DemoSettings(Settings):
    """One `dfactscore demo` command."""

    out: Path | None = _output(
        None, "Run folder.", flags=("--out", "-o"), named="runs/demo-EXAMPLE"
    )


class DoctorSettings(Settings):
    """One `dfactscore doctor` command."""

    base_url: str | None = _model(None, "Endpoint to try, up to /v1.", named="OPENAI_BASE_URL")
    api_key_env: str = _model("OPENAI_API_KEY", "Environment variable with the API key.")


class CacheSettings(Settings):
    """Which cache of answers is meant."""

    cache: Path | None = _input(None, "File of the answer cache.", named="the user's cache folder")


class ClearSettings(CacheSettings):
    """One `dfactscore cache clear` command."""

    model: str | None = _input(None, "Only answers of this model.")
    yes: bool = _output(False, "Do not ask for confirmation.", flags=("--yes", "-y"))
