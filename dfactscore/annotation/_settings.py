"""Settings of the annotation commands."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dfactscore._util.settings import Settings, panels

_input, _evidence, _scoring, _output = panels("Input Evidence Scoring Output")


class StudySettings(Settings):
    """One `dfactscore annotate init` command."""

    out: Path = _output(..., "Study file to make (.db).", flags=("--out", "-o"))
    annotators: str = _input("", "Comma-separated names; one person does everything by default.")
    double: float = _input(0.1, "Share of each model's paragraphs that two people annotate.")
    sample: int | None = _input(None, "Draw at most N paragraphs of each model.", ge=1)
    candidates: Literal["dataset", "retrieved", "named"] | None = _evidence(
        None, "Whose pages are shown.", named="as in the run"
    )
    pages: Path | None = _evidence(
        None, "Whole pages (file, folder or store) in the place of the run's."
    )
    qualify: Path | None = _input(
        None, "Known answers (exported JSONL); their paragraphs come first for all."
    )
    qualify_min: float = _input(0.7, "Share of right labels that is needed to annotate.")
    show_automatic: bool = _input(
        False,
        "Show the run's verdicts; the study is not blind then.",
        flags=("--show-automatic",),
    )
    guidelines: Path | None = _input(
        None, "Markdown that annotators are shown.", named="those of dfactscore"
    )
    seed: int = _input(0, "Random seed of draws and resampling.")


class AnswerSettings(Settings):
    """One `dfactscore annotate export` command."""

    out: Path = _output(..., "File to write; a folder for label-studio.", flags=("--out", "-o"))
    with_events: bool = _output(
        False, "Add every change with its time (jsonl).", flags=("--with-events",)
    )


class ImportSettings(Settings):
    """One `dfactscore annotate import` command."""

    annotator: str | None = _input(None, "Person who gave the answers.", named="as the rows say")


class ServeSettings(Settings):
    """One `dfactscore annotate serve` command."""

    host: str = _output("127.0.0.1", "Where to listen.")
    port: int | None = _output(
        None, "Port; 0 takes any.", ge=0, le=65535, named="8377, or the next one that is free"
    )
    allow_remote: bool = _output(
        False,
        "Let other machines in, with a --host that reaches them; no TLS.",
        flags=("--allow-remote",),
    )


class ReportSettings(Settings):
    """One `dfactscore annotate report` command."""

    run: tuple[Path, ...] = _input((), "Run to compare with.", named="those of the study")
    out: Path | None = _output(
        None, "Folder for tables, JSON and HTML.", flags=("--out", "-o"), named="standard output"
    )
    irrelevant: Literal["keep", "exclude"] = _scoring(
        "keep", "Keep irrelevant facts in the denominator, or exclude them."
    )
    include_revised: bool = _scoring(
        False,
        "Count #bio that was changed after the pages were seen.",
        flags=("--include-revised",),
    )
    resamples: int = _scoring(10_000, "Bootstrap samples and permutations.", ge=0, le=1_000_000)
    seed: int = _scoring(0, "Random seed of draws and resampling.", ge=0)
