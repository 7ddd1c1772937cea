"""Settings for the annotation commands."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dfactscore._util.settings import Settings, panels

_input, _evidence, _scoring, _output = panels("Input Evidence Scoring Output")


class StudySettings(Settings):
    """Settings for `dfactscore annotate init`."""

    out: Path = _output(..., "Study file to create (.db).", flags=("--out", "-o"))
    annotators: str = _input(
        "", "Comma-separated names of annotators; by default, one person annotates everything."
    )
    double: float = _input(0.1, "Share of each model's paragraphs that two people annotate.")
    sample: int | None = _input(None, "Draw at most N paragraphs per model.", ge=1)
    candidates: Literal["dataset", "retrieved", "named"] | None = _evidence(
        None, "Entities whose pages are shown.", named="as in the run"
    )
    pages: Path | None = _evidence(
        None, "Whole pages (file, folder or store), instead of the run's passages."
    )
    qualify: Path | None = _input(
        None,
        "Exported answers (JSONL) to qualify against; everyone annotates those paragraphs first.",
    )
    qualify_min: float = _input(0.7, "Minimum share of correct labels needed to qualify.")
    show_automatic: bool = _input(
        False,
        "Show annotators the run's verdicts; the study is then not blind.",
        flags=("--show-automatic",),
    )
    guidelines: Path | None = _input(
        None, "Markdown file with guidelines for annotators.", named="those of dfactscore"
    )
    seed: int = _input(0, "Random seed for sampling and resampling.")


class AnswerSettings(Settings):
    """Settings for `dfactscore annotate export`."""

    out: Path = _output(..., "File to write, or folder for label-studio.", flags=("--out", "-o"))
    with_events: bool = _output(
        False, "Include every change and its time (jsonl).", flags=("--with-events",)
    )


class ImportSettings(Settings):
    """Settings for `dfactscore annotate import`."""

    annotator: str | None = _input(
        None, "Person who gave the answers.", named="the names in the file"
    )


class ServeSettings(Settings):
    """Settings for `dfactscore annotate serve`."""

    host: str = _output("127.0.0.1", "Address to listen on.")
    port: int | None = _output(
        None,
        "Port to listen on; 0 chooses any free port.",
        ge=0,
        le=65535,
        named="8377, or the next free port",
    )
    allow_remote: bool = _output(
        False,
        "Allow connections from other machines, without TLS; also set --host.",
        flags=("--allow-remote",),
    )


class ReportSettings(Settings):
    """Settings for `dfactscore annotate report`."""

    run: tuple[Path, ...] = _input((), "Run to compare with.", named="the runs of the study")
    out: Path | None = _output(
        None, "Folder for tables, JSON and HTML.", flags=("--out", "-o"), named="standard output"
    )
    irrelevant: Literal["keep", "exclude"] = _scoring(
        "keep", "Keep irrelevant facts in the denominator, or exclude them."
    )
    include_revised: bool = _scoring(
        False,
        "Include paragraphs whose #bio was changed after the pages were seen.",
        flags=("--include-revised",),
    )
    resamples: int = _scoring(
        10_000, "Number of bootstrap samples and permutations.", ge=0, le=1_000_000
    )
    seed: int = _scoring(0, "Random seed for sampling and resampling.", ge=0)
