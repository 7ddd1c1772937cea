"""Builds the dataset by drawing names at random and keeping those that enough people share."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeVar

from dfactscore._util.message_text import ends_all_work, where_raised
from dfactscore._util.reporting import Log, no_log
from dfactscore.ambigbio._disambiguation import refusal
from dfactscore.ambigbio._entries import PageEntries, read_entries
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._evidence import PeopleCheck, evidence_of
from dfactscore.ambigbio._expansion import list_in
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._listed_people import NameDecision, SelectedPeople, select_people
from dfactscore.ambigbio._markup import categories_of, cut_hidden
from dfactscore.ambigbio._records import AmbigBio, AmbiguousName, Header, Packed
from dfactscore.ambigbio._sources import Listed, RawPage, Source
from dfactscore.ambigbio._titles import Site, normal_title
from dfactscore.ambigbio._wikitext import PageExtent, page_of
from dfactscore.retrieval import Page
from dfactscore.work._executors import SERIAL, Executor

MIN_PEOPLE = 2
_WORTH_WORKERS = 4_000_000  # characters; shorter texts are done before workers have started
_BLOCK = 500_000  # characters that a worker converts at a time
_ROUND = 250  # names read at once, to limit memory use: the pages of their people are held whole

_Item = TypeVar("_Item")
_Drawn = tuple[str, RawPage | None]  # a title or a requested name, and its page
Keep = Callable[[Page], object]
"""Receives a page when its text is ready."""


@dataclass(frozen=True, slots=True)
class Build:
    """A dataset, together with the pages of its people and the decisions that led to it."""

    dataset: AmbigBio
    pages: tuple[Page, ...]  # pages of the people; empty if the builder passed them to `keep`
    decisions: Sequence[NameDecision] = field(default=())
    failed: tuple[tuple[str, str], ...] = ()


def seeded_order(listed: Iterable[Listed], seed: int) -> list[Listed]:
    """Sorts listed pages into the order in which a seed draws them.

    A page's position relative to other pages depends only on the seed and the titles. The order is
    the same on every machine and Python version, and does not change when other pages enter or
    leave the category.
    """

    def rank(entry: Listed) -> tuple[bytes, str]:
        return hashlib.sha256(f"{seed}\t{entry.title}".encode()).digest(), entry.title

    return sorted(listed, key=rank)


def build(
    source: Source,
    *,
    language: Language,
    names: int | Literal["all"] | Sequence[str] = 500,
    seed: int = 1,
    **options: Any,
) -> Build:
    """Builds a dataset from names drawn at random (paper section 2.1) or from a list of names."""
    builder = Builder(source, language, **options)
    if names == "all" or isinstance(names, int):
        return builder.draw(names, seed)
    return builder.look_up([names] if isinstance(names, str) else names)


def _make_pages(
    raws: Sequence[RawPage], *, extent: PageExtent, site: Site, language: Language
) -> list[Page]:
    return [page_of(raw, extent=extent, site=site, language=language) for raw in raws]


def _blocks(raws: Iterable[RawPage]) -> list[list[RawPage]]:
    """Groups pages into blocks of similar size."""
    blocks: list[list[RawPage]] = []
    size = _BLOCK
    for raw in raws:
        if size >= _BLOCK:
            blocks.append([])
            size = 0
        blocks[-1].append(raw)
        size += len(raw.text)
    return blocks


class Builder:
    """Reads name pages and the people listed on them, many at a time.

    Memory use grows only slowly with the size of the wiki, because names and decisions are
    compressed, and page texts are passed on rather than kept.
    """

    def __init__(
        self,
        source: Source,
        language: Language,
        *,
        pages: PageExtent = "lead",
        people: PeopleCheck | None = None,
        executor: Executor = SERIAL,
        report: Log | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.decisions: Packed[NameDecision] = Packed(NameDecision)
        self._source = source
        self._language = language
        self._extent = pages
        self._people = people
        self._executor = executor
        self._report = report or no_log
        self._pages: list[Page] = []  # pages to return, unless they are passed to `keep`
        self._keep = keep or self._pages.append
        self._made: set[int] = set()
        self._raw: dict[int, RawPage] = {}  # pages still to be converted to text
        # A category of all disambiguation pages also contains pages about places.
        self._named_only = language.name_category_is_general and source.draw == "names"
        self._names: Packed[AmbiguousName] = Packed(AmbiguousName)
        self._drawn_from: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._listed: dict[str, int] = {}

    @property
    def _site(self) -> Site:
        return self._source.site()  # costs no request after the names are listed

    def draw(self, names: int | Literal["all"] = 500, seed: int = 1) -> Build:
        """Draws names from the wiki's category of names, in the seeded order.

        Names shared by fewer than two people are skipped.
        """
        if names != "all" and names < 1:
            raise AmbigBioError(f"--count {names}: at least one name is needed")
        source, drawn, named = self._source, self._names, self._source.draw == "names"
        order = seeded_order(source.list_names(), seed)
        self._report(f"{len(order)} pages listed")
        self._listed = {entry.title: entry.page_id for entry in order}
        start = 0
        wanted = len(order) if names == "all" else names
        while len(drawn) < wanted and start < len(order):
            size = source.draw_size(wanted - len(drawn))
            batch, start = order[start : start + size], start + size
            self._read_rounds(batch, self._drawn, of=names, named=named, most=wanted)
        place = repr(self._language.name_category) if named else "the list"
        if not drawn or (names != "all" and len(drawn) < names):
            raise AmbigBioError(
                f"{len(drawn)} of the {len(order)} pages in {place} are names that "
                f"two or more people share, {names} were asked for: "
                + (
                    "give --count all"
                    if drawn
                    else "check that the wiki and --lang belong together"
                )
            )
        return self._build(seed, len(drawn) if names == "all" else names, len(order))

    def _drawn(self, batch: Sequence[Listed]) -> list[_Drawn]:
        pages = self._source.name_pages(batch)
        return [(entry.title, pages.get(entry.page_id)) for entry in batch]

    def _read_rounds(
        self,
        items: Sequence[_Item],
        pages_of: Callable[[Sequence[_Item]], Sequence[_Drawn]],
        *,
        of: int | str,
        **options: Any,
    ) -> None:
        """Reads names in rounds; what they link to is announced first, for one pass of a dump."""
        rounds = [items[at : at + _ROUND] for at in range(0, len(items), _ROUND)]
        if len(rounds) > 1:
            for expanded in (False, True):
                self._source.expect(self._targets(map(pages_of, rounds), expanded=expanded))
        for part in rounds:
            if len(self._names) == options["most"]:
                break
            self._read(pages_of(part), **options)
            self._report(f"{len(self._names)} of {of} names, {len(self.decisions)} looked at")

    def _targets(self, rounds: Iterable[Sequence[_Drawn]], *, expanded: bool) -> Iterator[str]:
        """Yields the titles that pages link to, reading a limited number of pages at a time."""
        for drawn in rounds:
            pages = [page for _, page in drawn if page is not None]
            read = self._read_all(pages, named=False)
            if expanded:
                self._expand(pages, read)
            for one in read.values():
                yield from (entry.target for entry in one.entries)
                lists = (normal_title(title, self._site) for title in one.asked if title[0] == ":")
                yield from filter(None, lists)

    def look_up(self, names: Sequence[str]) -> Build:
        """Looks up the given names.

        Each name is looked up as written and with " (disambiguation)" appended. Of these two pages,
        the first that is a disambiguation page of any kind is read.
        """
        titles = {
            name: [
                title
                for raw in (*(name + suffix for suffix in self._language.suffixes[:1]), name)
                if (title := normal_title(raw, self._site)) is not None
            ]
            for name in names
        }
        self._source.expect(chain.from_iterable(titles.values()))
        asked = list(titles.items())
        options = {"of": len(asked), "named": False, "most": len(asked), "given": True}
        self._read_rounds(asked, self._asked, **options)
        if not self._names:
            first = self.decisions[0]
            raise AmbigBioError(
                f"none of the {len(asked)} names is shared by two people on this wiki; "
                f"{first.title!r}: {first.reason}"
            )
        return self._build(None, len(titles), len(titles))

    def _asked(self, names: Sequence[tuple[str, list[str]]]) -> list[_Drawn]:
        """Returns each name with the first of its titles that is a disambiguation page."""
        pages = self._source.lookup(chain.from_iterable(titles for _, titles in names))
        drawn: list[_Drawn] = []
        for name, titles in names:
            options = [pages[title] for title in titles if title in pages]
            good = [page for page in options if self._refusal(page, named=False) is None]
            drawn.append((name, next(iter(good or options), None)))
        return drawn

    def _build(self, seed: int | None, requested: int, listed: int) -> Build:
        header = Header(
            wiki=self._site.base,
            language=self._language.code,
            snapshot=self._source.snapshot(),
            seed=seed,
            asked=requested,
            listed=listed,
            considered=len(self.decisions),
            n_names=len(self._names),
            n_people=sum(len(name.people) for name in self._names),
            draw=self._source.draw,
        )
        dataset = AmbigBio(header, self._names)
        return Build(dataset, tuple(self._pages), self.decisions, tuple(self._failed.items()))

    def _read(
        self,
        names: Sequence[_Drawn],
        *,
        named: bool,
        most: int,
        given: bool = False,
    ) -> None:
        """Decides on names in order, and converts the pages of people who bear accepted names."""
        pages = [page for _, page in names if page is not None]
        refused: dict[int, str] = {}
        read = self._read_all(pages, named=named, refused=refused)
        self._expand(pages, read)
        linked = self._source.lookup(
            [entry.target for one in read.values() for entry in one.entries]
        )
        evidence = evidence_of(linked.values(), self._source, self._language, self._people)
        for requested, page in names:
            if len(self._names) == most:
                break
            if page is None or page.page_id not in read:
                cause = "there is no such page" if page is None else refused[page.page_id]
                self.decisions.append(NameDecision(requested, kept=False, reason=cause))
                continue
            selected = select_people(
                page,
                read[page.page_id],
                linked,
                evidence,
                site=self._site,
                language=self._language,
                items=self._people is not None,
            )
            reason = self._why_not(selected)
            self.decisions.append(selected.decision(requested, read[page.page_id], reason))
            if not reason:
                self._names.append(selected.entry(self._site, requested if given else ""))
                self._drawn_from[selected.name] = page.title
                new = (raw for raw in selected.pages if raw.page_id not in self._made)
                self._raw.update((raw.page_id, raw) for raw in new if self._extent != "none")
        self._make_pages()

    def _read_all(
        self, pages: Iterable[RawPage], *, named: bool, refused: dict[int, str] | None = None
    ) -> dict[int, PageEntries]:
        """Returns the entries listed on pages, by page id."""
        read: dict[int, PageEntries] = {}
        for page in pages:
            try:
                reason = self._refusal(page, named=named)
                if reason is None:
                    read[page.page_id] = self._lines(page)
            except Exception as error:  # An error in a page must not affect other pages.
                if ends_all_work(error):
                    raise
                reason = self._failed[page.title] = where_raised(error)
            if reason is not None and refused is not None:
                refused[page.page_id] = reason
        return read

    def _lines(self, page: RawPage, lists: Mapping[str, str] | None = None) -> PageEntries:
        return read_entries(
            page.text,
            title=page.title,
            site=self._site,
            language=self._language,
            aliases=page.aliases,
            lists=lists,
        )

    def _expand(self, pages: Sequence[RawPage], entries: dict[int, PageEntries]) -> None:
        """Rereads the pages that include lists from other pages."""
        titles = dict.fromkeys(title for page in entries.values() for title in page.asked)
        templates = [title for title in titles if not title.startswith(":")]
        articles = {
            name: title
            for title in titles
            if title.startswith(":") and (name := normal_title(title, self._site)) is not None
        }
        lists = dict(self._source.lists(templates)) if templates else {}
        if articles:
            linked = self._source.lookup(articles)
            lists |= {articles[name]: list_in(page.text) for name, page in linked.items()}
        lists = {title: text for title, text in lists.items() if text}
        for page in pages:
            read = entries.get(page.page_id)
            if read is not None and not lists.keys().isdisjoint(read.asked):
                entries[page.page_id] = self._lines(page, lists)

    def _refusal(self, page: RawPage, *, named: bool) -> str | None:
        text = cut_hidden(page.text)
        return refusal(
            text,
            (*page.categories, *categories_of(text, self._site.categories)),
            disambiguation=page.disambiguation,
            named=named,
            language=self._language,
        )

    def _why_not(self, selected: SelectedPeople) -> str:
        """Returns the reason for leaving out a name; empty if the name is accepted."""
        name, people = selected.name, len(selected.people)
        if self._is_part(selected.page, name):
            return f"the name {name!r} has a page for all who bear it"
        if name in self._drawn_from:
            return f"the name {name!r} was drawn already, from the page {self._drawn_from[name]!r}"
        if people < MIN_PEOPLE:
            return f"it has {people} of the {MIN_PEOPLE} people that a name needs"
        if self._named_only and 2 * people < len(selected.things):
            return f"only {people} of its {len(selected.things)} entries are people"
        return ""

    def _is_part(self, page: RawPage, name: str) -> bool:
        """Whether there is another listed page for all bearers of a page's name."""
        titles = [name, *(name + suffix for suffix in self._language.suffixes)]
        return page.title not in titles and any(
            self._listed.get(title, page.page_id) != page.page_id for title in titles
        )

    def _make_pages(self) -> None:
        """Converts the people's pages to text, which is the slowest step."""
        size = sum(len(raw.text) for raw in self._raw.values())
        executor = self._executor if size >= _WORTH_WORKERS else SERIAL
        make = partial(_make_pages, extent=self._extent, site=self._site, language=self._language)
        for page in chain.from_iterable(executor.map_blocks(make, _blocks(self._raw.values()))):
            self._keep(page)
        self._made.update(self._raw)
        self._raw.clear()
