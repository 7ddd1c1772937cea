"""`dfactscore explain`: who each clause is about, and by which rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli.app import app

__all__ = ["explain"]


@app.command()
def explain(
    file: Annotated[Path, typer.Argument(help="Biographies, or one plain text (.txt).")],
    name: Annotated[
        str | None,
        typer.Option("--name", help="Only this name; the target name of a plain text."),
    ] = None,
    cues: Annotated[bool, typer.Option("--cues", help="Show the cues of each clause.")] = False,
) -> None:
    """Say for each clause who it is about and which rule of the built-in grouper decided."""
    from dfactscore.jobs.explain import explain_file

    for number, (biography, found) in enumerate(explain_file(file, name=name)):
        print(f"{'' if not number else chr(10)}{biography.name or biography.id}")
        for clause in found:
            others = "".join(f", {who + 1}" for who in clause.passing)
            print(f"  {clause.individual + 1}{others}  {clause.text}")
            print(f"     {clause.rule}: {clause.says}")
            if cues:
                print(f"     {', '.join(clause.cues)}")
