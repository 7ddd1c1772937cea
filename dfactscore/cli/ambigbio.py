"""`dfactscore ambigbio`: build, enrich, describe, check, compare and export the dataset."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._util.callbacks import Log, no_log
from dfactscore._util.datasets_folder import check_folder
from dfactscore._util.files import make_folder
from dfactscore._util.outputs import check_output, refuse_input
from dfactscore.ambigbio.settings import (
    AmbigBioSettings,
    CheckSettings,
    CopySettings,
    PopularitySettings,
    WikiSettings,
)
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.output import lines_or_json, message
from dfactscore.cli.root import group

if TYPE_CHECKING:
    from dfactscore.ambigbio.builder import Build
    from dfactscore.ambigbio.languages import Language
    from dfactscore.ambigbio.records import Header
    from dfactscore.ambigbio.sources import Source
    from dfactscore.ambigbio.summary import Changes, Summary
    from dfactscore.ambigbio.wiki_client import WikiClient

__all__ = ["ambigbio_app"]

ambigbio_app = group("ambigbio")

Dataset = Annotated[Path, argument("AmbigBio file (.jsonl).", metavar="FILE")]


def _client(address: str, settings: WikiSettings, cache: Path, report: Log) -> WikiClient:
    from dfactscore.ambigbio.errors import MissingExtraError

    try:
        from dfactscore.ambigbio.wiki_client import Pace, WikiClient, check_contact
    except ImportError as error:
        raise MissingExtraError("reading a live wiki", "wikipedia") from error
    from dfactscore.ambigbio.cache import ResponseCache

    check_contact(settings.contact)
    return WikiClient(
        address,
        contact=settings.contact,
        cache=ResponseCache(cache),
        pace=Pace(interval=settings.interval, max_wait=settings.max_wait, timeout=settings.timeout),
        report=report,
    )


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name.removesuffix(".jsonl") + ending)


def _refuse_overwriting(out: Path, wanted: dict[str, object]) -> None:
    """A file that another build wrote is replaced only with --overwrite."""
    from dfactscore.ambigbio import AmbigBioError, load

    if not out.exists():
        return
    try:
        header = load(out).header
    except AmbigBioError as error:
        raise AmbigBioError(
            f"{out} exists and is not an AmbigBio file: give another --out, or --overwrite"
        ) from error
    for field, value in wanted.items():
        if getattr(header, field) != value:
            raise AmbigBioError(
                f"{out} was built with {field} {getattr(header, field)!r}, now {value!r}: give "
                "another --out, or --overwrite"
            )


@command(ambigbio_app, AmbigBioSettings)
def build(settings: AmbigBioSettings, given: dict[str, Any], *, quiet: opt.Quiet = False) -> None:
    """Build the dataset of shared names from a wiki.

    The same command resumes an interrupted build. OUT.pages.jsonl contains the people's pages,
    OUT.log.jsonl the reason why each name and entry was kept or not.
    """
    from dfactscore.ambigbio import AmbigBioError
    from dfactscore.ambigbio.builder import Builder
    from dfactscore.ambigbio.files import write_records, writing_records
    from dfactscore.ambigbio.languages import language, read_language

    words = (
        language(settings.lang)
        if settings.language_data is None
        else read_language(settings.language_data, settings.lang)
    )
    wanted = _wanted(settings, given)
    out, log = settings.out, _beside(settings.out, ".log.jsonl")
    pages_out = settings.pages_out or _beside(out, ".pages.jsonl")
    report, builder = no_log if quiet else message, None
    try:
        with (
            nullcontext() if settings.pages == "none" else writing_records(pages_out) as keep,
            _opened(settings, words, report) as (source, more, cost),
        ):
            builder = Builder(source, words, pages=settings.pages, report=report, keep=keep, **more)
            built = (
                builder.look_up(wanted)
                if isinstance(wanted, list)
                else builder.draw(wanted, settings.seed)
            )
            spent = cost()
    except AmbigBioError as error:
        if builder is None or not builder.decisions:
            raise
        write_records(log, builder.decisions)
        raise AmbigBioError(f"{error}; reasons: {log}") from error
    _write(built, out, pages_out, settings.pages, spent)
    _release(built, settings, pages_out, words)
    if built.failed:
        _warn_of_failed(built)
        raise typer.Exit(1)


def _warn_of_failed(built: Build) -> None:
    title, reason = built.failed[0]
    message(
        f"warning: {len(built.failed)} of {len(built.decisions)} names failed; {title!r}: "
        f"{reason}; run the same command again to try them again"
    )


def _wanted(settings: AmbigBioSettings, given: dict[str, Any]) -> int | Literal["all"] | list[str]:
    """The names of the file, or how many are drawn, once the settings are found to fit."""
    from dfactscore.ambigbio import AmbigBioError
    from dfactscore.text.name_lists import listed_names

    dump, out, file = settings.dump, settings.out, settings.names_file
    number = _number(settings.names)
    _check(settings, given)
    wanted = number if file is None else listed_names(file, settings.column, error=AmbigBioError)
    inputs = [path for path in (dump, file) if path is not None]
    for place, named in ((out, "--out"), (settings.pages_out, "--pages-out")):
        refuse_input(place, inputs, named=named, error=AmbigBioError)
    if settings.release is not None:
        check_folder(settings.release, inputs=inputs, force=settings.overwrite)
    if not settings.overwrite:
        listed = isinstance(wanted, list)
        expected: dict[str, object] = {
            "seed": None if listed else settings.seed,
            "asked": len(wanted) if isinstance(wanted, list) else wanted,
            "language": settings.lang,
            "draw": settings.draw,
        }
        if wanted == "all":
            del expected["asked"]  # the header has the number that there were
        _refuse_overwriting(out, expected)
    return wanted


def _check(settings: AmbigBioSettings, given: dict[str, Any]) -> None:
    """Refuses settings that do not go together."""
    from dfactscore.ambigbio import AmbigBioError

    dump, file = settings.dump, settings.names_file
    for wrong, why in (
        (
            settings.source == "dump" and dump is None,
            "--source dump needs the file: --dump enwiki-…-pages-articles.xml.bz2",
        ),
        (
            settings.source == "api" and dump is not None,
            f"--source api does not read --dump {dump}: leave one of them out",
        ),
        (
            dump is not None and settings.wikidata,
            "--wikidata needs --source api: a dump contains no items; --humans FILE",
        ),
        (
            settings.humans is not None and settings.wikidata,
            "--humans FILE and --wikidata both say who is human: leave one out",
        ),
        (
            settings.column is not None and file is None,
            "--column names a column of --names-file, which is not given",
        ),
        (
            file is not None and "names" in given,
            f"--count {settings.names} draws names, --names-file {file} gives them: leave one out",
        ),
    ):
        if wrong:
            raise AmbigBioError(why)


def _number(names: str) -> int | Literal["all"]:
    from dfactscore.ambigbio import AmbigBioError

    if names.strip().lower() == "all":
        return "all"
    if not names.strip().isdecimal() or int(names) < 1:
        raise AmbigBioError(f"--count {names}: give a number of at least 1, or 'all'")
    return int(names)


@contextmanager
def _opened(
    settings: AmbigBioSettings, words: Language, report: Log
) -> Iterator[tuple[Source, dict[str, Any], Callable[[], str]]]:
    """The wiki, what else the builder takes, and what says in the end what it cost."""
    from dfactscore.ambigbio.wikidata import HumanPages, WikidataCheck

    cache, dump = settings.cache or _beside(settings.out, ".cache"), settings.dump
    if settings.refresh:
        for suffix in ("", "-wal", "-shm"):
            cache.with_name(cache.name + suffix).unlink(missing_ok=True)
    more: dict[str, Any] = {}
    if settings.humans is not None:
        more["people"] = HumanPages(settings.humans)
    if dump is not None:
        from dfactscore.ambigbio.dump_source import DumpSource
        from dfactscore.workers import open_executor

        with open_executor(settings.workers, settings.on) as executor:
            reader = DumpSource(
                dump, words, cache=cache, index=settings.index, executor=executor,
                draw=settings.draw, report=report,
            )  # fmt: skip
            with closing(reader):
                yield reader, {**more, "executor": executor}, lambda: f"from {dump.name}"
        return
    address = settings.api_url or f"https://{settings.lang}.wikipedia.org/w/api.php"
    with closing(_client(address, settings, cache, report)) as client:
        from dfactscore.ambigbio.api_source import ApiSource

        if settings.wikidata:
            more["people"] = WikidataCheck(client, settings.wikidata_url)
        api = ApiSource(client, words, settings.draw)

        def cost() -> str:
            listing = api.enumeration_requests
            return (
                f"{client.requests} requests ({listing} to list the category, "
                f"{client.requests - listing} for names and people), {client.cached} answers "
                "from the cache"
            )

        yield api, more, cost


def _write(built: Build, out: Path, pages_out: Path, pages: str, cost: str) -> None:
    from dfactscore.ambigbio import save
    from dfactscore.ambigbio.files import write_records
    from dfactscore.ambigbio.summary import PAPER_MEAN, summarize

    log = _beside(out, ".log.jsonl")
    write_records(log, built.decisions)
    save(built.dataset, out)
    summary = summarize(built.dataset)
    print(
        f"{summary.names} names, {summary.people} people, {summary.mean:.2f} a name; with others "
        f"than people {summary.mean_entities or 0:.2f} (paper: {PAPER_MEAN}): {out}"
    )
    if pages != "none":
        print(f"{summary.distinct_people} pages ({pages}): {pages_out}")
    rejected = len(built.decisions) - len(built.dataset)
    print(f"{len(built.decisions)} names considered, {rejected} rejected; reasons: {log}")
    unread = sum(line.unread_years for line in built.decisions if line.kept)
    if unread:
        print(f"{unread} people whose line has years in a parenthesis that are not those of life")
    if built.dataset.header.seed is None:
        for line in built.decisions:
            if not line.kept:
                print(f"  rejected: {line.title}: {line.reason}")
    print(cost)


def _release(built: Build, settings: AmbigBioSettings, pages: Path, words: Language) -> None:
    from dfactscore.ambigbio.release import write_audit, write_release

    if settings.release is not None:
        given = None if settings.pages == "none" else pages
        write_release(built.dataset, settings.release, language=words, pages=given)
        print(f"to upload: {settings.release}")
    if settings.audit is not None:
        path = _beside(settings.out, ".audit.csv")
        write_audit(built.dataset, built.decisions, settings.audit, path)
        print(f"write y or n under 'right', then: dfactscore ambigbio audit {path}")


@command(ambigbio_app)
def audit(
    file: Annotated[Path, argument("OUT.audit.csv, with answers under `right`.")],
) -> None:
    """Compute precision and recall from a person's answers to --audit."""
    from dfactscore.ambigbio.release import audit_counts
    from dfactscore.annotation.measures import exact_interval

    for name, (hits, n) in audit_counts(file).items():
        found = exact_interval(hits, n)
        between = "" if found is None else f" ({found[0]:.3f} to {found[1]:.3f}, 95 %)"
        print(f"{name} {hits / n if n else float('nan'):.3f}{between}, {hits} of {n}")


