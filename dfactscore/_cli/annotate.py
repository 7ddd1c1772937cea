"""`dfactscore annotate`: human evaluation of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import columns_of, lines_or_json, message, write
from dfactscore._cli.root import group
from dfactscore._util.numbers import counted, number, percent
from dfactscore._util.reporting import no_log
from dfactscore.annotation._settings import (
    AnswerSettings,
    ImportSettings,
    ReportSettings,
    ServeSettings,
    StudySettings,
)
from dfactscore.measures._table import Column, Table, aligned, labeled

if TYPE_CHECKING:
    from dfactscore.annotation._study import Study


annotate = group("annotate")

StudyFile = Annotated[Path, argument("Study file.", metavar="STUDY")]
Name = Annotated[str, argument("Name of the annotator.")]


@contextmanager
def _opened(path: Path) -> Iterator[Study]:
    from dfactscore.annotation._study import Study

    with Study(path) as study:
        yield study


@command(annotate, StudySettings)
def init(
    settings: StudySettings,
    *,
    runs: Annotated[list[Path], argument("Run folders.", metavar="RUN...")],
) -> None:
    """Create a study from run folders.

    The study file contains all texts, people and answers.
    """
    from dfactscore.annotation._creating import init_study

    options = {name: value for name, value in settings if name not in ("out", "annotators")}
    names = [name for name in settings.annotators.split(",") if name.strip()]
    created = init_study(runs, settings.out, annotators=names, **options)

    by_model = ", ".join(f"{n} of {model}" for model, n in created.paragraphs.items())
    write(
        f"{created.path}: {counted(sum(created.paragraphs.values()), 'paragraph')} ({by_model}), "
    )
    alone = " (doubles need two annotators: --annotators A,B)" if len(created.loads) < 2 else ""
    write(f"{created.doubles} of them double{alone}\n")
    for name, load in created.loads.items():
        write(f"  {name}: {counted(load, 'paragraph')}\n")
    if created.qualifying:
        write(f"  everyone first: {counted(created.qualifying, 'paragraph')} with known answers\n")
    if created.pageless:
        message(f"{counted(created.pageless, 'paragraph')} without a candidate page")
    for reason, count in created.skipped.items():
        message(f"not annotated: {counted(count, 'biography')} ({reason})")
    if settings.show_automatic:
        message("the study is not blind: it shows the verdicts of the run")


@command(annotate, ServeSettings)
def serve(settings: ServeSettings, *, study: StudyFile, quiet: opt.Quiet = False) -> None:
    """Serve the annotation pages of a study on this machine.

    The command prints an entry link for each annotator and the adjudicator. Stop it with Ctrl-C;
    every answer is saved at once.
    """
    from dfactscore.annotation._study import StudyMember

    with _opened(study) as opened:
        from dfactscore.annotation._web.serve import PORT, REMOTE_WARNING, is_loopback, serve_study

        def ready(links: list[tuple[StudyMember, str]]) -> None:
            if not is_loopback(settings.host):
                message(REMOTE_WARNING)
            rows = ((person.name, link) for person, link in links)
            write(aligned(labeled(rows, left=True)) + "\n")
            port = int(links[0][1].split("/")[2].rpartition(":")[2])
            if settings.port is None and port != PORT:
                message(f"port {PORT} is in use, so earlier links do not work")

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
    """Add an annotator, who takes over a share of the untouched paragraphs."""
    with _opened(study) as opened:
        from dfactscore.annotation._people import add_annotator

        n_paragraphs = add_annotator(opened, name)
    write(
        f"{name}: {counted(n_paragraphs, 'paragraph')}; for a link: dfactscore annotate token "
        f"{study} {name}\n"
    )


@command(annotate)
def token(study: StudyFile, name: Name) -> None:
    """Print a new entry link for a person and revoke the last one that this command printed."""
    with _opened(study) as opened:
        from dfactscore.annotation._people import new_link

        secret = new_link(opened, name)
        with opened.read() as db:
            address = db.execute("SELECT address FROM study").fetchone()[0]
    write(f"{name}  {address or 'http://127.0.0.1:PORT'}/enter/{secret}\n")


@command(annotate)
def revoke(study: StudyFile, name: Name) -> None:
    """Revoke a person's links and sessions; the answers are kept."""
    with _opened(study) as opened:
        from dfactscore.annotation._people import revoke as end

        ended = end(opened, name)
    write(f"{name}: {counted(ended, 'link or session', 'links and sessions')} revoked\n")


