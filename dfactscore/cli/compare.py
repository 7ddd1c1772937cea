"""`dfactscore compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.root import app

if TYPE_CHECKING:
    from dfactscore.factor.comparing import FactorComparison

__all__ = ["labeled"]

_SUFFIXES: dict[str, opt.TextFormat] = {
    ".txt": "table", ".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json",
}  # fmt: skip


@command(app)
def compare(
    runs: Annotated[
        list[str],
        argument(
            "Run folders, folders with runs in them (an experiment's), or released evaluation "
            "files (.json); LABEL=PATH gives a label.",
            metavar="RUN|FILE...",
        ),
    ],
    confidence: Annotated[float, option("Scoring", "Level of the intervals.")] = 0.95,
    resamples: Annotated[
        int,
        option("Scoring", "Bootstrap samples and permutations."),
    ] = 10_000,
    seed: Annotated[int, option("Scoring", "Random seed of intervals and tests.")] = 0,
    tests: Annotated[bool, option("Scoring", "Test the differences of pairs of runs.")] = True,
    rows: Annotated[
        Literal["auto", "model", "run"],
        option("Scoring", "One row a model or a run; auto splits runs of several models."),
    ] = "auto",
    by: opt.Labels = None,
    f1_at: opt.F1At = None,
    out: Annotated[
        Path | None,
        option(
            "Output",
            "File to write; its suffix sets the format.",
            "--out",
            "-o",
            show_default="standard output",
        ),
    ] = None,
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
    columns: Annotated[
        str | None,
        option(
            "Output",
            "Columns to show, separated by commas: fs,dfs,kept,gap ...",
            show_default="all with values",
        ),
    ] = None,
    caption: Annotated[
        str | None,
        option(
            "Output",
            "Caption of the table in LaTeX and Markdown; an empty one leaves out the notes, too.",
            show_default="made of the settings",
        ),
    ] = None,
    part: Annotated[
        Literal["levels", "differences"],
        option("Output", "Which table, for --format csv."),
    ] = "levels",
    plots: Annotated[
        Path | None,
        option("Output", "Folder for plots of intervals, FS against D-FS, and gaps."),
    ] = None,
    judged_by: opt.JudgedBy = None,
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Compare runs: intervals, paired tests, rank stability."""
    import shutil
    import sys

    if by and by[-1] in ("auto", "model", "run") and not Path(by[-1]).exists():
        rows, by = cast("Literal['auto', 'model', 'run']", by[-1]), by[:-1]
        print(f"--by {rows} is --rows {rows} now; works for one release", file=sys.stderr)

    from dfactscore._util.outputs import check_output
    from dfactscore.comparison import compare as compare_runs
    from dfactscore.comparison.f1 import PAPERS, parse_ks

    named = labeled(runs)
    from dfactscore.factor.comparing import compare_factor, is_factor_run

    factor = all(map(is_factor_run, named.values()))
    check_output(out, "factor" if factor else "comparison", inputs=named.values(), force=overwrite)
    if factor:
        tested = compare_factor(named, confidence=confidence, resamples=resamples, seed=seed)
        _print_factor(tested, out, form, part)
        return
    found = compare_runs(
        named,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        by=rows,
        tests=tests,
        f1_at=parse_ks(f1_at or ()) or PAPERS,
        judged_by=judged_by,
    )
    if by:
        from dfactscore.correct import bound, correct
        from dfactscore.correct.saving import with_corrected

        found = with_corrected(
            found, correct(named, by=bound(by, named), confidence=confidence, seed=seed)
        )
    if f1_at and columns is None:
        found = found.with_f1()
    if columns is not None:
        found = found.select(*(key.strip() for key in columns.split(",") if key.strip()))
    kind: opt.TextFormat = form or _SUFFIXES.get(out.suffix if out else "", "table")
    if kind == "table":
        color = out is None and sys.stdout.isatty()
        text = found.to_text(
            width=width or shutil.get_terminal_size((100, 24)).columns, color=color
        )
    elif kind == "csv":
        text = found.to_csv(part)
    else:
        text = {
            "markdown": lambda: found.to_markdown(caption=caption),
            "latex": lambda: found.to_latex(caption=caption),
            "json": found.to_json,
        }[kind]()
    if out is None:
        typer.echo(text, nl=False)
    else:
        from dfactscore._util.files import write_text

        write_text(out, text)
    if plots is not None:
        from dfactscore.comparison.plots import save_comparison_plots

        for path in save_comparison_plots(found, plots):
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
