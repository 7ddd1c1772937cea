"""`dfactscore compare`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import columns_of, form_of, show
from dfactscore._cli.root import app
from dfactscore._errors import InputError
from dfactscore._util.files import check_output
from dfactscore._util.settings import Settings, panels

if TYPE_CHECKING:
    from dfactscore.comparison import Comparison


_scoring, _output = panels("Scoring Output")


class _Compare(Settings):
    """The settings of `dfactscore compare`."""

    confidence: float = _scoring(0.95, "Confidence level of the intervals.")
    resamples: int = _scoring(10_000, "Number of bootstrap samples and permutations.", le=1_000_000)
    seed: int = _scoring(0, "Random seed for sampling and resampling.", ge=0)
    tests: bool = _scoring(True, "Test the differences between pairs of runs.")
    rows: Literal["auto", "model", "run"] = _scoring(
        "auto", "One row per model or per run; auto splits runs that have several models."
    )
    out: Path | None = _output(
        None,
        "File to write; its suffix sets the format.",
        flags=("--out", "-o"),
        named="standard output",
    )
    caption: str | None = _output(
        None,
        "Caption for LaTeX and Markdown; if empty, the notes are omitted too.",
        named="from the settings",
    )
    part: Literal["levels", "differences"] = _output("levels", "Table to write with --format csv.")
    plots: Path | None = _output(None, "Folder for plots of intervals, FS against D-FS, and gaps.")


@command(app, _Compare)
def compare(
    settings: _Compare,
    *,
    runs: Annotated[
        list[str],
        argument(
            "Run folders, folders of runs (such as an experiment's), or released evaluation files "
            "(.json); LABEL=PATH sets a label.",
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
    from dfactscore._metrics import PAPER_KS
    from dfactscore.comparison import compare as compare_runs
    from dfactscore.comparison._comparison_tables import checked_columns
    from dfactscore.comparison._scores import parse_ks
    from dfactscore.factor._comparing import is_factor_run

    measures = checked_columns(opt.listed(columns))
    by_label, out = labeled(runs), settings.out
    factor, kind = all(map(is_factor_run, by_label.values())), form_of(form, out)
    inputs = by_label.values()
    check_output(out, "factor" if factor else "comparison", inputs=inputs, force=overwrite)
    if factor:
        _compare_items(by_label, settings, kind)
        return
    comparison = compare_runs(
        by_label,
        confidence=settings.confidence,
        seed=settings.seed,
        resamples=settings.resamples,
        by=settings.rows,
        tests=settings.tests,
        f1_at=parse_ks(f1_at or ()) or PAPER_KS,
        judged_by=judged_by,
    )
    if by:
        comparison = _corrected(comparison, by_label, by, settings)
    if f1_at and columns is None:
        comparison = comparison.with_f1(usual=kind not in ("csv", "json"))
    if columns is not None:
        comparison = comparison.select(*measures)
    caption = {"caption": settings.caption}
    table = {"width": columns_of(width), "color": out is None and sys.stdout.isatty()}
    part = {"part": settings.part}
    show(comparison, kind, out, table=table, csv=part, markdown=caption, latex=caption)
    if settings.plots is not None:
        from dfactscore.comparison._plots import save_comparison_plots

        for path in save_comparison_plots(comparison, settings.plots):
            typer.echo(str(path), err=True)


def _corrected(
    comparison: Comparison, runs: Mapping[str, str | Path], by: list[str], settings: _Compare
) -> Comparison:
    """Adds means that were corrected with labels to a comparison."""
    from dfactscore.correct import bound, correct
    from dfactscore.correct._correction import with_corrected

    level, seed = settings.confidence, settings.seed
    correction = correct(runs, by=bound(by, runs), confidence=level, seed=seed, rows=settings.rows)
    return with_corrected(comparison, correction, tests=settings.tests)


def _compare_items(runs: Mapping[str, str | Path], settings: _Compare, kind: str) -> None:
    """Compares FACTOR runs item by item."""
    from dfactscore.factor._comparing import compare_factor

    if kind in ("markdown", "latex"):
        raise InputError(f"--format {kind}: runs of factor score are compared as table, csv, json")
    level, seed = settings.confidence, settings.seed
    comparison = compare_factor(runs, confidence=level, seed=seed, resamples=settings.resamples)
    show(comparison, kind, settings.out, csv={"part": settings.part})


def labeled(runs: list[str]) -> dict[str, str | Path]:
    """Returns runs by label, given run folders, folders of runs, files or ``LABEL=PATH``."""
    from dfactscore.comparison._loading import runs_in

    by_label: dict[str, str | Path] = {}
    for run in runs:
        label, equals, path = run.partition("=")
        if not equals or Path(run).exists():
            path, label = run, Path(run).stem if Path(run).is_file() else Path(run).resolve().name
            equals = ""
        inside = {f"{label}/{n}" if equals else n: place for n, place in runs_in(path).items()}
        for name, place in (inside or {label: Path(path)}).items():
            if name in by_label:
                raise InputError(f"two runs are called {name!r}; give labels: LABEL={path}")
            by_label[name] = place
    return by_label
