"""`dfactscore unmix`: rewrite texts that mix people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import command
from dfactscore._cli.output import lines_or_json, print_usage, progress, warn
from dfactscore._cli.root import app
from dfactscore._util.numbers import counted, percent
from dfactscore.measures._table import Column, Table, aligned
from dfactscore.mixing._unmix_settings import UnmixSettings

if TYPE_CHECKING:
    from dfactscore.mixing._unmix_work import UnmixedRun, Unmixing


@command(app, UnmixSettings, config=True)
def unmix(
    settings: UnmixSettings,
    *,
    run: opt.RunFolder,
    form: opt.ShortFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Rewrite texts that mix people, and score the result.

    A rewritten text has one paragraph per person, in the words of the text. Other texts are not
    changed.
    """
    from dfactscore.mixing import _unmix_work as job

    unmixing = job.begin(settings, run)
    warn(unmixing.run.unfinished)
    with settings.using_session(needed=settings.engine == "llm") as session:
        if settings.dry_run:
            usage = unmixing.estimate(session)
            about = "no model was called; tokens are estimated"
            print_usage(usage, session.budget.prices if session else None, form, about)
            return
        with progress("telling apart", quiet=quiet) as bar:
            found = unmixing.write(session, progress=bar)
    report = "" if found.failed else _report(unmixing)
    _print(found, unmixing.out, report, settings, form)
    if found.failed:
        raise typer.Exit(1)


def _report(unmixing: Unmixing) -> str:
    """Writes a report on the texts before and after; returns its path, or why none was written."""
    from dfactscore._report.page import ReportBuilder, write_pair
    from dfactscore._runs.outcome import MAX_HELD

    if not unmixing.has_report:
        return f"not written for more than {MAX_HELD} texts"
    run, out = unmixing.run, unmixing.out
    labels = run.folder.name, out.stem
    if labels[0] == labels[1]:
        labels = run.folder.name, out.name
    page = out.with_name(f"{out.stem}-report.html")
    return str(write_pair(ReportBuilder(), labels, unmixing.before_and_after(), page, run.settings))


def _print(
    found: UnmixedRun, out: Path, report: str, settings: UnmixSettings, form: opt.ShortFormat
) -> None:
    means = found.means() if found.changes else {}
    row = {
        "texts": found.n,
        "changed": len(found.changes),
        "by_model": found.by_model,
        "without_dfs": found.unscored,
        "needs_editor": found.needs_editor,
        "report": report,
        **{key: {"mean": value, "interval": list(of)} for key, (value, of) in means.items()},
    }
    changed, verb = len(found.changes), "mixes" if found.n == 1 else "mix"
    lines = [f"{changed} of {counted(found.n, 'text')} {verb} people of one name: {out}"]
    if found.unscored:
        texts = counted(found.unscored, "text")
        lines.append(
            f"{texts} without a D-FActScore copied: it is not known whether they mix people"
        )
    if found.needs_editor:
        sentences = counted(found.needs_editor, "sentence")
        lines.append(
            f"{sentences} about several people kept whole, for an editor: see needs_editor in {out}"
        )
    if settings.engine == "llm" and found.changes:
        lines.append(f"written by the model: {found.by_model}, by rules: the others")
    if means:
        times = ("before", "after", "difference")
        rows = tuple(
            (measure, *(_shown(*means[f"{measure} {when}"]) for when in times))
            for measure in ("FS", "D-FS")
        )
        columns = (Column("of these", left=True), *map(Column, times))
        lines += [
            "",
            aligned(Table(columns, rows)),
            "% with 95 % intervals over names, without headings, by the built-in judge at a higher "
            "threshold than the one by which the texts were written",
        ]
    if report:
        lines.append(f"side by side: {report}")
    lines_or_json(form, row, lines)


def _shown(value: float | None, interval: tuple[float, float]) -> str:
    low, high = interval
    bounds = "" if low != low else f" ({percent(low)}–{percent(high)})"
    return f"{percent(value)}{bounds}"
