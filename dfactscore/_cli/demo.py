"""`dfactscore demo`: score a shipped example."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import about_run, print_scores
from dfactscore._cli.root import app
from dfactscore._util.settings import Settings, setting


class _Demo(Settings):
    """The settings of `dfactscore demo`."""

    out: Path | None = setting(
        None, "Run folder.", panel="Output", flags=("--out", "-o"), named="runs/demo-EXAMPLE"
    )


@command(app, _Demo)
def demo(
    settings: _Demo,
    *,
    example: Annotated[
        Literal["people", "ships"],
        argument("The example to score."),
    ] = "people",
) -> None:
    """Score the shipped example: people (or ships) with one name."""
    from dfactscore._jobs.settings import Config
    from dfactscore._results.result import Result
    from dfactscore._results.signature import signature_of
    from dfactscore._runs import load_run
    from dfactscore._scorer.command import score
    from dfactscore.examples import example as find

    out = settings.out
    shipped, folder = find(example), out or Path("runs") / f"demo-{example}"
    config = Config(input=shipped.biographies, pages=shipped.pages, out=folder)
    done = score(config)
    about = about_run(
        done.folder, done.manifest["settings"], signature_of(done.manifest), done.report
    )
    print_scores(done.outcome.rows, done.outcome.summary, "table", about)
    mixed = next((r["id"] for r in done.outcome.rows if r["mixed_groups"]), None)
    for record in load_run(done.folder).records():
        if record.id == mixed:
            print("\nA mixed text, fact by fact (+ supported, ≠ true of another person only):\n")
            print(Result(record))
