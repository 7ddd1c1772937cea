"""`dfactscore report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore._util.outputs import check_output
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.output import message
from dfactscore.cli.root import app
from dfactscore.jobs.view_settings import PageSettings

__all__: list[str] = []


@command(app, PageSettings)
def report(
    settings: PageSettings,
    *,
    run: opt.RunFolder,
    other: Annotated[
        Path | None,
        argument("A second run, set side by side with the first by name.", metavar="[RUN]"),
    ] = None,
    judged_by: opt.JudgedBy = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a run as one HTML file to look at.

    It shows every fact, group, link and verdict.
    """
    from dfactscore.report import write_report
    from dfactscore.runs.finishing import HELD
    from dfactscore.runs.run_manifest import read_manifest

    out = settings.out
    runs = [run] if other is None else [run, other]
    check_output(out, "report", inputs=runs, force=overwrite)
    count = sum(int(read_manifest(folder)["input"]["records"]) for folder in runs)
    if count > HELD:
        message(
            f"warning: {count} biographies; browsers open a page of {HELD} without trouble, and of "
            "many more not at all"
        )
    typer.echo(
        str(write_report(run, out, explained=settings.explain, beside=other, judged_by=judged_by))
    )
