"""Runs a build from its settings: the wiki, the names and the output files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._text.name_lists import listed_names
from dfactscore._util.datasets_folder import check_folder
from dfactscore._util.files import Kind, check_output, refuse_input
from dfactscore._util.numbers import counted
from dfactscore._util.reporting import Log
from dfactscore.ambigbio._builder import Build, Builder
from dfactscore.ambigbio._dataset import load, save
from dfactscore.ambigbio._errors import AmbigBioError, MissingExtraError
from dfactscore.ambigbio._files import write_records, writing_records
from dfactscore.ambigbio._languages import Language, language, read_language
from dfactscore.ambigbio._settings import AmbigBioSettings, WikiSettings

if TYPE_CHECKING:
    from dfactscore.ambigbio._sources import Source
    from dfactscore.ambigbio._wiki_client import WikiClient


@dataclass(frozen=True, slots=True)
class BuiltDataset:
    """A dataset that has been built and written."""

    build: Build
    words: Language
    pages: Path  # file that contains the people's pages
    log: Path
    cost: str  # sentence that states how many requests were sent


def build_dataset(settings: AmbigBioSettings, given: dict[str, Any], report: Log) -> BuiltDataset:
    """Builds and writes the dataset; if interrupted, the same call resumes."""
    words = (
        language(settings.lang)
        if settings.language_data is None
        else read_language(settings.language_data, settings.lang)
    )
    wanted = _wanted(settings, given)
    log, pages, builder = beside(settings.out, ".log.jsonl"), _pages(settings), None
    try:
        with (
            nullcontext() if settings.pages == "none" else writing_records(pages) as keep,
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
    write_records(log, built.decisions)
    save(built.dataset, settings.out)
    return BuiltDataset(built, words, pages, log, spent)


def open_client(address: str, settings: WikiSettings, cache: Path, report: Log) -> WikiClient:
    """Opens a client for a wiki."""
    try:
        from dfactscore.ambigbio._wiki_client import WikiClient, check_contact
        from dfactscore.ambigbio._wiki_transport import Pace
    except ImportError as error:
        raise MissingExtraError("reading a live wiki", "wikipedia") from error
    from dfactscore.ambigbio._cache import ResponseCache

    check_contact(settings.contact)
    return WikiClient(
        address,
        contact=settings.contact,
        cache=ResponseCache(cache),
        pace=Pace(interval=settings.interval, max_wait=settings.max_wait, timeout=settings.timeout),
        report=report,
    )


def beside(path: Path, ending: str) -> Path:
    """Returns the path of a file next to a dataset, given its suffix."""
    return path.with_name(path.name.removesuffix(".jsonl") + ending)


def _pages(settings: AmbigBioSettings) -> Path:
    return settings.pages_out or beside(settings.out, ".pages.jsonl")


def _beside(settings: AmbigBioSettings) -> Iterator[tuple[Path, Kind, str]]:
    """Yields the other output files, each with its type and the option that names it."""
    yield beside(settings.out, ".log.jsonl"), "dataset_log", "--out"
    if settings.pages != "none":
        named = "--out" if settings.pages_out is None else "--pages-out"
        yield _pages(settings), "dataset_pages", named
    if settings.audit is not None:
        yield beside(settings.out, ".audit.csv"), "audit", "--out"


def _refuse_overwriting(out: Path, wanted: dict[str, object]) -> None:
    """Refuses to overwrite a file written by another build."""
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


def _wanted(settings: AmbigBioSettings, given: dict[str, Any]) -> int | Literal["all"] | list[str]:
    """Checks the settings and returns the names to look up or the number of names to draw."""
    dump, out, file = settings.dump, settings.out, settings.names_file
    number = _number(settings.names)
    _check(settings, given)
    wanted = number if file is None else listed_names(file, settings.column, error=AmbigBioError)
    read = (dump, settings.index, file, settings.humans, settings.language_data)
    inputs = [path for path in read if path is not None]
    refuse_input(out, inputs, error=AmbigBioError)
    for place, kind, named in _beside(settings):
        if place.exists():
            check_output(
                place,
                kind,
                inputs=inputs,
                force=settings.overwrite,
                named=named,
                error=AmbigBioError,
            )
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
            del expected["asked"]  # the header has the number of names found
        _refuse_overwriting(out, expected)
    return wanted


def _check(settings: AmbigBioSettings, given: dict[str, Any]) -> None:
    """Rejects settings that cannot be combined."""
    dump, file = settings.dump, settings.names_file
    for wrong, why in (
        (
            dump is not None and settings.wikidata,
            "--wikidata needs the live wiki: a dump contains no items; give --humans FILE",
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
    if names.strip().lower() == "all":
        return "all"
    if not names.strip().isdecimal() or int(names) < 1:
        raise AmbigBioError(f"--count {names}: give a number of at least 1, or 'all'")
    return int(names)


@contextmanager
def _opened(
    settings: AmbigBioSettings, words: Language, report: Log
) -> Iterator[tuple[Source, dict[str, Any], Callable[[], str]]]:
    """Opens the wiki; yields it, the builder's options, and a function that reports the cost."""
    from dfactscore.ambigbio._wikidata import HumanPages, WikidataCheck

    cache, dump = settings.cache or beside(settings.out, ".cache"), settings.dump
    if settings.refresh:
        from dfactscore.ambigbio._dump_store import delete_cache

        delete_cache(cache)
    more: dict[str, Any] = {}
    if settings.humans is not None:
        more["people"] = HumanPages(settings.humans)
    if dump is not None:
        from dfactscore.ambigbio._dump_source import DumpSource
        from dfactscore.work._executors import open_executor

        with open_executor(settings.workers, settings.on) as executor:
            reader = DumpSource(
                dump,
                words,
                cache=cache,
                index=settings.index,
                executor=executor,
                draw=settings.draw,
                report=report,
            )
            with closing(reader):
                yield reader, {**more, "executor": executor}, lambda: f"from {dump.name}"
        return
    address = settings.api_url or f"https://{settings.lang}.wikipedia.org/w/api.php"
    with closing(open_client(address, settings, cache, report)) as client:
        from dfactscore.ambigbio._api_source import ApiSource

        if settings.wikidata:
            more["people"] = WikidataCheck(client, settings.wikidata_url)
        api = ApiSource(client, words, settings.draw)

        def cost() -> str:
            listing = api.enumeration_requests
            return (
                f"{counted(client.requests, 'request')} ({listing} to list the category, "
                f"{client.requests - listing} for names and people), "
                f"{counted(client.cached, 'answer')} from the cache"
            )

        yield api, more, cost