@command(annotate, AnswerSettings)
def export(
    settings: AnswerSettings,
    *,
    study: StudyFile,
    form: Annotated[
        Literal["jsonl", "factscore", "label-studio"],
        option("Output", "Format of the exported answers.", "--format"),
    ] = "jsonl",
    overwrite: opt.Overwrite = False,
) -> None:
    """Write the answers of a study to a file."""
    with _opened(study) as opened:
        from dfactscore.annotation._answer_files import export_answers

        files, amount = export_answers(
            opened,
            settings.out,
            form=form,
            with_events=settings.with_events,
            overwrite=overwrite,
        )
    write(f"{', '.join(map(str, files))}: {amount}\n")


@command(annotate, ImportSettings, name="import")
def import_(
    settings: ImportSettings,
    *,
    study: StudyFile,
    file: Annotated[Path, argument("Exported JSONL, or a JSON export from Label Studio.")],
) -> None:
    """Import answers into a study.

    Paragraphs that already have answers by the same person are not changed.
    """
    annotator = settings.annotator
    with _opened(study) as opened:
        from dfactscore.annotation._importing import import_answers

        imported = import_answers(opened, file, annotator)
    for name, count in sorted(imported.answers.items()):
        write(f"{name}: {counted(count, 'paragraph')}\n")
    if imported.unchanged:
        message(
            f"not imported: {counted(imported.unchanged, 'paragraph')} with answers in the study"
        )
    for line in imported.missing:
        message(f"missing: {line}")


@command(annotate)
def status(
    study: StudyFile,
    form: opt.ShortFormat = "table",
) -> None:
    """Show finished and open work, minutes per paragraph, and current agreement."""
    with _opened(study) as opened:
        from dfactscore.annotation._report import study_status

        progress = study_status(opened)
    lines_or_json(form, progress, _status_lines(progress))


def _status_lines(progress: Mapping[str, Any]) -> Iterator[str]:
    """Yields each annotator's progress and the agreement on shared paragraphs."""
    columns = (
        Column("annotator", left=True),
        *(Column(title, width=6 if title == "done" else 5) for title in ("done", "open")),
        *map(Column, ("skipped", "minutes")),
        Column(left=True),
    )
    yield aligned(Table(columns, tuple(map(_of_person, progress["people"]))), gap=" ")
    yield f"\n{counted(progress['doubles'], 'paragraph')} annotated by two people"
    titles = {"n_bio": "#bio", "label": "label", "found_in": "found in", "link": "link"}
    for question, agreed in progress["agreement"].items():
        share, alpha = percent(agreed["percent"], missing="–"), agreed["alpha"]
        figures = f"{share:>5} % of {agreed['n']} equal, α {number(alpha, digits=3, missing='–')}"
        yield f"  {titles[question]:<9} {figures}"
    if not progress["blind"]:
        yield "The study is not blind."


def _of_person(person: Mapping[str, Any]) -> tuple[str, ...]:
    remarks = (
        "revoked" if person["revoked"] else "",
        {"no": "not qualified", "open": "qualifying"}.get(person["qualified"] or "", ""),
        f"{person['flagged']} flagged" if person["flagged"] else "",
    )
    counts = (str(person[name]) for name in ("done", "open", "skipped"))
    return (
        person["name"],
        *counts,
        number(person["minutes"], digits=1),
        " ".join(filter(None, remarks)),
    )


@command(annotate, ReportSettings)
def report(
    settings: ReportSettings,
    *,
    study: StudyFile,
    form: opt.ShortFormat = "table",
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Report scores by people, agreement, and the comparison with automatic runs."""
    with _opened(study) as opened:
        from dfactscore.annotation._report import study_report
        from dfactscore.annotation._report_tables import render_text, write_report

        contents = study_report(
            opened,
            runs=settings.run,
            irrelevant="keep" if settings.irrelevant == "keep" else "drop",
            include_revised=settings.include_revised,
            resamples=settings.resamples,
            seed=settings.seed,
        )
    if settings.out is not None:
        for file in write_report(contents, settings.out, inputs=[study], overwrite=overwrite):
            write(f"{file}\n")
    else:
        text = render_text(contents, width=columns_of(width))
        lines_or_json(form, contents, [text.removesuffix("\n")])
