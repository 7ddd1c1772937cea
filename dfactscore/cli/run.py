"""`dfactscore run`: an experiment file, from names to a comparison."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from dfactscore._util.settings import setting
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.root import app
from dfactscore.generation.config import NamesSettings
from dfactscore.jobs.settings import WorkerSettings

if TYPE_CHECKING:
    from dfactscore.jobs.experiment import ExperimentResult

__all__ = ["run"]


class _Flags(NamesSettings, WorkerSettings):
    """What can be given over the file, and where it goes."""

    out: Path | None = setting(
        None,
        "Folder of the experiment; the same command resumes it.",
        panel="Output",
        flags=("--out", "-o"),
        named="runs/EXPERIMENT",
    )
    dry_run: bool = setting(
        False,
        "Estimate calls, tokens and cost without calling a model.",
        panel="Output",
        flags=("--dry-run",),
    )


@command(app, _Flags, only={"limit", "workers", "on", "out", "dry_run"})
def run(
    given: dict[str, Any],
    *,
    experiment: Annotated[
        Path,
        argument("Experiment file (YAML; docs/generation.md)."),
    ],
    form: opt.AnyFormat = "table",
    judged_by: opt.JudgedBy = None,
    quiet: opt.Quiet = False,
) -> None:
    """Run an experiment, from names to a comparison.

    Steps: names, retrieval, generation, scores, citations, comparison.
    """
    from dfactscore._util.callbacks import no_log
    from dfactscore._util.settings import from_flags, settle
    from dfactscore.cli.output import message
    from dfactscore.jobs.experiment import load_experiment, run_experiment

    own: dict[str, Any] = {name: given.pop(name) for name in ("out", "dry_run") if name in given}
    settings = settle(_Flags, from_flags(own, _Flags))
    loaded = load_experiment(experiment, given)
    folder = settings.out or Path("runs") / experiment.stem
    if settings.dry_run:
        from dfactscore.cli.usage_table import print_usage
        from dfactscore.errors import InputError
        from dfactscore.jobs.experiment import estimate_experiment

        if form in ("markdown", "latex"):
            raise InputError(f"--format {form}: what a run would cost is a table, csv or json")
        usage, prices, about = estimate_experiment(loaded, folder, no_log if quiet else message)
        print_usage(usage, prices, cast("opt.Format", form), about)
        return
    result = run_experiment(loaded, folder, judged_by=judged_by, log=no_log if quiet else message)
    _print(result, form)
    for label, reason in result.without.items():
        message(f"not in the comparison: {label}: no biography was written ({reason})")
    if not result.complete:
        raise typer.Exit(1)


def _print(result: ExperimentResult, form: str) -> None:
    import shutil
    import sys

    comparison = result.comparison
    if form == "table":
        columns = shutil.get_terminal_size((100, 24)).columns
        typer.echo(comparison.to_text(width=columns, color=sys.stdout.isatty()), nl=False)
        typer.echo(_generation(result))
        typer.echo(f"\nEverything is in {result.folder}")
        return
    render = {
        "markdown": comparison.to_markdown,
        "latex": comparison.to_latex,
        "csv": comparison.to_csv,
        "json": comparison.to_json,
    }
    typer.echo(render[form](), nl=False)


def _generation(result: ExperimentResult) -> str:
    """How the biographies were written, and their citation scores."""
    from dfactscore._util.numbers import percent

    width = max(len(m.label) for m in result.models)
    lines = [f"\n{'':<{width}}  written  same-name entities  citation recall  precision  ended"]
    for model in result.models:
        cited = model.citations
        recall = None if cited is None else cited.citation_recall
        precision = None if cited is None else cited.citation_precision
        ends = ", ".join(f"{n} {why}" for why, n in model.written.finish_reasons.items())
        lines.append(
            f"{model.label:<{width}}  {model.written.written + model.written.kept:>7}  "
            f"{model.written.n_retrieved:>18.1f}  {percent(recall):>15}  "
            f"{percent(precision):>9}  {ends}"
        )
    return "\n".join(lines)
