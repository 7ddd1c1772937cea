"""`dfactscore compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.root import app
from dfactscore.jobs.view_settings import CompareSettings

if TYPE_CHECKING:
    from dfactscore.factor.comparing import FactorComparison

__all__ = ["labeled"]

_SUFFIXES: dict[str, opt.TextFormat] = {
    ".txt": "table", ".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json",
}  # fmt: skip


@command(app, CompareSettings)
def compare(
    settings: CompareSettings,
    *,
    runs: Annotated[
        list[str],
        argument(
            "Run folders, folders with runs in them (an experiment's), or released evaluation "
            "files (.json); LABEL=PATH gives a label.",
            metavar="RUN|FILE...",
        ),
    ],
    by: opt.Labels = None,
    f1_at: opt.F1At = None,
    columns: opt.Columns = None,
    form: Annotated[
        opt.TextFormat | None,
        option(
            "Output",
            "Format of the results.",
            "--format",
            "-f",
            show_default="by the suffix of --out, else table",
        ),
    ] = None,
    judged_by: opt.JudgedBy = None,
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Compare runs: intervals, paired tests, rank stability."""
    import shutil
    import sys

    out, rows = settings.out, settings.rows
    if by and by[-1] in ("auto", "model", "run") and not Path(by[-1]).exists():
        rows, by = cast("Literal['auto', 'model', 'run']", by[-1]), by[:-1]
        print(f"--by {rows} is --rows {rows} now; works for one release", file=sys.stderr)

    from dfactscore._util.outputs import check_output
    from dfactscore.comparison import compare as compare_runs
    from dfactscore.comparison.cells import checked_columns
    from dfactscore.comparison.f1 import parse_ks
    from dfactscore.metrics import PAPER_KS

    shown = checked_columns(opt.listed(columns))
    named = labeled(runs)
    level: dict[str, Any] = {"confidence": settings.confidence, "seed": settings.seed}
    from dfactscore.factor.comparing import compare_factor, is_factor_run

    factor = all(map(is_factor_run, named.values()))
    check_output(out, "factor" if factor else "comparison", inputs=named.values(), force=overwrite)
    if factor:
        tested = compare_factor(
            named, confidence=settings.confidence, resamples=settings.resamples, seed=settings.seed
        )
        _print_factor(tested, out, form, settings.part)
        return
    found = compare_runs(
        named,
        **level,
        resamples=settings.resamples,
        by=rows,
        tests=settings.tests,
        f1_at=parse_ks(f1_at or ()) or PAPER_KS,
        judged_by=judged_by,
    )
    if by:
        from dfactscore.correct import bound, correct
        from dfactscore.correct.kept import with_corrected

        found = with_corrected(
            found,
            correct(named, by=bound(by, named), confidence=settings.confidence, seed=settings.seed),
        )
    kind: opt.TextFormat = form or _SUFFIXES.get(out.suffix if out else "", "table")
    if f1_at and columns is None:
        found = found.with_f1(usual=kind not in ("csv", "json"))
    if columns is not None:
        found = found.select(*shown)
    if kind == "table":
        color = out is None and sys.stdout.isatty()
        text = found.to_text(
            width=width or shutil.get_terminal_size((100, 24)).columns, color=color
        )
    elif kind == "csv":
        text = found.to_csv(settings.part)
    else:
        text = {
            "markdown": lambda: found.to_markdown(caption=settings.caption),
            "latex": lambda: found.to_latex(caption=settings.caption),
            "json": found.to_json,
        }[kind]()
    if out is None:
        typer.echo(text, nl=False)
    else:
        from dfactscore._util.files import write_text

        write_text(out, text)
    if settings.plots is not None:
        from dfactscore.comparison.plots import save_comparison_plots

        for path in save_comparison_plots(found, settings.plots):
            typer.echo(str(path), err=True)


def _print_factor(
    tested: FactorComparison, out: Path | None, form: opt.TextFormat | None, part: str
) -> None:
    """Prints a comparison of runs of `factor score`."""
    from dfactscore._util.files import write_text
    from dfactscore.errors import InputError

    kind = form or _SUFFIXES.get(out.suffix if out else "", "table")
    if kind in ("markdown", "latex"):
        raise InputError(f"--format {kind}: runs of factor score are compared as table, csv, json")
    text = {
        "table": tested.to_text,
        "csv": lambda: tested.to_csv(part),
        "json": tested.to_json,
    }[kind]()
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_text(out, text)


def labeled(runs: list[str]) -> dict[str, str | Path]:
    """Runs by label: folders, folders with runs in them, files, and ``LABEL=PATH``."""
    from dfactscore.comparison.loading import runs_in
    from dfactscore.errors import InputError

    named: dict[str, str | Path] = {}
    for run in runs:
        label, equals, path = run.partition("=")
        if not equals or Path(run).exists():
            path, label = run, Path(run).stem if Path(run).is_file() else Path(run).resolve().name
            equals = ""
        found = runs_in(path)
        inside = {f"{label}/{name}" if equals else name: at for name, at in found.items()}
        for name, place in (inside or {label: Path(path)}).items():
            if name in named:
                raise InputError(f"two runs are called {name!r}; give labels: LABEL={path}")
            named[name] = place
    return named
