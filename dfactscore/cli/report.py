"""`dfactscore report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli.app import app

__all__: list[str] = []


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="A run folder.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file; report.html within the run by default."),
    ] = None,
) -> None:
    """Write a run as one HTML file to look at: every fact, group, link and verdict."""
    from dfactscore.report import write_report

    typer.echo(str(write_report(run, output)))
