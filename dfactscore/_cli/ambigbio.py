"""`dfactscore ambigbio`: build, enrich, describe, check, compare and export the dataset."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import lines_or_json, message
from dfactscore._cli.root import group
from dfactscore._util.datasets_folder import check_folder
from dfactscore._util.files import check_output, make_folder
from dfactscore._util.numbers import counted
from dfactscore._util.reporting import no_log
from dfactscore.ambigbio._settings import (
    AmbigBioSettings,
    CheckSettings,
    CopySettings,
    PopularitySettings,
)

if TYPE_CHECKING:
    from dfactscore.ambigbio._builder import Build
    from dfactscore.ambigbio._dataset_build import BuiltDataset
    from dfactscore.ambigbio._records import Header
    from dfactscore.ambigbio._summary import Changes, DatasetSummary


ambigbio_app = group("ambigbio")

Dataset = Annotated[Path, argument("AmbigBio file (.jsonl).", metavar="FILE")]


@command(ambigbio_app, AmbigBioSettings)
def build(settings: AmbigBioSettings, given: dict[str, Any], *, quiet: opt.Quiet = False) -> None:
    """Build the dataset of shared names from a wiki.

    The same command resumes an interrupted build. OUT.pages.jsonl contains the people's pages;
    OUT.log.jsonl contains the reasons why names and entries were included or not.
    """
    from dfactscore.ambigbio._dataset_build import build_dataset

    files = build_dataset(settings, given, no_log if quiet else message)
    _print(files, settings)
    _release(files, settings)
    if files.build.failed:
        _warn_of_failed(files.build)
        raise typer.Exit(1)


def _warn_of_failed(build: Build) -> None:
    title, reason = build.failed[0]
    message(
        f"warning: {len(build.failed)} of {len(build.decisions)} names failed; {title!r}: "
        f"{reason}; run the same command to try them again"
    )


def _print(files: BuiltDataset, settings: AmbigBioSettings) -> None:
    from dfactscore.ambigbio._summary import PAPER_MEAN, summarize

    build = files.build
    summary = summarize(build.dataset)
    print(
        f"{counted(summary.names, 'name')}, {_people(summary.people)}, {summary.mean:.2f} per "
        f"name; {summary.mean_entities or 0:.2f} entities of any kind (paper: {PAPER_MEAN}): "
        f"{settings.out}"
    )
    if settings.pages != "none":
        print(f"{counted(summary.distinct_people, 'page')} ({settings.pages}): {files.pages}")
    rejected = len(build.decisions) - len(build.dataset)
    print(
        f"{counted(len(build.decisions), 'name')} considered, {rejected} rejected; reasons: "
        f"{files.log}"
    )
    unread = sum(line.unread_years for line in build.decisions if line.kept)
    if unread:
        print(f"{_people(unread)} with years in parentheses that are not those of birth and death")
    if build.dataset.header.seed is None:
        for line in build.decisions:
            if not line.kept:
                print(f"  rejected: {line.title}: {line.reason}")
    print(files.cost)


def _people(n: int) -> str:
    return counted(n, "person", "people")


def _release(files: BuiltDataset, settings: AmbigBioSettings) -> None:
    from dfactscore.ambigbio._dataset_build import beside
    from dfactscore.ambigbio._release import write_audit, write_release

    build = files.build
    if settings.release is not None:
        pages = None if settings.pages == "none" else files.pages
        write_release(build.dataset, settings.release, language=files.words, pages=pages)
        print(f"to upload: {settings.release}")
    if settings.audit is not None:
        path = beside(settings.out, ".audit.csv")
        write_audit(
            build.dataset, build.decisions, settings.audit, path, overwrite=settings.overwrite
        )
        print(f"write y or n in column 'right', then: dfactscore ambigbio audit {path}")


@command(ambigbio_app)
def audit(
    file: Annotated[Path, argument("OUT.audit.csv, with your answers in the column `right`.")],
) -> None:
    """Compute precision and recall from a person's answers to --audit."""
    from dfactscore.ambigbio._release import audit_counts
    from dfactscore.annotation._agreement import exact_interval

    for name, (hits, n) in audit_counts(file).items():
        bounds = exact_interval(hits, n)
        interval = "" if bounds is None else f" ({bounds[0]:.3f} to {bounds[1]:.3f}, 95 %)"
        print(f"{name} {hits / n if n else float('nan'):.3f}{interval}, {hits} of {n}")


