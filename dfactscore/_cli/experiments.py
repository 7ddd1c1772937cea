"""`dfactscore generate` and `dfactscore run`: biographies from passages, and experiments."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from dfactscore._asking.options import DRY_RUN, BudgetSettings
from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import (
    columns_of,
    hide_logs,
    message,
    print_usage,
    progress,
    show,
    write,
)
from dfactscore._cli.root import app
from dfactscore._errors import InputError
from dfactscore._jobs.settings import WorkerSettings
from dfactscore._util.numbers import counted, percent
from dfactscore._util.settings import from_flags, setting, settle
from dfactscore.generation._config import GenerateSettings, NamesSettings
from dfactscore.measures._table import Column, Table, aligned

if TYPE_CHECKING:
    from dfactscore._experiment import ExperimentResult


@command(app, GenerateSettings, config=True)
def generate(
    settings: GenerateSettings,
    *,
    overwrite: opt.Overwrite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Write a biography for each name from retrieved passages.

    The biographies cite the passages.
    """
    from dfactscore.generation._written import begin, estimate, write

    out, requests = begin(settings, overwrite=overwrite)
    with settings.using_session(needed=settings.generator == "llm") as session:
        if settings.dry_run:
            usage, bare = estimate(settings, requests, out, session)
            skipped = f"; {bare} without passages are left out" if bare else ""
            about = (
                f"{counted(len(requests), 'biography')}{skipped}; no model was called; "
                "tokens are estimated"
            )
            print_usage(usage, session.budget.prices if session else None, "table", about)
            return
        with progress("writing", quiet=quiet) as bar:
            written = write(settings, requests, out, session, progress=bar)
    ends = ", ".join(f"{n} {reason}" for reason, n in written.finish_reasons.items()) or "none"
    count = written.written + written.kept
    print(f"{count} of {counted(len(requests), 'biography')} in {out} ({ends})")
    if written.kept:
        print(f"{written.kept} already existed")
    print(f"entities with the target name among the passages: {written.n_retrieved:.1f} on average")
    if written.usage:
        tokens = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in written.usage.items())
        print(f"tokens: {tokens}")
    if written.failed:
        raise typer.Exit(1)


class _Flags(NamesSettings, WorkerSettings, BudgetSettings):
    """The options of `dfactscore run`, which override the file."""

    out: Path | None = setting(
        None,
        "Folder of the experiment; the same command resumes it.",
        panel="Output",
        flags=("--out", "-o"),
        named="runs/EXPERIMENT",
    )
    dry_run: bool = DRY_RUN


@command(app, _Flags, only={"limit", "workers", "on", "max_cost", "prices", "out", "dry_run"})
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
    from dfactscore._experiment import load_experiment, run_experiment

    hide_logs(quiet=quiet)
    flags: dict[str, Any] = {name: given.pop(name) for name in ("out", "dry_run") if name in given}
    settings = settle(_Flags, from_flags(flags, _Flags))
    loaded = load_experiment(experiment, given)
    folder = settings.out or Path("runs") / experiment.stem
    if settings.dry_run:
        from dfactscore._experiment import estimate_experiment

        if form in ("markdown", "latex"):
            raise InputError(f"--format {form}: --dry-run prints table, csv or json")
        usage, prices, about = estimate_experiment(loaded, folder)
        print_usage(usage, prices, cast("opt.Format", form), about)
        return
    result = run_experiment(loaded, folder, judged_by=judged_by)
    _print(result, form)
    for label, reason in result.without.items():
        message(f"not in the comparison: {label}: {reason}")
    if not result.complete:
        raise typer.Exit(1)


def _print(result: ExperimentResult, form: str) -> None:
    table = {"width": columns_of(), "color": sys.stdout.isatty()}
    show(result.comparison, form, table=table)
    if form == "table":
        write(f"{_generation(result)}\n\nEverything is in {result.folder}\n")


def _generation(result: ExperimentResult) -> str:
    """Returns a table that counts the biographies written and shows their citation scores."""
    rows = []
    for model in result.models:
        cited, written = model.citations, model.written
        recall = None if cited is None else cited.citation_recall
        precision = None if cited is None else cited.citation_precision
        ends = ", ".join(f"{n} {reason}" for reason, n in written.finish_reasons.items())
        count, entities = str(written.written + written.kept), f"{written.n_retrieved:.1f}"
        rows.append((model.label, count, entities, percent(recall), percent(precision), ends))
    titles = ("written", "same-name entities", "citation recall", "precision")
    columns = (Column(left=True), *map(Column, titles), Column("ended", left=True))
    return "\n" + aligned(Table(columns, tuple(rows)))
