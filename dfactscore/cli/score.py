"""`dfactscore score` and `dfactscore rescore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dfactscore._util.csv_text import csv_text
from dfactscore._util.settings import from_flags, setting, settle
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.output import about_run, lines_or_json, message, print_scores, write
from dfactscore.cli.root import app
from dfactscore.errors import InputError
from dfactscore.jobs.settings import Config, LinkSettings
from dfactscore.measures.table import aligned, labeled

__all__ = ["rescore", "score"]


@command(app, Config, config=True)
def score(
    settings: Config,
    given: dict[str, Any],
    *,
    f1_at: opt.F1At = None,
    columns: opt.Columns = None,
    output: opt.OutputFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Score a file of biographies.

    The built-in engine (rules and a small model) judges by default; with --engine llm, a language
    model of your choice (--model, --base-url, or --gguf).
    """
    from dfactscore.cli.scoring_job import run_job
    from dfactscore.jobs.settings import check_flags

    shown = _measures(columns)
    check_flags(settings, given)
    failed = run_job(settings, form=output, quiet=quiet, f1_at=_numbers(f1_at), columns=shown)
    if failed:
        raise typer.Exit(1)


class _Rescore(LinkSettings):
    """One `dfactscore rescore` command."""

    of: int | None = setting(
        None, "Texts that there were, for predictions of those that answered.", panel="Input"
    )


@command(app, _Rescore, defaults=False)
def rescore(
    given: dict[str, Any],
    *,
    run: Annotated[
        Path,
        argument("Run folder, released evaluation, labeled file or published predictions."),
    ],
    f1_at: opt.F1At = None,
    columns: opt.Columns = None,
    form: opt.OutputFormat = "table",
) -> None:
    """Recompute scores from saved verdicts, with other options.

    An option that is not given stays as it was in the run.
    """
    from dfactscore.comparison.f1 import parse_ks
    from dfactscore.jobs.rescore import rescore as rescore_run
    from dfactscore.jobs.rescore import rescore_file

    shown = _measures(columns)
    settings = settle(_Rescore, from_flags(given, _Rescore))
    of = settings.of
    given.pop("of", None)
    if run.is_file():
        _refuse_options(run, given)
        values = rescore_file(run, gamma=settings.gamma, of=of, f1_at=parse_ks(f1_at or ()))
        if form == "csv":
            write(csv_text([values]))
            return
        rows = ((k, "-" if v is None else format(v, ".6f")) for k, v in values.items())
        lines_or_json(form, values, [aligned(labeled(rows, left=True))])
        return
    found = rescore_run(run, **{name: getattr(settings, name) for name in given})
    about = about_run(run, found.settings)
    print_scores(found.rows, found.summary, form, about, _numbers(f1_at), shown)
    if found.unfinished:
        message(
            f"warning: the run is not finished: {len(found.rows)} of {found.expected} biographies "
            "are judged; run the command that started it again to resume it"
        )


def _measures(columns: str | None) -> tuple[str, ...]:
    """The measures to show, refused before anything is done where one is unknown."""
    from dfactscore.results.summary import shown_measures

    keys = opt.listed(columns)
    shown_measures(keys)
    return keys


def _numbers(f1_at: list[str] | None) -> tuple[float, ...]:
    """The K of F1@K; what belongs to several runs is for `compare`.

    Raises:
        InputError: If one is not a number above 0.
    """
    from dfactscore.comparison.f1 import parse_ks

    ks = parse_ks(f1_at or ())
    for k in ks:
        if isinstance(k, str):
            raise InputError(
                f"--f1-at {k} is of all runs that are compared, never of one alone: give it to "
                "'dfactscore compare'"
            )
    return tuple(k for k in ks if not isinstance(k, str))


def _refuse_options(file: Path, given: dict[str, Any]) -> None:
    wrong = ", ".join(f"--{name}" for name in sorted(given) if name != "gamma")
    if wrong:
        raise InputError(
            f"{file}: contains verdicts without a matrix, so {wrong} cannot be applied to it; of "
            "the scoring options only --gamma can"
        )
