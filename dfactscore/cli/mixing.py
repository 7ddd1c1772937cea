"""`dfactscore mixing`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli.app import app

__all__: list[str] = []


@app.command()
def mixing(
    run: Annotated[Path, typer.Argument(help="A run folder.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write every biography to this file (.csv or .json) instead."
        ),
    ] = None,
    graphml: Annotated[
        Path | None, typer.Option(help="Write who is mixed with whom as GraphML.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw who is mixed with whom (.png, .svg, .pdf).")
    ] = None,
    by_number: Annotated[
        Path | None,
        typer.Option(help="Draw mixing by number of same-name people (.png, .svg, .pdf)."),
    ] = None,
    min_foreign: Annotated[
        int,
        typer.Option(min=1, help="From how many facts of another entity on a group is mixed."),
    ] = 2,
    top: Annotated[int, typer.Option(min=0, help="How many biographies to list.")] = 10,
    width: Annotated[
        int | None, typer.Option(help="Columns of the tables; the terminal's by default.")
    ] = None,
) -> None:
    """Show how a run mixes people of one name, and what it costs."""
    import shutil
    import sys

    from dfactscore._util.files import write_text
    from dfactscore.errors import InputError
    from dfactscore.mixing import run_mixing
    from dfactscore.runs import load_run

    found = run_mixing(load_run(run).records(), min_foreign=min_foreign)
    if output is not None and output.suffix not in (".csv", ".json"):
        raise InputError(f"{output}: cannot write a {output.suffix!r} file; choose .csv or .json")
    if output is not None:
        write_text(output, found.to_csv() if output.suffix == ".csv" else found.to_json())
    else:
        columns = width or shutil.get_terminal_size((100, 24)).columns
        color = sys.stdout.isatty()
        typer.echo(found.to_text(width=columns, color=color, top=top), nl=False)
    if graphml is not None:
        write_text(graphml, found.to_graphml())
    if plot is not None:
        found.plot("graph", plot)
    if by_number is not None:
        found.plot("by_number", by_number)
