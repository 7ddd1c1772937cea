"""`dfactscore annotate`: studies in which people judge the facts of runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

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


@command(annotate)
def init(
    runs: Annotated[list[Path], argument("Run folders.", metavar="RUN...")],
    out: Annotated[Path, option("Output", "Study file to make (.db).", "--out", "-o")],
    annotators: Annotated[
        str,
        option("Input", "Names with commas between them; one person does everything by default."),
    ] = "",
    double: Annotated[
        float, option("Input", "Share of each model's paragraphs that two people annotate.")
    ] = 0.1,
    sample: Annotated[
        int | None, option("Input", "Draw at most N paragraphs of each model.", min=1)
    ] = None,
    candidates: Annotated[
        Literal["dataset", "retrieved", "named"] | None,
        option("Evidence", "Whose pages are shown.", show_default="as in the run"),
    ] = None,
    pages: Annotated[
        Path | None,
        option("Evidence", "Whole pages (file, folder or store) in the place of the run's."),
    ] = None,
    qualify: Annotated[
        Path | None,
        option("Input", "Known answers (exported JSONL); their paragraphs come first for all."),
    ] = None,
    qualify_min: Annotated[
        float, option("Input", "Share of right labels that is needed to annotate.")
    ] = 0.7,
    show_automatic: Annotated[
        bool,
        option(
            "Input", "Show the run's verdicts; the study is not blind then.", "--show-automatic"
        ),
    ] = False,
    seed: Annotated[int, option("Input", "Random seed of sample, allocation and orders.")] = 0,
) -> None:
    """Make a study of run folders.

    The file holds all texts, people and answers.
    """
    from dfactscore.annotation.creating import init_study

    names = [name for name in annotators.split(",") if name.strip()]
    made = init_study(
        runs,
        out,
        annotators=names,
        double=double,
        sample=sample,
        candidates=candidates,
        pages=pages,
        qualify=qualify,
        qualify_min=qualify_min,
        show_automatic=show_automatic,
        seed=seed,
    )
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
    if show_automatic:
        message("the run's verdicts are shown: the study is not blind")


@command(annotate)
def serve(
    study: StudyFile,
    host: Annotated[str, option("Output", "Where to listen.")] = "127.0.0.1",
    port: Annotated[int, option("Output", "Port; 0 takes a free one.", min=0, max=65535)] = 0,
    allow_remote: Annotated[
        bool,
        option(
            "Output",
            "Let other machines in, with a --host that reaches them; no TLS.",
            "--allow-remote",
        ),
    ] = False,
    quiet: opt.Quiet = False,
) -> None:
    """Serve a study's pages on this machine.

    Prints one entry link per annotator and one for the adjudicator. Stop it with Ctrl-C; answers
    are kept as they are made.
    """
    from dfactscore._util.callbacks import no_log
    from dfactscore.annotation.study import Person
    from dfactscore.cli.output import message, write

    with _opened(study) as opened:
        from dfactscore.annotation.web.serve import REMOTE_WARNING, is_loopback, serve_study

        def ready(links: list[tuple[Person, str]]) -> None:
            if not is_loopback(host):
                message(REMOTE_WARNING)
            width = max(len(person.name) for person, _ in links)
            for person, link in links:
                write(f"{person.name:<{width}}  {link}\n")

        serve_study(
            opened,
            host=host,
            port=port,
            allow_remote=allow_remote,
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
            address = db.exec_driver_sql("SELECT address FROM study").scalar()
    write(f"{name}  {address or 'http://127.0.0.1:PORT'}/enter/{secret}\n")


@command(annotate)
def revoke(study: StudyFile, name: Name) -> None:
    """End someone's links and sessions; their answers stay."""
    from dfactscore.cli.output import write

    with _opened(study) as opened:
        from dfactscore.annotation.people import revoke as end

        ended = end(opened, name)
    write(f"{name}: {ended} links and sessions ended\n")


@command(annotate)
def export(
    study: StudyFile,
    out: Annotated[
        Path, option("Output", "File to write; a folder for label-studio.", "--out", "-o")
    ],
    form: Annotated[
        Literal["jsonl", "factscore", "label-studio"],
        option("Output", "Format of the answers.", "--format"),
    ] = "jsonl",
    with_events: Annotated[
        bool, option("Output", "Add every change with its time (jsonl).", "--with-events")
    ] = False,
) -> None:
    """Write the answers of a study to a file."""
    from dfactscore.cli.output import write

    with _opened(study) as opened:
        from dfactscore.annotation.exporting import export_answers

        files, said = export_answers(opened, out, form=form, with_events=with_events)
    write(f"{', '.join(map(str, files))}: {said}\n")


@command(annotate, name="import")
def import_(
    study: StudyFile,
    file: Annotated[Path, argument("Exported JSONL, or a JSON export of Label Studio.")],
    annotator: Annotated[
        str | None,
        option("Input", "Whose answers they are.", show_default="as the rows say"),
    ] = None,
) -> None:
    """Read answers into a study.

    Paragraphs that have answers of the same person already are left as they are.
    """
    from dfactscore.cli.output import message, write

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


@command(annotate)
def report(
    study: StudyFile,
    run: Annotated[
        list[Path] | None,
        option("Input", "Run to compare with.", "--run", show_default="those of the study"),
    ] = None,
    out: Annotated[
        Path | None,
        option(
            "Output",
            "Folder for tables, JSON and HTML.",
            "--out",
            "-o",
            show_default="standard output",
        ),
    ] = None,
    irrelevant: Annotated[
        Literal["keep", "exclude"],
        option("Scoring", "Keep irrelevant facts in the denominator, or exclude them."),
    ] = "keep",
    include_revised: Annotated[
        bool,
        option(
            "Scoring",
            "Count #bio that was changed after the pages were seen.",
            "--include-revised",
        ),
    ] = False,
    resamples: Annotated[int, option("Scoring", "Bootstrap samples.", min=0)] = 10_000,
    seed: Annotated[int, option("Scoring", "Random seed of the intervals.")] = 0,
    form: opt.ShortFormat = "table",
    width: opt.Width = None,
) -> None:
    """Show scores by people, agreement, and the automatic run beside people."""
    import shutil

    from dfactscore.cli.output import print_json, write

    with _opened(study) as opened:
        from dfactscore.annotation.report import study_report
        from dfactscore.annotation.writing import render_text, write_report

        found = study_report(
            opened,
            runs=run or (),
            irrelevant="keep" if irrelevant == "keep" else "drop",
            include_revised=include_revised,
            resamples=resamples,
            seed=seed,
        )
    if out is not None:
        for file in write_report(found, out):
            write(f"{file}\n")
    elif form == "json":
        print_json(found)
    else:
        columns = width or shutil.get_terminal_size((100, 24)).columns
        write(render_text(found, width=columns))
