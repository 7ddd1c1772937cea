"""`dfactscore ambigbio`: build, enrich, describe, check, compare and export the dataset."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._util.callbacks import Log
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.root import app

if TYPE_CHECKING:
    from dfactscore.ambigbio.builder import Build, PeopleCheck
    from dfactscore.ambigbio.languages import Language
    from dfactscore.ambigbio.wiki_client import WikiClient
    from dfactscore.workers import Executor

__all__ = ["ambigbio_app"]

ambigbio_app = typer.Typer(
    name="ambigbio",
    help="Build and check AmbigBio: names that several people share.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(ambigbio_app)

Dataset = Annotated[Path, argument("AmbigBio file (.jsonl).", metavar="FILE")]
Contact = Annotated[
    str | None, option("Limits", "Your mail address or URL, which Wikimedia requires.")
]
Interval = Annotated[
    float, option("Limits", "Minimum seconds between two requests.", "--interval", min=0.0)
]
MaxWait = Annotated[
    float, option("Limits", "Maximum pause in seconds that a server may ask for.", min=0.0)
]
Timeout = Annotated[
    float, option("Limits", "Seconds after which a request counts as failed.", min=0.1)
]
Cache = Annotated[
    Path | None,
    option("Limits", "SQLite file of the servers' answers.", show_default="OUT.cache"),
]
Pages = Annotated[Path | None, option("Input", "Whole pages of the people (.jsonl).")]


def _reporter(quiet: bool) -> Log:
    def report(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr, flush=True)

    return report


def _client(
    address: str,
    contact: str | None,
    cache: Path,
    interval: float,
    max_wait: float,
    timeout: float,
    report: Log,
) -> WikiClient:
    from dfactscore.ambigbio.errors import MissingExtraError

    try:
        from dfactscore.ambigbio.wiki_client import WikiClient, check_contact
    except ImportError as error:
        raise MissingExtraError("reading a live wiki", "wikipedia") from error
    from dfactscore.ambigbio.cache import ResponseCache

    check_contact(contact)
    return WikiClient(
        address,
        contact=contact,
        cache=ResponseCache(cache),
        interval=interval,
        max_wait=max_wait,
        timeout=timeout,
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


@command(ambigbio_app)
def build(
    out: Annotated[Path, option("Output", "Dataset to write (.jsonl).", "--out", "-o")] = Path(
        "ambigbio.jsonl"
    ),
    names: Annotated[
        str, option("Input", "Number of names, or all.", "--count", metavar="N|all")
    ] = "500",
    draw: Annotated[
        Literal["names", "any"],
        option("Input", "Draw from pages of human names, or from any disambiguation page."),
    ] = "names",
    seed: Annotated[int, option("Input", "Random seed of the names.")] = 1,
    contact: Contact = None,
    source: Annotated[
        Literal["api", "dump"] | None,
        option("Evidence", "Live wiki or dump.", show_default="api; dump if --dump is given"),
    ] = None,
    api_url: Annotated[
        str | None,
        option("Evidence", "api.php of the wiki.", show_default="Wikipedia in --lang"),
    ] = None,
    dump: Annotated[
        Path | None, option("Evidence", "pages-articles .xml, .xml.bz2 or .xml.gz.")
    ] = None,
    index: Annotated[
        Path | None,
        option(
            "Evidence",
            "Multistream index of the dump.",
            "--dump-index",
            show_default="the file beside the dump",
        ),
    ] = None,
    workers: opt.Workers = 1,
    on: opt.On = None,
    lang: Annotated[str, option("Evidence", "Language of the wiki.")] = "en",
    language_data: Annotated[
        Path | None,
        option(
            "Evidence", "JSON file with the data of --lang, for other wikis (docs/ambigbio.md)."
        ),
    ] = None,
    names_file: Annotated[
        Path | None, option("Input", "Use the names in this .csv, .tsv or .txt instead.")
    ] = None,
    column: Annotated[
        str | None, option("Input", "Column of --names-file: heading or number.")
    ] = None,
    pages: Annotated[
        Literal["none", "lead", "full"],
        option("Output", "Part of the people's pages that is written.", "--page-text"),
    ] = "lead",
    pages_out: Annotated[
        Path | None,
        option("Output", "File for these pages.", show_default="OUT with .pages.jsonl"),
    ] = None,
    wikidata: Annotated[
        bool,
        option("Evidence", "Ask Wikidata about pages that are otherwise undecided.", "--wikidata"),
    ] = False,
    wikidata_url: Annotated[
        str, option("Evidence", "api.php of Wikidata.")
    ] = "https://www.wikidata.org/w/api.php",
    cache: Cache = None,
    refresh: Annotated[
        bool, option("Limits", "Delete the saved answers and request them again.", "--refresh")
    ] = False,
    interval: Interval = 0.5,
    max_wait: MaxWait = 600.0,
    timeout: Timeout = 60.0,
    overwrite: Annotated[
        bool, option("Output", "Replace a file that another build wrote.", "--overwrite")
    ] = False,
    quiet: opt.Quiet = False,
) -> None:
    """Build the dataset of shared names from a wiki.

    The same command resumes an interrupted build. OUT.pages.jsonl contains the people's pages,
    OUT.log.jsonl the reason why each name and entry was kept or not.
    """
    from dfactscore._util.outputs import refuse_input
    from dfactscore.ambigbio import AmbigBioError
    from dfactscore.ambigbio.errors import TooFewNamesError
    from dfactscore.ambigbio.files import write_records
    from dfactscore.ambigbio.languages import language, read_language
    from dfactscore.ambigbio.names_file import read_names
    from dfactscore.workers import open_executor

    words = language(lang) if language_data is None else read_language(language_data, lang)
    wanted_number = _number(names)
    kind = source or ("api" if dump is None else "dump")
    if kind == "dump" and dump is None:
        raise AmbigBioError("--source dump needs the file: --dump enwiki-…-pages-articles.xml.bz2")
    if kind == "api" and dump is not None:
        raise AmbigBioError(f"--source api does not read --dump {dump}: leave one of them out")
    if kind == "dump" and wikidata:
        raise AmbigBioError("--wikidata needs --source api: a dump contains no Wikidata items")
    if column is not None and names_file is None:
        raise AmbigBioError("--column names a column of --names-file, which is not given")
    wanted_names = None if names_file is None else read_names(names_file, column)
    for place, named in ((out, "--out"), (pages_out, "--pages-out")):
        refuse_input(place, (dump, names_file), named=named, error=AmbigBioError)
    if not overwrite:
        expected: dict[str, object] = {
            "seed": seed if wanted_names is None else None,
            "asked": wanted_number if wanted_names is None else len(wanted_names),
            "language": lang,
            "draw": draw,
        }
        if wanted_names is None and wanted_number == "all":
            del expected["asked"]  # the header has the number that there were
        _refuse_overwriting(out, expected)
    kept = cache or _beside(out, ".cache")
    if refresh:
        for suffix in ("", "-wal", "-shm"):
            kept.with_name(kept.name + suffix).unlink(missing_ok=True)
    report = _reporter(quiet)
    try:
        if kind == "dump":
            assert dump is not None
            with open_executor(workers, on) as executor:
                built, cost = _from_dump(
                    dump,
                    words,
                    kept,
                    index,
                    executor,
                    wanted_names,
                    wanted_number,
                    seed,
                    pages,
                    draw,
                    report,
                )
        else:
            address = api_url or f"https://{lang}.wikipedia.org/w/api.php"
            client = _client(address, contact, kept, interval, max_wait, timeout, report)
            check = _wikidata(client, wikidata_url) if wikidata else None
            built, cost = _from_api(
                client, words, wanted_names, wanted_number, seed, pages, check, draw, report
            )
    except TooFewNamesError as error:
        log = _beside(out, ".log.jsonl")
        write_records(log, error.decisions)
        raise AmbigBioError(f"{error}; reasons: {log}") from None
    _write(built, out, pages_out or _beside(out, ".pages.jsonl"), pages, cost)


def _number(names: str) -> int | Literal["all"]:
    from dfactscore.ambigbio import AmbigBioError

    if names.strip().lower() == "all":
        return "all"
    if not names.strip().isdecimal() or int(names) < 1:
        raise AmbigBioError(f"--count {names}: give a number of at least 1, or 'all'")
    return int(names)


def _wikidata(client: WikiClient, address: str) -> PeopleCheck:
    from dfactscore.ambigbio.wikidata import WikidataCheck

    return WikidataCheck(client, address)


def _from_api(
    client: WikiClient,
    words: Language,
    wanted: list[str] | None,
    names: int | Literal["all"],
    seed: int,
    pages: Literal["none", "lead", "full"],
    check: PeopleCheck | None,
    draw: Literal["names", "any"],
    report: Log,
) -> tuple[Build, str]:
    from dfactscore.ambigbio import builder
    from dfactscore.ambigbio.api_source import ApiSource

    api = ApiSource(client, words, draw)
    try:
        if wanted is None:
            built = builder.build(
                api, language=words, names=names, seed=seed, pages=pages, people=check,
                report=report,
            )  # fmt: skip
        else:
            built = builder.build_from_names(
                api, wanted, language=words, pages=pages, people=check, report=report
            )
        listing = api.enumeration_requests
        cost = (
            f"{client.requests} requests ({listing} to list the category, "
            f"{client.requests - listing} for names and people), {client.cached} answers "
            "from the cache"
        )
    finally:
        client.close()
    return built, cost


def _from_dump(
    dump: Path,
    words: Language,
    cache: Path,
    index: Path | None,
    executor: Executor,
    wanted: list[str] | None,
    names: int | Literal["all"],
    seed: int,
    pages: Literal["none", "lead", "full"],
    draw: Literal["names", "any"],
    report: Log,
) -> tuple[Build, str]:
    from dfactscore.ambigbio import builder
    from dfactscore.ambigbio.dump_source import DumpSource

    reader = DumpSource(
        dump, words, cache=cache, index=index, executor=executor, draw=draw, report=report
    )
    try:
        if wanted is None:
            built = builder.build(
                reader,
                language=words,
                names=names,
                seed=seed,
                pages=pages,
                report=report,
                executor=executor,
            )
        else:
            built = builder.build_from_names(
                reader,
                wanted,
                language=words,
                pages=pages,
                report=report,
                executor=executor,
            )
    finally:
        reader.close()
    return built, f"from {dump.name}"


def _write(built: Build, out: Path, pages_out: Path, pages: str, cost: str) -> None:
    from dfactscore.ambigbio import save
    from dfactscore.ambigbio.files import write_records
    from dfactscore.ambigbio.pages import write_pages
    from dfactscore.ambigbio.summary import PAPER_MEAN, summarize

    log = _beside(out, ".log.jsonl")
    write_records(log, built.decisions)
    if pages != "none":
        write_pages(built.pages, pages_out)
    save(built.dataset, out)
    summary = summarize(built.dataset)
    print(
        f"{summary.names} names, {summary.people} people, {summary.mean:.2f} a name; with others "
        f"than people {summary.mean_entities or 0:.2f} (paper: {PAPER_MEAN}): {out}"
    )
    if pages != "none":
        print(f"{len(built.pages)} pages ({pages}): {pages_out}")
    failed = [line for line in built.decisions if not line.kept]
    print(f"{len(built.decisions)} names considered, {len(failed)} rejected; reasons: {log}")
    if built.dataset.header.seed is None:
        for line in failed:
            print(f"  rejected: {line.title}: {line.reason}")
    print(cost)


@command(ambigbio_app)
def popularity(
    file: Dataset,
    out: Annotated[
        Path | None,
        option("Output", "File to write.", "--out", "-o", show_default="FILE itself"),
    ] = None,
    contact: Contact = None,
    months: Annotated[int, option("Evidence", "Number of months.", min=1)] = 12,
    end: Annotated[
        str | None,
        option("Evidence", "Last month, YYYY-MM.", show_default="before the snapshot"),
    ] = None,
    project: Annotated[
        str | None,
        option("Evidence", "Like en.wikipedia.", show_default="the dataset's"),
    ] = None,
    pageviews_url: Annotated[
        str, option("Evidence", "Root of the pageviews service.")
    ] = "https://wikimedia.org/api/rest_v1",
    cache: Cache = None,
    interval: Interval = 0.5,
    max_wait: MaxWait = 600.0,
    overwrite: opt.Overwrite = False,
    timeout: Timeout = 60.0,
    quiet: opt.Quiet = False,
) -> None:
    """Add the page views of each person.

    One request for each page; answers are saved in the cache.
    """
    from dfactscore._util.files import make_folder
    from dfactscore._util.outputs import check_output
    from dfactscore.ambigbio import AmbigBioError, load, save

    dataset = load(file)
    if out is not None and out != file:
        make_folder(out.parent, error=AmbigBioError)
        check_output(out, "dataset", force=overwrite, error=AmbigBioError)
    report = _reporter(quiet)
    kept = cache or _beside(file, ".cache")
    client = _client(pageviews_url, contact, kept, interval, max_wait, timeout, report)
    from dfactscore.ambigbio.page_views import add_views

    try:
        counted = add_views(
            dataset, client, end=end, months=months, address=pageviews_url, project=project,
            report=report,
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
    from dfactscore.ambigbio.summary import PAPER_MEAN, histogram, summarize
    from dfactscore.cli.output import print_json

    dataset = load(file)
    header, summary = dataset.header, summarize(dataset)
    if form == "json":
        print_json({"header": asdict(header), **asdict(summary)}, indent=None)
        return
    drawn = "from a list of names" if header.seed is None else f"drawn with seed {header.seed}"
    print(f"{file}: {header.wiki}, snapshot {header.snapshot}, {drawn}")
    print(
        f"{summary.names} names ({header.considered} considered of {header.listed} listed), "
        f"{summary.people} people on {summary.distinct_people} pages"
    )
    print(
        f"people per name: mean {summary.mean:.2f}, median "
        f"{summary.median:g}, most {summary.most[1]} ({summary.most[0]})"
    )
    if summary.mean_entities is not None:
        print(
            f"entities per name, those that are not people too: mean {summary.mean_entities:.2f} "
            f"(paper: {PAPER_MEAN})"
        )
    print(histogram(summary.per_name))
    shown = ", ".join(
        f"{count} by {key.replace('_', ' ')}" for key, count in summary.evidence.items()
    )
    print(f"evidence that they are people: {shown}")
    print(
        f"{summary.with_years} people with years, {summary.with_primary} names with a primary "
        f"topic, {summary.aliases} aliases"
    )
    if header.popularity is not None:
        span = header.popularity
        print(f"{summary.views or 0:,} page views from {span.start} to {span.end}")


@command(ambigbio_app)
def validate(
    file: Dataset,
    pages: Pages = None,
) -> None:
    """Check every invariant of a file and its pages.

    Exit status 1 if one is broken.
    """
    from dfactscore.ambigbio import load
    from dfactscore.ambigbio.checks import problems, problems_of_pages

    dataset = load(file)
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
    from dfactscore.cli.output import print_json

    changes = compare(load(old), load(new))
    if form == "json":
        print_json(asdict(changes), indent=None)
        return
    for field, (before, after) in changes.settings.items():
        print(f"{field}: {before} -> {after}")
    for sign, listed in (("+", changes.added), ("-", changes.removed)):
        for name in listed:
            print(f"{sign} {name}")
    for change in changes.changed:
        print(f"~ {change.name}")
        _print_change(change)
    same = not (changes.settings or changes.added or changes.removed or changes.changed)
    print(
        "no difference"
        if same
        else f"{len(changes.added)} names added, {len(changes.removed)} removed, "
        f"{len(changes.changed)} changed"
    )


def _print_change(change: Any) -> None:
    for sign, listed in (("+", change.added), ("-", change.removed)):
        for title in listed:
            print(f"    {sign} {title}")
    for before, after in change.moved:
        print(f"    moved: {before} -> {after}")
    if change.edited:
        print(f"    edited: {', '.join(change.edited)}")
    if change.described:
        print(f"    new description: {', '.join(change.described)}")


@command(ambigbio_app)
def export(
    file: Dataset,
    out: Annotated[Path, option("Output", "Folder for hf, file for csv.", "--out", "-o")],
    form: Annotated[
        Literal["hf", "csv"],
        option("Output", "Folder for Hugging Face datasets, or CSV.", "--format"),
    ] = "hf",
    pages: Pages = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a Hugging Face datasets folder, or a CSV."""
    from dfactscore._util.datasets_folder import check_folder
    from dfactscore._util.files import make_folder
    from dfactscore._util.outputs import check_output
    from dfactscore.ambigbio import AmbigBioError, load
    from dfactscore.ambigbio.export import export_csv, export_hf

    dataset = load(file)
    if form == "csv":
        if pages is not None:
            raise AmbigBioError("--pages needs --format hf: the CSV contains names and titles only")
        make_folder(out.parent, error=AmbigBioError)
        check_output(out, "dataset_csv", inputs=[file], force=overwrite, error=AmbigBioError)
        export_csv(dataset, out)
    else:
        check_folder(out, inputs=[path for path in (file, pages) if path], force=overwrite)
        export_hf(dataset, out, pages)
    print(f"{len(dataset)} names: {out}")
