"""`dfactscore correct`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import columns_of, form_of, message, show, write
from dfactscore._cli.root import app
from dfactscore._errors import InputError
from dfactscore._util.files import check_output
from dfactscore.correct._settings import CorrectSettings

if TYPE_CHECKING:
    from dfactscore.correct import Plan


@command(app, CorrectSettings, config=True)
def correct(
    settings: CorrectSettings,
    *,
    runs: Annotated[
        list[str], argument("Run folders or files; LABEL=PATH sets a label.", metavar="RUN...")
    ],
    by: opt.Labels = None,
    columns: opt.Columns = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Correct a judge's means with labels of a few texts.

    Labels of a random sample (30 texts or more) remove the judge's bias, and its scores of all
    texts narrow the interval. The run's report then shows the corrected means.
    """
    from dfactscore._cli.compare import labeled
    from dfactscore.correct import bound
    from dfactscore.correct import correct as correct_runs
    from dfactscore.correct._correction import save

    by_label = labeled(runs)
    width, measures = columns_of(), opt.listed(columns)
    if not by and any("=" in column for column in settings.column) and not settings.plan:
        by = [str(path) for path in by_label.values()]  # a table that also has the labels
    if settings.plan:
        others = ("--out", settings.out), ("--plot", settings.plot), ("--format", settings.form)
        if other := next((flag for flag, value in others if value not in (None, "table")), None):
            raise InputError(f"correct: --plan prints a table; {other} is for corrected means")
        write(_plan(settings, by_label, bound(by or (), by_label), width))
        return
    if not by:
        raise InputError(
            "correct: give labels with --by: a study (.db), a run by another judge, .jsonl, .csv; "
            "'correct RUN --plan --width 3' says how many are needed"
        )
    labels = bound(by, by_label)
    inputs = [*by_label.values(), *(path for paths in labels.values() for path in paths)]
    check_output(settings.out, "correction", inputs=inputs, force=overwrite)
    check_output(settings.plot, "figure", inputs=inputs, force=overwrite, named="--plot")
    correction = correct_runs(
        by_label,
        by=labels,
        population=settings.population,
        confidence=settings.confidence,
        seed=settings.seed,
        columns=settings.columns,
        percent=settings.percent,
        rows=settings.rows,
        scores=settings.scores,
    )
    form = form_of(settings.form, settings.out)
    table = {"width": width, "columns": measures}
    show(
        correction,
        form,
        settings.out,
        table=table,
        markdown={"columns": measures},
        latex={"columns": measures},
    )
    for path in save(correction, by_label):
        message(f"{path}: written; 'dfactscore report {path.parent}' shows it")
    if settings.plot is not None:
        from dfactscore.correct._correction import plot_correction

        plot_correction(correction, settings.plot)
        message(str(settings.plot))


def _plan(
    settings: CorrectSettings,
    runs: dict[str, str | Path],
    by: dict[str, list[Path]],
    columns: int,
) -> str:
    from dfactscore.correct._planning import plan_runs
    from dfactscore.correct._tables import plan_table
    from dfactscore.measures._rendering import text_tables

    width = settings.width if settings.scores else settings.width / 100
    plans: dict[str, tuple[Plan, ...]] = plan_runs(
        runs,
        by=by,
        width=width,
        population=settings.population,
        confidence=settings.confidence,
        columns=settings.columns,
        percent=settings.percent,
        rows=settings.rows,
        scores=settings.scores,
    )
    table = plan_table(plans, width, bool(by), graded=bool(settings.scores))
    return text_tables([table], width=columns)