@command(ambigbio_app, PopularitySettings)
def popularity(
    settings: PopularitySettings,
    *,
    file: Dataset,
    overwrite: opt.Overwrite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Add the page views of each person.

    Sends one request per page; a cache stores the answers.
    """
    from dfactscore.ambigbio import AmbigBioError, load, save
    from dfactscore.ambigbio._dataset_build import beside, open_client

    dataset, out = load(file), settings.out
    if out is not None and out != file:
        make_folder(out.parent, error=AmbigBioError)
        check_output(out, "dataset", force=overwrite, error=AmbigBioError)
    report = no_log if quiet else message
    cache = settings.cache or beside(file, ".cache")
    client = open_client(settings.pageviews_url, settings, cache, report)
    from dfactscore.ambigbio._page_views import add_views

    try:
        viewed = add_views(
            dataset,
            client,
            end=settings.end,
            months=settings.months,
            address=settings.pageviews_url,
            project=settings.project,
            report=report,
        )
    finally:
        client.close()
    save(viewed, out or file)
    span = viewed.header.popularity
    assert span is not None
    people = [person for name in viewed for person in name.people]
    views = [person.views or 0 for person in people]
    print(
        f"page views from {span.start} to {span.end} of {_people(len(people))}: {sum(views):,} in "
        f"all, {_people(views.count(0))} without any: {out or file}"
    )
    cached = counted(client.cached, "answer")
    print(f"{counted(client.requests, 'request')}, {cached} from the cache")


@command(ambigbio_app)
def info(file: Dataset, form: opt.ShortFormat = "table") -> None:
    """Show statistics of the dataset, and a histogram of people per name."""
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio._summary import summarize

    dataset = load(file)
    header, summary = dataset.header, summarize(dataset)
    values = {"header": asdict(header), **asdict(summary)}
    lines_or_json(form, values, _about(file, header, summary), indent=None)


def _about(file: Path, header: Header, summary: DatasetSummary) -> Iterator[str]:
    """Yields lines with a file's statistics."""
    from dfactscore.ambigbio._summary import PAPER_MEAN, histogram

    origin = "from a list of names" if header.seed is None else f"drawn with seed {header.seed}"
    yield f"{file}: {header.wiki}, snapshot {header.snapshot}, {origin}"
    yield (
        f"{counted(summary.names, 'name')} ({header.considered} considered of {header.listed} "
        "listed), "
        f"{_people(summary.people)} on {counted(summary.distinct_people, 'page')}"
    )
    yield (
        f"people per name: mean {summary.mean:.2f}, median "
        f"{summary.median:g}, most {summary.most[1]} ({summary.most[0]})"
    )
    if summary.mean_entities is not None:
        yield (
            f"entities of any kind per name: mean {summary.mean_entities:.2f} (paper: {PAPER_MEAN})"
        )
    yield histogram(summary.per_name)
    evidence = (f"{count} by {key.replace('_', ' ')}" for key, count in summary.evidence.items())
    yield f"evidence that they are people: {', '.join(evidence)}"
    yield (
        f"{_people(summary.with_years)} with years, {counted(summary.with_primary, 'name')} with "
        f"a primary topic, {counted(summary.aliases, 'alias', 'aliases')}"
    )
    if (span := header.popularity) is not None:
        yield f"{summary.views or 0:,} page views from {span.start} to {span.end}"


@command(ambigbio_app, CheckSettings)
def validate(settings: CheckSettings, *, file: Dataset) -> None:
    """Check every invariant of a file and its pages.

    The exit status is 1 if one is violated.
    """
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio._checks import problems, problems_of_pages

    dataset, pages = load(file), settings.pages
    faults = problems(dataset)
    if pages is not None:
        faults += problems_of_pages(dataset, pages)
    for fault in faults:
        print(f"{file}: {fault}" if not fault.startswith(str(pages)) else fault)
    if faults:
        count = counted(len(faults), "problem")
        print(f"{count}: restore the file or build it again", file=sys.stderr)
        raise typer.Exit(1)
    print(f"{file}: {counted(len(dataset), 'name')}, no problem")


@command(ambigbio_app)
def diff(
    old: Annotated[Path, argument("The older file.")],
    new: Annotated[Path, argument("The newer file.")],
    form: opt.ShortFormat = "table",
) -> None:
    """Show the changes between two builds."""
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio._summary import compare

    changes = compare(load(old), load(new))
    lines_or_json(form, asdict(changes), _changes(changes), indent=None)


def _changes(changes: Changes) -> Iterator[str]:
    """Yields lines that describe the changes."""
    for field, (old, new) in changes.settings.items():
        yield f"{field}: {old} -> {new}"
    for sign, names in (("+", changes.added), ("-", changes.removed)):
        yield from (f"{sign} {name}" for name in names)
    for change in changes.changed:
        yield f"~ {change.name}"
        for sign, titles in (("+", change.added), ("-", change.removed)):
            yield from (f"    {sign} {title}" for title in titles)
        yield from (f"    moved: {old} -> {new}" for old, new in change.moved)
        if change.edited:
            yield f"    edited: {', '.join(change.edited)}"
        if change.described:
            yield f"    new description: {', '.join(change.described)}"
    same = not (changes.settings or changes.added or changes.removed or changes.changed)
    sums = f"{counted(len(changes.added), 'name')} added, {len(changes.removed)} removed, "
    yield "no difference" if same else f"{sums}{len(changes.changed)} changed"


@command(ambigbio_app, CopySettings)
def export(
    settings: CopySettings,
    *,
    file: Dataset,
    form: Annotated[
        Literal["hf", "csv", "release"],
        option(
            "Output",
            "Hugging Face datasets folder, CSV, or folder to upload to the Hub.",
            "--format",
        ),
    ] = "hf",
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a Hugging Face datasets folder, a CSV, or a folder to upload."""
    from dfactscore.ambigbio import AmbigBioError, load
    from dfactscore.ambigbio._dataset_build import beside
    from dfactscore.ambigbio._export import export_csv, export_hf
    from dfactscore.ambigbio._languages import language
    from dfactscore.ambigbio._release import write_release

    dataset, out, pages = load(file), settings.out, settings.pages
    if form == "csv":
        if pages is not None:
            raise AmbigBioError("--pages needs --format hf: the CSV contains names and titles only")
        make_folder(out.parent, error=AmbigBioError)
        check_output(out, "dataset_csv", inputs=[file], force=overwrite, error=AmbigBioError)
        export_csv(dataset, out)
    else:
        own = beside(file, ".pages.jsonl")
        if pages is None and own.exists():
            pages = own
        elif pages is None:
            message(f"without the people's pages: {own} does not exist; --pages FILE adds them")
        check_folder(out, inputs=[path for path in (file, pages) if path], force=overwrite)
        if form == "hf":
            export_hf(dataset, out, pages)
        else:
            write_release(dataset, out, language=language(dataset.header.language), pages=pages)
    print(f"{counted(len(dataset), 'name')}: {out}")
