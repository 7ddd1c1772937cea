"""Options shared by several commands that are not settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from dfactscore._cli.from_settings import argument, option

Format = Literal["table", "json", "csv"]
GateFormat = Literal["table", "json", "csv", "junit", "github"]
TextFormat = Literal["table", "markdown", "latex", "csv", "json"]

RunFolder = Annotated[Path, argument("Run folder.")]
_FORMAT = option("Output", "Format of the results.", "--format")
OutputFormat = Annotated[Format, _FORMAT]
ShortFormat = Annotated[Literal["table", "json"], _FORMAT]
ScoreFormat = Annotated[GateFormat, _FORMAT]
FailIf = Annotated[
    list[str] | None,
    option(
        "Output",
        "Exit with 1 and list the texts if a condition holds, such as 'mixed > 2%', 'dfs < 80' or "
        "'lower(dfs) < 75' (the end of the interval); may be repeated.",
        "--fail-if",
        metavar="CONDITION",
    ),
]
AnyFormat = Annotated[TextFormat, _FORMAT]
Overwrite = Annotated[
    bool,
    option("Output", "Replace a file that was not written by this command.", "--overwrite"),
]
F1At = Annotated[
    list[str] | None,
    option(
        "Scoring",
        "Value of K for F1@K; may be repeated. 'compare' also accepts median and max.",
        "--f1-at",
        metavar="K",
        show_default="64 and 178 in scores.csv",
    ),
]
Columns = Annotated[
    str | None,
    option(
        "Output",
        "Measures to show, such as fs,dfs,coverage, or all.",
        "--columns",
        show_default="what a paper prints",
    ),
]
JudgedBy = Annotated[
    Path | None,
    option(
        "Output",
        "Folder of the 'dfactscore meta run' that evaluated the verifier.",
        metavar="FOLDER",
        show_default="shipped figures of the built-in verifier",
    ),
]
Labels = Annotated[
    list[str] | None,
    option(
        "Input",
        "Labels to correct the scores with: a study (.db), another judge's run, a .jsonl or "
        ".csv file with id or name and scores, or released verdicts; RUN=LABELS for one run; "
        "may be repeated.",
        "--by",
        metavar="LABELS",
    ),
]
Quiet = Annotated[bool, option("Output", "Do not show progress.", "--quiet", "-q")]
Width = Annotated[
    int | None,
    option("Output", "Width of the tables, in characters.", show_default="the terminal's width"),
]


def listed(keys: str | None) -> tuple[str, ...]:
    """Splits a comma-separated list."""
    return tuple(filter(None, map(str.strip, (keys or "").split(","))))
