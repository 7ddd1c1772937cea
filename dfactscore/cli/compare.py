"""`dfactscore compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from dfactscore.cli.app import app

__all__: list[str] = []

Format = Literal["text", "markdown", "latex", "csv", "json"]
_SUFFIXES: dict[str, Format] = {
    ".txt": "text", ".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json",
}  # fmt: skip


@app.command()
def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN|FILE...",
            help="Run folders or released evaluation files (.json); LABEL=PATH names one.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file; its suffix chooses the format."),
    ] = None,
    format: Annotated[
        Format | None, typer.Option("--format", "-f", help="Format of the output.")
    ] = None,
    part: Annotated[
        Literal["levels", "differences"], typer.Option(help="Which table, with csv.")
    ] = "levels",
    plots: Annotated[
        Path | None,
        typer.Option(help="Also draw intervals, FS against D-FS and gaps into this folder."),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples and permutations.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of both.")] = 0,
    width: Annotated[
        int | None, typer.Option(help="Columns of the text table; the terminal's by default.")
    ] = None,
) -> None:
    """Compare runs: scores with intervals, paired tests, rank stability."""
    import shutil
    import sys

    from dfactscore.comparison import compare as compare_runs

    found = compare_runs(_labeled(runs), confidence=confidence, resamples=resamples, seed=seed)
    kind: Format = format or _SUFFIXES.get(output.suffix if output else "", "text")
    if kind == "text":
        color = output is None and sys.stdout.isatty()
        columns = width or shutil.get_terminal_size((100, 24)).columns
        text = found.to_text(width=columns, color=color)
    elif kind == "csv":
        text = found.to_csv(part)
    else:
        render = {"markdown": found.to_markdown, "latex": found.to_latex, "json": found.to_json}
        text = render[kind]()
    if output is None:
        typer.echo(text, nl=False)
    else:
        from dfactscore._util.files import write_text

        write_text(output, text)
    if plots is not None:
        from dfactscore.plots import save_comparison_plots

        for path in save_comparison_plots(found, plots):
            typer.echo(str(path), err=True)


def _labeled(runs: list[str]) -> dict[str, str | Path]:
    from dfactscore.errors import InputError

    named: dict[str, str | Path] = {}
    for run in runs:
        label, equals, path = run.partition("=")
        if not equals or Path(run).exists():
            path, label = run, Path(run).stem if Path(run).is_file() else Path(run).resolve().name
        if label in named:
            raise InputError(f"two runs are called {label!r}; name them: LABEL={path}")
        named[label] = path
    return named
