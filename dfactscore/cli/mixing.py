"""`dfactscore mixing`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command, option
from dfactscore.cli.root import app

__all__: list[str] = []


@command(app)
def mixing(
    run: opt.RunFolder,
    out: Annotated[
        Path | None,
        option(
            "Output", "Write all biographies to this file (.csv or .json) instead.", "--out", "-o"
        ),
    ] = None,
    form: opt.OutputFormat = "table",
    graphml: Annotated[
        Path | None,
        option("Output", "Write the entities that are mixed as GraphML."),
    ] = None,
    plot: Annotated[
        Path | None,
        option("Output", "Draw the entities that are mixed (.png, .svg, .pdf)."),
    ] = None,
    by_number: Annotated[
        Path | None,
        option("Output", "Draw mixing by number of entities with the name (.png, .svg, .pdf)."),
    ] = None,
    min_foreign: Annotated[
        int | None,
        option(
            "Scoring",
            "Facts of another entity of the name from which on a group is mixed.",
            min=1,
            show_default="as the run was scored",
        ),
    ] = None,
    top: Annotated[int, option("Output", "Biographies to list.", min=0)] = 10,
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Show how a run mixes entities of one name, and the cost."""
    import shutil
    import sys

    from dfactscore._util.files import write_text
    from dfactscore._util.outputs import check_output
    from dfactscore.errors import InputError
    from dfactscore.mixing import run_mixing
    from dfactscore.runs import load_run

    check_output(out, "mixing", inputs=[run], force=overwrite)
    check_output(graphml, "graphml", inputs=[run], force=overwrite, named="--graphml")
    check_output(plot, "figure", inputs=[run], force=overwrite, named="--plot")
    check_output(by_number, "figure", inputs=[run], force=overwrite, named="--by-number")
    found = run_mixing(load_run(run).records(), min_foreign=min_foreign)
    if out is not None and out.suffix not in (".csv", ".json"):
        raise InputError(f"{out}: cannot write a {out.suffix!r} file; choose .csv or .json")
    if out is not None:
        write_text(out, found.to_csv() if out.suffix == ".csv" else found.to_json())
    elif form == "table":
        columns = width or shutil.get_terminal_size((100, 24)).columns
        color = sys.stdout.isatty()
        typer.echo(found.to_text(width=columns, color=color, top=top), nl=False)
    else:
        typer.echo(found.to_csv() if form == "csv" else found.to_json(), nl=False)
    if graphml is not None:
        write_text(graphml, found.to_graphml())
    if plot is not None:
        found.plot("graph", plot)
    if by_number is not None:
        found.plot("by_number", by_number)