@command(ambigbio_app, PopularitySettings)
def popularity(
    settings: PopularitySettings,
    *,
    file: Dataset,
    overwrite: opt.Overwrite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Add the page views of each person.

    One request for each page; answers are saved in the cache.
    """
    from dfactscore.ambigbio import AmbigBioError, load, save

    dataset, out = load(file), settings.out
    if out is not None and out != file:
        make_folder(out.parent, error=AmbigBioError)
        check_output(out, "dataset", force=overwrite, error=AmbigBioError)
    report = no_log if quiet else message
    kept = settings.cache or _beside(file, ".cache")
    client = _client(settings.pageviews_url, settings, kept, report)
    from dfactscore.ambigbio.page_views import add_views

    try:
        counted = add_views(
            dataset, client, end=settings.end, months=settings.months,
            address=settings.pageviews_url, project=settings.project, report=report,
        )  # fmt: skip
    finally:
        client.close()
    save(counted, out or file)
    span = counted.header.popularity
    assert span is not None
    people = [person for name in counted for person in name.people]
    seen = [person.views or 0 for person in people]
    print(
        f"page views from {span.start} to {span.end} of {len(people)} people: {sum(seen):,} in "
        f"all, {seen.count(0)} people without any: {out or file}"
    )
    print(f"{client.requests} requests, {client.cached} answers from the cache")


@command(ambigbio_app)
def info(file: Dataset, form: opt.ShortFormat = "table") -> None:
    """Show statistics and a histogram of people per name."""
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio.summary import summarize

    dataset = load(file)
    header, summary = dataset.header, summarize(dataset)
    found = {"header": asdict(header), **asdict(summary)}
    lines_or_json(form, found, _about(file, header, summary), indent=None)


def _about(file: Path, header: Header, summary: Summary) -> Iterator[str]:
    """Statistics of a file, line by line."""
    from dfactscore.ambigbio.summary import PAPER_MEAN, histogram

    drawn = "from a list of names" if header.seed is None else f"drawn with seed {header.seed}"
    yield f"{file}: {header.wiki}, snapshot {header.snapshot}, {drawn}"
    yield (
        f"{summary.names} names ({header.considered} considered of {header.listed} listed), "
        f"{summary.people} people on {summary.distinct_people} pages"
    )
    yield (
        f"people per name: mean {summary.mean:.2f}, median "
        f"{summary.median:g}, most {summary.most[1]} ({summary.most[0]})"
    )
    if summary.mean_entities is not None:
        yield (
            f"entities per name, those that are not people too: mean {summary.mean_entities:.2f} "
            f"(paper: {PAPER_MEAN})"
        )
    yield histogram(summary.per_name)
    shown = (f"{count} by {key.replace('_', ' ')}" for key, count in summary.evidence.items())
    yield f"evidence that they are people: {', '.join(shown)}"
    yield (
        f"{summary.with_years} people with years, {summary.with_primary} names with a primary "
        f"topic, {summary.aliases} aliases"
    )
    if (span := header.popularity) is not None:
        yield f"{summary.views or 0:,} page views from {span.start} to {span.end}"


@command(ambigbio_app, CheckSettings)
def validate(settings: CheckSettings, *, file: Dataset) -> None:
    """Check every invariant of a file and its pages.

    Exit status 1 if one is broken.
    """
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio.checks import problems, problems_of_pages

    dataset, pages = load(file), settings.pages
    found = problems(dataset)
    if pages is not None:
        found += problems_of_pages(dataset, pages)
    for problem in found:
        print(f"{file}: {problem}" if not problem.startswith(str(pages)) else problem)
    if found:
        problems_ = "1 problem" if len(found) == 1 else f"{len(found)} problems"
        print(f"{problems_}: restore the file or build it again", file=sys.stderr)
        raise typer.Exit(1)
    print(f"{file}: {len(dataset)} names, no problem")


@command(ambigbio_app)
def diff(
    old: Annotated[Path, argument("The older file.")],
    new: Annotated[Path, argument("The newer file.")],
    form: opt.ShortFormat = "table",
) -> None:
    """Show what changed between two builds."""
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio.summary import compare

    changes = compare(load(old), load(new))
    lines_or_json(form, asdict(changes), _changes(changes), indent=None)


def _changes(changes: Changes) -> Iterator[str]:
    """What changed, line by line."""
    for field, (before, after) in changes.settings.items():
        yield f"{field}: {before} -> {after}"
    for sign, listed in (("+", changes.added), ("-", changes.removed)):
        yield from (f"{sign} {name}" for name in listed)
    for change in changes.changed:
        yield f"~ {change.name}"
        for sign, listed in (("+", change.added), ("-", change.removed)):
            yield from (f"    {sign} {title}" for title in listed)
        yield from (f"    moved: {before} -> {after}" for before, after in change.moved)
        if change.edited:
            yield f"    edited: {', '.join(change.edited)}"
        if change.described:
            yield f"    new description: {', '.join(change.described)}"
    same = not (changes.settings or changes.added or changes.removed or changes.changed)
    sums = f"{len(changes.added)} names added, {len(changes.removed)} removed, "
    yield "no difference" if same else f"{sums}{len(changes.changed)} changed"


@command(ambigbio_app, CopySettings)
def export(
    settings: CopySettings,
    *,
    file: Dataset,
    form: Annotated[
        Literal["hf", "csv", "release"],
        option(
            "Output", "Folder for Hugging Face datasets, CSV, or a folder to upload.", "--format"
        ),
    ] = "hf",
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a Hugging Face datasets folder, a CSV, or a folder to upload."""
    from dfactscore.ambigbio import AmbigBioError, load
    from dfactscore.ambigbio.export import export_csv, export_hf
    from dfactscore.ambigbio.languages import language
    from dfactscore.ambigbio.release import write_release

    dataset, out, pages = load(file), settings.out, settings.pages
    if form == "csv":
        if pages is not None:
            raise AmbigBioError("--pages needs --format hf: the CSV contains names and titles only")
        make_folder(out.parent, error=AmbigBioError)
        check_output(out, "dataset_csv", inputs=[file], force=overwrite, error=AmbigBioError)
        export_csv(dataset, out)
    else:
        check_folder(out, inputs=[path for path in (file, pages) if path], force=overwrite)
        if form == "hf":
            export_hf(dataset, out, pages)
        else:
            write_release(dataset, out, language=language(dataset.header.language), pages=pages)
    print(f"{len(dataset)} names: {out}")
