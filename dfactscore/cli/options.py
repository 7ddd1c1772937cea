"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

__all__ = [
    "Candidates",
    "Format",
    "FsScope",
    "Gamma",
    "Irrelevant",
    "LinkOption",
    "OutputFormat",
    "Soft",
    "Threshold",
    "Unreadable",
]

Format = Literal["table", "json", "csv"]

OutputFormat = Annotated[Format, typer.Option("--format", help="How results are printed.")]
LinkOption = Annotated[
    Literal["argmax", "hungarian"] | None,
    typer.Option("--link", help="Best entity of each group, or best one-to-one assignment."),
]
FsScope = Annotated[
    Literal["retrieved", "corpus"] | None,
    typer.Option(
        "--fs-scope",
        help="What FS ranges over: the retrieved pages, or passages retrieved for each fact from "
        "a whole corpus (--index), as FActScore defines it.",
    ),
]
Candidates = Annotated[
    Literal["retrieved", "named", "dataset"] | None,
    typer.Option(
        "--candidates",
        help="Entities that a group may be linked to: all retrieved, those that bear the name, or "
        "those of --dataset.",
    ),
]
Unreadable = Annotated[
    Literal["unsupported", "exclude", "bounds"] | None,
    typer.Option("--unreadable", help="What a cell that could not be read counts as."),
]
Irrelevant = Annotated[
    Literal["keep", "exclude"] | None,
    typer.Option("--irrelevant", help="Whether irrelevant facts stay in the denominator."),
]
Threshold = Annotated[
    float | None,
    typer.Option("--threshold", min=0, max=1, help="Support from this probability on."),
]
Soft = Annotated[
    bool | None, typer.Option("--soft/--hard", help="Scores from probabilities, not verdicts.")
]
Gamma = Annotated[
    float | None, typer.Option("--gamma", min=0, help="FActScore's length penalty (10 there).")
]
