"""`dfactscore report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.app import app
from dfactscore.cli.from_settings import command, option

__all__: list[str] = []


@command(app)
def report(
    run: opt.RunFolder,
    out: Annotated[
        Path | None,
        option("Output", "File to write.", "--out", "-o", show_default="RUN/report.html"),
    ] = None,
    explain: Annotated[
        bool,
        option("Output", "Show who each clause is about, and by which rule.", "--explain"),
    ] = False,
    force: opt.Force = False,
) -> None:
    """Write a run as one HTML file to look at.

    It shows every fact, group, link and verdict.
    """
    from dfactscore._util.outputs import check_output
    from dfactscore.report import write_report

    check_output(out, "report", inputs=[run], force=force)
    typer.echo(str(write_report(run, out, explained=explain)))
