"""`dfactscore demo`: the shipped example, scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from dfactscore.cli.app import app

__all__ = ["demo"]


@app.command()
def demo(
    example: Annotated[
        Literal["people", "ships"], typer.Argument(help="Which shipped example.")
    ] = "people",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run folder; runs/demo-EXAMPLE by default.")
    ] = None,
) -> None:
    """Score the shipped example: real people (or ships) who share a name."""
    from dfactscore.cli.output import about_run, message, print_scores
    from dfactscore.jobs.demo import score_example
    from dfactscore.results.result import Result
    from dfactscore.runs import load_run

    done = score_example(example, out or Path("runs") / f"demo-{example}", say=message)
    about = about_run(done.folder, done.manifest["settings"], done.report)
    print_scores(done.outcome.rows, done.outcome.summary, "table", about)
    mixed = next((r["id"] for r in done.outcome.rows if r["category"] == "mixed"), None)
    for record in load_run(done.folder).records():
        if record.id == mixed:
            print("\nOne of the mixed ones, fact by fact (+ supported, ≠ true of another only):\n")
            print(Result(record))
