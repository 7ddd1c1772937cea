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
    from dfactscore.cli.output import print_scores
    from dfactscore.cli.score import about_run, add_report
    from dfactscore.examples import example as find
    from dfactscore.readers import read_biographies
    from dfactscore.results.result import Result
    from dfactscore.runs import (
        Run,
        describe_input,
        describe_settings,
        execute,
        finish,
        load_run,
        new_manifest,
    )
    from dfactscore.scorer import Scorer, open_pages
    from dfactscore.scoring import ScoreOptions

    shipped = find(example)
    reading = read_biographies(shipped.biographies)
    engine, source, options = Scorer().engine, open_pages(shipped.pages), ScoreOptions()
    settings = describe_settings(engine, source, options, "retrieved")
    manifest = new_manifest(
        command="score", source=describe_input(shipped.biographies, reading), settings=settings
    )
    with Run(out or Path("runs") / f"demo-{example}", manifest) as run:
        execute(run, reading.biographies, engine, source)
        outcome = finish(run, reading, options=options, candidates="retrieved")
        about = about_run(run.folder, settings)
        about |= add_report(run.folder, len(outcome.rows))
        print_scores(outcome.rows, outcome.summary, "table", about)
        mixed = next((r["id"] for r in outcome.rows if r["category"] == "mixed"), None)
        shown = [s for s in load_run(run.folder).scored() if s.id == mixed]
        for scored in shown:
            print("\nOne of the mixed ones, fact by fact (+ supported, ≠ true of another only):\n")
            print(Result(scored))
