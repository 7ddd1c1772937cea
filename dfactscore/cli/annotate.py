"""`dfactscore annotate`: studies in which people judge the facts of runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dfactscore.annotation.settings import (
    AnswerSettings,
    ImportSettings,
    ReportSettings,
    ServeSettings,
    StudySettings,
)
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.root import app

if TYPE_CHECKING:
    from dfactscore.annotation.study import Study

__all__ = ["annotate"]

annotate = typer.Typer(
    help="Let people judge the facts of runs: pages to annotate, agreement, a report.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(annotate, name="annotate")

StudyFile = Annotated[Path, argument("Study file.", metavar="STUDY")]
Name = Annotated[str, argument("Name of the annotator.")]


@contextmanager
def _opened(path: Path) -> Iterator[Study]:
    from dfactscore.annotation.study import Study

    with Study(path) as study:
        yield study


@command(annotate, StudySettings)
def init(
    settings: StudySettings,
    *,
    runs: Annotated[list[Path], argument("Run folders.", metavar="RUN...")],
) -> None:
    """Make a study of run folders.

    The file holds all texts, people and answers.
    """
    from dfactscore.annotation.creating import init_study

    more = {name: value for name, value in settings if name not in ("out", "annotators")}
    names = [name for name in settings.annotators.split(",") if name.strip()]
    made = init_study(runs, settings.out, annotators=names, **more)
    from dfactscore.cli.output import message, write

    each = ", ".join(f"{n} of {model}" for model, n in made.paragraphs.items())
    write(f"{made.path}: {sum(made.paragraphs.values())} paragraphs ({each}), ")
    write(f"{made.doubles} of them double\n")
    for name, load in made.loads.items():
        write(f"  {name}: {load} paragraphs\n")
    if made.qualifying:
        write(f"  {made.qualifying} paragraphs with known answers come first for everyone\n")
    if made.pageless:
        message(f"{made.pageless} paragraphs have no candidate page")
    for reason, count in made.skipped.items():
        message(f"not annotated: {count} biographies ({reason})")
    if settings.show_automatic:
        message("the run's verdicts are shown: the study is not blind")


@command(annotate, ServeSettings)
def serve(settings: ServeSettings, *, study: StudyFile, quiet: opt.Quiet = False) -> None:
    """Serve a study's pages on this machine.

    Prints one entry link per annotator and one for the adjudicator. Stop it with Ctrl-C; answers
    are kept as they are made.
    """
    from dfactscore._util.callbacks import no_log
    from dfactscore.annotation.study import Person
    from dfactscore.cli.output import message, write

    with _opened(study) as opened:
        from dfactscore.annotation.web.serve import PORT, REMOTE_WARNING, is_loopback, serve_study

        def ready(links: list[tuple[Person, str]]) -> None:
            if not is_loopback(settings.host):
                message(REMOTE_WARNING)
            width = max(len(person.name) for person, _ in links)
            for person, link in links:
                write(f"{person.name:<{width}}  {link}\n")
            port = int(links[0][1].split("/")[2].rpartition(":")[2])
            if settings.port is None and port != PORT:
                message(f"port {PORT} is taken, so that links given out before do not lead here")

        serve_study(
            opened,
            host=settings.host,
            port=settings.port,
            allow_remote=settings.allow_remote,
            ready=ready,
            log=no_log if quiet else message,
        )


@command(annotate)
def add(study: StudyFile, name: Name) -> None:
    """Add an annotator, who takes over a share of the paragraphs not yet begun."""
    from dfactscore.cli.output import write

    with _opened(study) as opened:
        from dfactscore.annotation.people import add_annotator

        taken = add_annotator(opened, name)
    write(f"{name}: {taken} paragraphs; for a link: dfactscore annotate token {study} {name}\n")


@command(annotate)
def token(study: StudyFile, name: Name) -> None:
    """Print a new entry link for someone; the last one of this command ends."""
    from dfactscore.cli.output import write

    with _opened(study) as opened:
        from dfactscore.annotation.people import new_link

        secret = new_link(opened, name)
        with opened.read() as db:
            address = db.execute("SELECT address FROM study").fetchone()[0]
    write(f"{name}  {address or 'http://127.0.0.1:PORT'}/enter/{secret}\n")


@command(annotate)
def revoke(study: StudyFile, name: Name) -> None:
    """End someone's links and sessions; their answers stay."""
    from dfactscore.cli.output import write

    with _opened(study) as opened:
        from dfactscore.annotation.people import revoke as end

        ended = end(opened, name)
    write(f"{name}: {ended} links and sessions ended\n")


