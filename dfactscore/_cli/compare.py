"""`dfactscore compare` and `dfactscore answers`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import columns_of, form_of, show, warn
from dfactscore._cli.root import app
from dfactscore._errors import InputError
from dfactscore._util.files import check_output, write_text
from dfactscore._util.settings import Settings, panels
from dfactscore._util.tables import csv_text

if TYPE_CHECKING:
    from dfactscore.comparison import Comparison


_input, _scoring, _output = panels("Input Scoring Output")


_Form = Annotated[
    opt.TextFormat | None,
    option(
        "Output",
        "Format of the results.",
        "--format",
        "-f",
        show_default="by the suffix of --out, else table",
    ),
]


class _Compared(Settings):
    """The settings of commands that compare runs."""

    confidence: float = _scoring(0.95, "Confidence level of the intervals.")
    resamples: int = _scoring(10_000, "Number of bootstrap samples and permutations.", le=1_000_000)
    seed: int = _scoring(0, "Random seed for sampling and resampling.", ge=0)
    rows: Literal["auto", "model", "run"] = _scoring(
        "auto", "One row per model or per run; auto splits runs that have several models."
    )
    out: Path | None = _output(
        None,
        "File to write; its suffix sets the format.",
        flags=("--out", "-o"),
        named="standard output",
    )


class _Compare(_Compared):
    """The settings of `dfactscore compare`."""

    tests: bool = _scoring(True, "Test the differences between pairs of runs.")
    caption: str | None = _output(
        None,
        "Caption for LaTeX and Markdown; if empty, the notes are omitted too.",
        named="from the settings",
    )
    part: Literal["levels", "differences"] = _output("levels", "Table to write with --format csv.")
    plots: Path | None = _output(
        None, "Folder for plots of intervals, FS against D-FS, gaps, and classes of answers."
    )


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
    form: _Form = None,
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


_TESTED = ("entity_recall", "entity_precision", "answer_complete", "answer_merged")
_SHOWN = ("answers", "entity_recall", "entity_precision", "n_evidence", "n_told")


class _Answers(_Compared):
    """The settings of `dfactscore answers`."""

    gold: Path | None = _input(
        None,
        "Gold answers: JSON lines with id, name or question, and gold_answers, or documents with "
        "answer (RAMDocs, AmbigDocs).",
    )
    texts: Path | None = _output(None, "Write one row per text to this .csv file.")
    plot: Path | None = _output(None, "Plot the classes as stacked bars (.png, .svg, .pdf).")


@command(app, _Answers)
def answers(
    settings: _Answers,
    *,
    runs: Annotated[
        list[str],
        argument("Run folders, or folders of runs; LABEL=PATH sets a label.", metavar="RUN..."),
    ],
    form: _Form = None,
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Show how many answers tell all people of a name apart, some of them, or merge them."""
    from dfactscore.comparison import compare

    by_label, out = labeled(runs), settings.out
    kind, inputs = form_of(form, out), [*by_label.values()]
    check_output(out, "comparison", inputs=inputs, force=overwrite)
    check_output(settings.texts, "answer_texts", inputs=inputs, force=overwrite, named="--texts")
    check_output(settings.plot, "figure", inputs=inputs, force=overwrite, named="--plot")
    comparison = compare(
        by_label,
        confidence=settings.confidence,
        resamples=settings.resamples,
        seed=settings.seed,
        by=settings.rows,
        tested=_TESTED,
    ).select(*_SHOWN)
    table = {"width": columns_of(width), "color": out is None and sys.stdout.isatty()}
    show(comparison, kind, out, table=table)
    if settings.plot is not None:
        comparison.plot("answers", settings.plot)
    if settings.gold is not None or settings.texts is not None:
        _texts(by_label, settings)


def _texts(runs: Mapping[str, str | Path], settings: _Answers) -> None:
    """Writes one row per text, and the share of gold answers in each run's texts."""
    from dfactscore._runs import load_run
    from dfactscore._scoring.answer_classes import gold_line, read_gold, text_row

    gold = None if settings.gold is None else read_gold(settings.gold)
    rows: list[dict[str, Any]] = []
    for label, place in runs.items():
        if not Path(place).is_dir():
            raise InputError(f"{place}: --gold and --texts need run folders")
        run = load_run(place)
        warn(run.unfinished)
        found = [text_row(record, gold) for record in run.records(texts=False)]
        rows += [{"run": label, **row} for row in found]
        if gold is not None:
            typer.echo(f"{label}: {gold_line(found)}", err=settings.out is None)
    if settings.texts is not None:
        write_text(settings.texts, csv_text(rows))
