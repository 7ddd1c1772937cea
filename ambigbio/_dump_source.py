"""Reads a wiki from an XML dump, without network access."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from dfactscore._util.reporting import Log
from dfactscore.ambigbio._disambiguation import is_disambiguation, marked_as_name
from dfactscore.ambigbio._dump import read_site, spans
from dfactscore.ambigbio._dump_store import DumpStore
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._expansion import Templates, list_in
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._markup import categories_of, cut_hidden, template_names
from dfactscore.ambigbio._multistream import (
    DumpPiece,
    collected,
    find_index,
    scan_aliases,
    scan_pieces,
    streams_of,
    titled_in_part,
)
from dfactscore.ambigbio._sources import Draw, Listed, RawPage
from dfactscore.ambigbio._titles import Site
from dfactscore.ambigbio._unpacking import Span
from dfactscore.work._executors import SERIAL, Executor, SerialExecutor

_Item = TypeVar("_Item")
_DATE = re.compile(r"(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?!\d)")


def _day(name: str) -> str:
    """Returns the first date in a file name, in ISO 8601 format; empty if the name has no date."""
    for match in _DATE.finditer(name):
        try:
            return date(*map(int, match.groups())).isoformat()
        except ValueError:  # eight digits that are not a date
            continue
    return ""


class DumpSource:
    """Reads names, people and pages from a ``pages-articles`` dump.

    The first pass finds all redirects and the pages that may be name pages. The people's pages are
    read in later passes, or from the streams that a multistream index points to.
    """

    def __init__(
        self,
        dump: Path,  # `.xml`, `.xml.bz2` or `.xml.gz`
        language: Language,
        *,
        cache: Path,
        index: Path | None = None,
        executor: Executor = SERIAL,
        part_size: int = 64 << 20,
        draw: Draw = "names",
        report: Log | None = None,
    ) -> None:
        self.dump = dump
        self.draw = draw
        self.language = language
        self.index = index or find_index(dump)
        self._file = dump if isinstance(executor, SerialExecutor) else dump.resolve()
        self._parts = spans(self._file, part_size)
        self._executor = SERIAL if dump.suffix == ".gz" else executor
        self._executor.check_files([dump])
        self._site = read_site(dump)
        self._report = report or (lambda _: None)
        status = dump.stat()
        about = f"{dump.name}, {status.st_size} bytes, {int(status.st_mtime)}, {language.code}, "
        self._store = DumpStore(cache, f"{about}parts of {part_size}, schema 3")
        self._templates = Templates(self._store.template, self._site, language)

    def site(self) -> Site:
        """The wiki of the dump."""
        return self._site

    def snapshot(self) -> str:
        """The date in the name of the dump or its folder, or else the date of its newest revision.

        If no such date is found and no page has been read yet, the day the file was last modified.
        """
        for name in (self.dump.name, self.dump.resolve().name, self.dump.resolve().parent.name):
            if day := _day(name):
                return day
        changed = datetime.fromtimestamp(self.dump.stat().st_mtime, tz=UTC)
        return (self._store.newest() or changed.isoformat())[:10]

    def draw_size(self, needed: int) -> int:
        """Returns more than the number needed, since too few names would require another pass."""
        return needed + needed // 2 + 50

    def _over(
        self, work: Callable[[Span], Iterable[_Item]], parts: list[Span]
    ) -> Iterator[tuple[Span, Iterable[_Item]]]:
        """Yields each part together with its result, in order."""
        # a single process passes on each result immediately, which limits memory use
        if not isinstance(self._executor, SerialExecutor):
            work = partial(collected, work=work)
        return zip(parts, self._executor.map_blocks(work, parts), strict=True)

    def _scan(self) -> None:
        self._pass(partial(scan_pieces, words=self.language, site=self._site), aliases=False)
        self._store.finish_parts()
        # A second pass is needed if pages in the dump are marked by templates with other names.
        if len(self._store.parts_read(aliases=True)) < len(self._parts):
            names = frozenset(self._aliases())
            if names:
                shown = ", ".join(sorted(names)[:4]) + (" …" if len(names) > 4 else "")
                self._report(f"{self.dump.name} marks names by other templates too ({shown})")
            self._pass(partial(scan_aliases, names=names) if names else None, aliases=True)

    def _pass(self, work: Callable[[Span], Iterable[DumpPiece]] | None, *, aliases: bool) -> None:
        """Reads the remaining parts, or only marks them as read if there is no work to do."""
        done = self._store.parts_read(aliases=aliases)
        left = [part for part in self._parts if part.start not in done]
        results = self._over(work, left) if work else ((part, ()) for part in left)
        for number, (part, pieces) in enumerate(results, len(done) + 1):
            self._store.add_part(part, pieces, aliases=aliases)
            if work:
                of = "again" if aliases else f"of {self.dump.name}"
                self._report(f"{number} of {len(self._parts)} parts {of}")

    def _aliases(self) -> Iterator[str]:
        """Yields the templates that mark disambiguation pages but are not in the language data."""
        known = self.language.name_templates | self.language.dab_templates
        for title in self._store.template_titles():
            if title.casefold() in known:
                continue
            template = self._templates.resolve(title)
            if template is None:
                continue
            if template.title.casefold() in known:
                yield title.casefold()
                continue
            added = self._templates.added(f"{{{{{title}}}}}", "A B")
            if self.language.name_category in added.categories or added.disambiguation:
                yield title.casefold()

    def list_names(self) -> Sequence[Listed]:
        """Lists the pages whose wikitext marks them as human-name disambiguation pages."""
        self._scan()
        listed = [
            Listed(page.page_id, page.title)
            for page in self._store.candidates()
            if self._is_listed(page)
        ]
        if not listed:
            raise AmbigBioError(
                f"{self.dump} contains no page of the category {self.language.name_category!r}: "
                f"is it a pages-articles dump, and its language {self.language.code!r} (--lang)?"
            )
        return listed

    def _is_listed(self, page: RawPage) -> bool:
        text = cut_hidden(page.text)
        added = self._templates.added(page.text, page.title)
        if self.draw == "any":
            return added.disambiguation or is_disambiguation(text, self.language)
        if self.language.name_category in added.categories:
            return True
        if self.language.name_category in categories_of(text, self._site.categories):
            return True
        if self.language.name_category_is_general:
            return not self.language.dab_templates.isdisjoint(template_names(text))
        return marked_as_name(text, self.language)

    def name_pages(self, listed: Sequence[Listed]) -> Mapping[int, RawPage]:
        """Returns the listed pages."""
        pages = (self._store.candidate(entry.page_id) for entry in listed)
        return {page.page_id: self._with_added(page) for page in pages if page is not None}

    def _with_added(self, page: RawPage) -> RawPage:
        """Adds the data that a page's templates contribute to the page."""
        added = self._templates.added(page.text, page.title)
        return replace(
            page,
            categories=added.categories,
            disambiguation=added.disambiguation,
            short_description=added.short_description,
        )

    def _resolve(self, title: str) -> str | None:
        seen: set[str] = set()
        while title not in seen:
            seen.add(title)
            redirect = self._store.redirect(title)
            if redirect is None:
                return title
            if redirect.section:
                return None
            title = redirect.target
        return None

    def expect(self, titles: Iterable[str]) -> None:
        """Reads the pages with the given titles in one pass over the dump."""
        if len(self._store.parts_read()) < len(self._parts):
            self._scan()
        targets = (self._resolve(title) for title in titles)
        wanted = frozenset(
            target
            for target in targets
            if target is not None and not self._store.is_settled(target)
        )
        if wanted:
            self._fetch(wanted)

    def lookup(self, titles: Iterable[str]) -> Mapping[str, RawPage]:
        """Looks up titles."""
        distinct = tuple(dict.fromkeys(titles))
        self.expect(distinct)
        resolved = {title: self._resolve(title) for title in distinct}
        pages: dict[str, RawPage] = {}
        for title, target in resolved.items():
            page = None if target is None else self._store.page(target)
            if page is not None:
                pages[title] = self._with_added(page)
        return pages

    def lists(self, titles: Iterable[str]) -> Mapping[str, str]:
        """Reads the lists that templates insert into a page."""
        templates = {title: self._templates.resolve(title) for title in titles}
        return {title: list_in(one.text) for title, one in templates.items() if one is not None}

    def _fetch(self, titles: frozenset[str]) -> None:
        self._report(f"reading {len(titles)} titles from {self.dump.name}")
        parts: list[Span] = self._parts
        if self.index is not None:
            parts = streams_of(self.index, titles, self._file)
        left = set(titles)

        def noted(pages: Iterable[RawPage]) -> Iterator[RawPage]:
            for page in pages:
                left.discard(page.title)
                yield page

        for _, pages in self._over(partial(titled_in_part, titles=titles), parts):
            self._store.add_pages(noted(pages))
        self._store.add_missing(left)

    def categories(self, pages: Sequence[RawPage]) -> Mapping[int, tuple[str, ...]]:
        """Returns the categories in the pages' wikitext and those added by templates."""
        return {
            page.page_id: (
                *categories_of(cut_hidden(page.text), self._site.categories),
                *page.categories,
            )
            for page in pages
        }

    def close(self) -> None:
        """Closes the cache."""
        self._store.close()