@command(annotate, AnswerSettings)
def export(
    settings: AnswerSettings,
    *,
    study: StudyFile,
    form: Annotated[
        Literal["jsonl", "factscore", "label-studio"],
        option("Output", "Format of the answers.", "--format"),
    ] = "jsonl",
) -> None:
    """Write the answers of a study to a file."""
    from dfactscore.cli.output import write

    with _opened(study) as opened:
        from dfactscore.annotation.exporting import export_answers

        files, said = export_answers(
            opened, settings.out, form=form, with_events=settings.with_events
        )
    write(f"{', '.join(map(str, files))}: {said}\n")


@command(annotate, ImportSettings, name="import")
def import_(
    settings: ImportSettings,
    *,
    study: StudyFile,
    file: Annotated[Path, argument("Exported JSONL, or a JSON export of Label Studio.")],
) -> None:
    """Read answers into a study.

    Paragraphs that have answers of the same person already are left as they are.
    """
    from dfactscore.cli.output import message, write

    annotator = settings.annotator
    with _opened(study) as opened:
        from dfactscore.annotation.importing import import_answers

        done = import_answers(opened, file, annotator)
    for name, count in sorted(done.answers.items()):
        write(f"{name}: {count} paragraphs\n")
    if done.kept:
        message(f"{done.kept} paragraphs had answers already, which stay")
    for line in done.missing:
        message(f"missing: {line}")


@command(annotate)
def status(
    study: StudyFile,
    form: opt.ShortFormat = "table",
) -> None:
    """Show what is done and open, minutes a paragraph, and agreement so far."""
    from dfactscore._util.numbers import number, percent
    from dfactscore.cli.output import print_json, write

    with _opened(study) as opened:
        from dfactscore.annotation.status import study_status

        found = study_status(opened)
    if form == "json":
        print_json(found)
        return
    width = max(9, *(len(one["name"]) for one in found["people"]))
    write(f"{'annotator':<{width}}  {'done':>5} {'open':>5} {'skipped':>7} {'minutes':>7}\n")
    for one in found["people"]:
        more = " revoked" if one["revoked"] else ""
        more += {"no": " not qualified", "open": " qualifying"}.get(one["qualified"] or "", "")
        more += f" {one['flagged']} flagged" if one["flagged"] else ""
        write(
            f"{one['name']:<{width}}  {one['done']:>5} {one['open']:>5} {one['skipped']:>7} "
            f"{number(one['minutes'], digits=1):>7}{more}\n"
        )
    write(f"\n{found['doubles']} paragraphs done by two people\n")
    titles = {"n_bio": "#bio", "label": "label", "found_in": "found in", "link": "link"}
    for question, agreed in found["agreement"].items():
        alpha = number(agreed["alpha"], digits=3, missing="–")
        write(
            f"  {titles[question]:<9} {percent(agreed['percent'], missing='–'):>5} % of "
            f"{agreed['n']} equal, α {alpha}\n"
        )
    if not found["blind"]:
        write("The study is not blind.\n")


@command(annotate, ReportSettings)
def report(
    settings: ReportSettings,
    *,
    study: StudyFile,
    form: opt.ShortFormat = "table",
    width: opt.Width = None,
) -> None:
    """Show scores by people, agreement, and the automatic run beside people."""
    import shutil

    from dfactscore.cli.output import print_json, write

    out = settings.out
    with _opened(study) as opened:
        from dfactscore.annotation.report import study_report
        from dfactscore.annotation.writing import render_text, write_report

        found = study_report(
            opened,
            runs=settings.run,
            irrelevant="keep" if settings.irrelevant == "keep" else "drop",
            include_revised=settings.include_revised,
            resamples=settings.resamples,
            seed=settings.seed,
        )
    if out is not None:
        for file in write_report(found, out):
            write(f"{file}\n")
    elif form == "json":
        print_json(found)
    else:
        columns = width or shutil.get_terminal_size((100, 24)).columns
        write(render_text(found, width=columns))
