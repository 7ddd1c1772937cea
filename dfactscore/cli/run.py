"""`dfactscore run`: an experiment file, from names to a comparison."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.jobs.experiment import ExperimentResult

__all__ = ["run"]


@app.command()
def run(
    experiment: Annotated[Path, typer.Argument(help="Experiment file (YAML).")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Its folder; runs/NAME by default. The same resumes it."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N names.")] = None,
    form: Annotated[
        Literal["text", "markdown", "csv", "json"],
        typer.Option("--format", help="How the comparison is printed."),
    ] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Run an experiment: names, retrieval, generation, scores, comparison."""
    from dataclasses import replace

    from dfactscore.cli.output import message
    from dfactscore.jobs.experiment import load_experiment, run_experiment

    loaded = load_experiment(experiment)
    if limit is not None:
        loaded = replace(loaded, limit=limit)
    folder = out or Path("runs") / experiment.stem
    result = run_experiment(loaded, folder, say=(lambda line: None) if quiet else message)
    _print(result, form)
    for label, reason in result.without.items():
        message(f"not in the comparison: {label}: no biography could be written ({reason})")
    if not result.complete:
        raise typer.Exit(1)


def _print(result: ExperimentResult, form: str) -> None:
    import shutil
    import sys

    comparison = result.comparison
    if form == "text":
        columns = shutil.get_terminal_size((100, 24)).columns
        typer.echo(comparison.to_text(width=columns, color=sys.stdout.isatty()), nl=False)
        typer.echo(_generation(result))
        typer.echo(f"\nEverything is in {result.folder}")
        return
    render = {
        "markdown": comparison.to_markdown,
        "csv": comparison.to_csv,
        "json": comparison.to_json,
    }
    typer.echo(render[form](), nl=False)


def _generation(result: ExperimentResult) -> str:
    """How the biographies came about, and their citations."""
    width = max(len(m.label) for m in result.models)
    lines = [f"\n{'':<{width}}  written  same-name entities  citation recall  precision  ended"]
    for model in result.models:
        cited = model.citations
        recall = None if cited is None else cited.citation_recall
        precision = None if cited is None else cited.citation_precision
        ends = ", ".join(f"{n} {why}" for why, n in model.written.finish_reasons.items())
        lines.append(
            f"{model.label:<{width}}  {model.written.written + model.written.kept:>7}  "
            f"{model.written.n_retrieved:>18.1f}  {_percent(recall):>15}  "
            f"{_percent(precision):>9}  {ends}"
        )
    return "\n".join(lines)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"
