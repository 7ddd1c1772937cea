"""Builds the dataset: draws names by seed and keeps those that list enough people."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, Protocol, cast, get_args

from dfactscore._util.callbacks import Log
from dfactscore._util.raised import is_of_all, where_raised
from dfactscore.ambigbio.disambiguation import is_disambiguation, refusal
from dfactscore.ambigbio.entries import Entry, PageEntries, read_entries
from dfactscore.ambigbio.errors import AmbigBioError, TooFewNamesError
from dfactscore.ambigbio.expansion import list_in
from dfactscore.ambigbio.languages import Language
from dfactscore.ambigbio.lifespan import Lifespan, from_page
from dfactscore.ambigbio.markup import categories_of, cut_hidden
from dfactscore.ambigbio.own_names import bears_itself
from dfactscore.ambigbio.pages import PageExtent, page_of
from dfactscore.ambigbio.people import has_dates, lead_of, person_evidence, short_description_of
from dfactscore.ambigbio.records import AmbigBio, AmbiguousName, Header, Person, PersonEvidence
from dfactscore.ambigbio.sources import Listed, RawPage, Source
from dfactscore.ambigbio.titles import Site, normal_title, page_url
from dfactscore.retrieval import Page
from dfactscore.workers import SERIAL, Executor

__all__ = ["Build", "Decision", "build", "build_from_names", "seeded_order"]

MIN_PEOPLE = 2
_WORTH_WORKERS = 4_000_000  # characters; fewer are done before other processes have begun
_BLOCK = 500_000  # characters that a worker makes the text of at a time
_DISAMBIGUATION = "it is a disambiguation page"
_ROUND = 2_000  # names read at once, which bounds memory where all are wanted


Keep = Callable[[Page], object]
"""Takes a page when its text is made."""


class PeopleCheck(Protocol):
    """Says which pages Wikidata calls people."""

    def key(self, page: RawPage) -> str:
        """What a page is asked by; empty where it cannot be asked."""
        ...

    def __call__(self, items: Iterable[str]) -> frozenset[str]:
        """Those of the keys that are of instances of human."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a name that was looked at.

    Attributes:
        title: Title of the page that was listed, or the name that was asked for.
        kept: Whether the name is in the dataset.
        reason: Why not; empty where it is.
        people: How many people it has.
        refused: Entries that are not people, with the reason, in the order of the page.
        dropped: Lines of the page that list no one, with the reason.
        unread_years: How many people's lines have years that were not understood.
    """

    title: str
    kept: bool
    reason: str = ""
    people: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    unread_years: int = 0


@dataclass(frozen=True, slots=True)
class Build:
    """A dataset with the pages of its people and the decisions that led to it.

    Attributes:
        dataset: The names.
        pages: The pages of their people, where they were not handed on while building.
        decisions: What became of each name that was looked at.
        failed: Titles of pages that could not be read, for a reason that no one foresaw.
    """

    dataset: AmbigBio
    pages: tuple[Page, ...]
    decisions: tuple[Decision, ...] = field(default=())
    failed: tuple[tuple[str, str], ...] = ()


def seeded_order(listed: Iterable[Listed], seed: int) -> list[Listed]:
    """Listed pages in the order in which a seed draws them.

    The place of a page depends on the seed and its title alone: it is the same on every machine
    and Python, and pages that are added to or leave the category move no other.

    Args:
        listed: The pages, in any order.
        seed: Any integer.
    """

    def rank(entry: Listed) -> tuple[bytes, str]:
        return hashlib.sha256(f"{seed}\t{entry.title}".encode()).digest(), entry.title

    return sorted(listed, key=rank)


@dataclass(frozen=True, slots=True)
class _MakePages:
    """Makes the text of some pages."""

    extent: PageExtent
    site: Site
    language: Language

    def __call__(self, raws: Sequence[RawPage]) -> list[Page]:
        return [
            page_of(raw, extent=self.extent, site=self.site, language=self.language) for raw in raws
        ]


def _blocks(raws: Sequence[RawPage]) -> list[list[RawPage]]:
    """Pages in blocks of about as much work."""
    blocks: list[list[RawPage]] = []
    size = _BLOCK
    for raw in raws:
        if size >= _BLOCK:
            blocks.append([])
            size = 0
        blocks[-1].append(raw)
        size += len(raw.text)
    return blocks


class _Reader:
    """Reads name pages and the people on them, many at a time."""

    def __init__(
        self,
        source: Source,
        language: Language,
        extent: PageExtent,
        people: PeopleCheck | None,
        executor: Executor = SERIAL,
        keep: Keep | None = None,
    ) -> None:
        self.source = source
        self.site: Site = source.site()
        self.language = language
        self.extent = extent
        self.people = people
        self.executor = executor
        self.pages: list[Page] = []  # those that are not handed on
        self._keep = keep or self.pages.append
        self._made: set[int] = set()
        self._raw: dict[int, RawPage] = {}  # whose text is still to be made
        self.asking = False
        # A category of all disambiguation pages also holds those of places that two people share.
        self.named_only = language.name_category_is_general and source.draw == "names"
        self._taken: dict[str, str] = {}
        self.failed: list[tuple[str, str]] = []
        self.listed: dict[str, int] = {}

    def read(
        self, names: Sequence[tuple[str, RawPage | None]], *, named: bool
    ) -> Iterator[tuple[Decision, AmbiguousName | None]]:
        """Decides on names in their order."""
        entries: dict[int, PageEntries] = {}
        refusals: dict[int, str] = {}
        for _, page in names:
            if page is None:
                continue
            try:
                reason = self._refusal(page, named=named)
                if reason is None:
                    entries[page.page_id] = read_entries(
                        page.text, title=page.title, site=self.site, language=self.language
                    )
            except Exception as error:  # one page spoils no other
                if is_of_all(error):
                    raise
                reason = where_raised(error)
                self.failed.append((page.title, reason))
            if reason is not None:
                refusals[page.page_id] = reason
        self._expand([page for _, page in names if page is not None], entries)
        targets = [entry.target for found in entries.values() for entry in found.entries]
        found_pages = self.source.lookup(targets)
        evidence = self._evidence(found_pages)
        for asked, page in names:
            if page is None:
                yield Decision(asked, kept=False, reason="there is no such page"), None
            elif page.page_id in refusals:
                yield Decision(asked, kept=False, reason=refusals[page.page_id]), None
            else:
                yield self._decide(asked, page, entries[page.page_id], found_pages, evidence)

    def _expand(self, pages: Sequence[RawPage], entries: dict[int, PageEntries]) -> None:
        """Reads those pages again of which a list stands in another page."""
        asked = dict.fromkeys(title for found in entries.values() for title in found.asked)
        templates = [title for title in asked if not title.startswith(":")]
        articles = {
            name: title for title in asked
            if title.startswith(":") and (name := normal_title(title, self.site)) is not None
        }  # fmt: skip
        lists = dict(self.source.lists(templates)) if templates else {}
        if articles:
            found = self.source.lookup(articles)
            lists |= {articles[name]: list_in(page.text) for name, page in found.items()}
        lists = {title: text for title, text in lists.items() if text}
        for page in pages:
            read = entries.get(page.page_id)
            if read is not None and not lists.keys().isdisjoint(read.asked):
                entries[page.page_id] = read_entries(
                    page.text, title=page.title, site=self.site, language=self.language, lists=lists
                )

    def make_pages(self) -> None:
        """Makes the text of the people's pages, the slowest step."""
        if not self._raw:
            return
        raws = list(self._raw.values())
        executor = self.executor if sum(len(r.text) for r in raws) >= _WORTH_WORKERS else SERIAL
        make = _MakePages(self.extent, self.site, self.language)
        for page in chain.from_iterable(executor.map_blocks(make, _blocks(raws))):
            self._keep(page)
        self._made.update(self._raw)
        self._raw.clear()

    def _refusal(self, page: RawPage, *, named: bool) -> str | None:
        text = cut_hidden(page.text)
        return refusal(
            text,
            (*page.categories, *categories_of(text, self.site.categories)),
            disambiguation=page.disambiguation,
            named=named,
            language=self.language,
        )

    def _evidence(
        self, pages: Mapping[str, RawPage]
    ) -> dict[int, tuple[PersonEvidence | str, Lifespan, str]]:
        """Per page id: the evidence or why there is none, the years and the short description."""
        result: dict[int, tuple[PersonEvidence | str, Lifespan, str]] = {}
        undecided: list[RawPage] = []
        dated: set[int] = set()
        for page in pages.values():
            if page.page_id in result:
                continue
            text = cut_hidden(page.text)
            if page.disambiguation or is_disambiguation(text, self.language):
                result[page.page_id] = (_DISAMBIGUATION, Lifespan(), "")
                continue
            categories = categories_of(text, self.site.categories)
            short = short_description_of(text, self.language) or page.short_description
            evidence = person_evidence(categories, short, self.language, text, page.title)
            years = from_page(text, lead_of(text, self.language), categories, self.language)
            if has_dates(categories, self.language):
                dated.add(page.page_id)
            if evidence is None:
                undecided.append(page)
            result[page.page_id] = (evidence or "it is not about a person", years, short)
        texts = {page.page_id: page for page in undecided}
        for key, names in self.source.categories(undecided).items():
            _, _, short = result[key]
            text = cut_hidden(texts[key].text)
            evidence = person_evidence(names, short, self.language, text, texts[key].title)
            if evidence is not None:
                years = from_page(text, lead_of(text, self.language), names, self.language)
                result[key] = (evidence, years, short)
            if has_dates(names, self.language):
                dated.add(key)
        if self.people is not None:
            self._ask_wikidata(
                [page for page in pages.values() if page.page_id not in dated], result
            )
        return result

    def _ask_wikidata(
        self,
        undated: Sequence[RawPage],
        result: dict[int, tuple[PersonEvidence | str, Lifespan, str]],
    ) -> None:
        """Lets Wikidata decide on pages that no year of birth or death shows to be a person's."""
        assert self.people is not None
        asked = {
            page.page_id: item
            for page in undated
            if result[page.page_id][0] != _DISAMBIGUATION and (item := self.people.key(page))
        }
        humans = self.people(asked.values())
        for key, item in asked.items():
            shown, years, short = result[key]
            if item not in humans:
                result[key] = ("Wikidata's item is not a human", years, short)
            elif shown not in get_args(PersonEvidence):
                result[key] = ("wikidata", years, short)

    def _decide(
        self,
        asked: str,
        page: RawPage,
        read: PageEntries,
        pages: Mapping[str, RawPage],
        evidence: Mapping[int, tuple[PersonEvidence | str, Lifespan, str]],
    ) -> tuple[Decision, AmbiguousName | None]:
        name = self.language.name_of(page.title)
        people: dict[int, Person] = {}
        refused: list[tuple[str, str]] = []
        raws: list[RawPage] = []
        unread = 0
        named: list[str] = []
        things: set[int] = set()
        for entry in read.entries:
            found = pages.get(entry.target)
            if found is None:
                refused.append((entry.target, "there is no such page, or only a section"))
                if not entry.doubtful:
                    named.append(
                        ", ".join(part for part in (entry.label, entry.description) if part)
                    )
                continue
            if found.page_id == page.page_id:
                refused.append((entry.target, "it leads back to this page"))
                continue
            if entry.doubtful and not bears_itself(found, name, self.language):
                refused.append((entry.target, "its article does not bear the name"))
                continue
            shown, years, short = evidence[found.page_id]
            things.add(found.page_id)
            if shown not in get_args(PersonEvidence):
                refused.append((entry.target, shown))
            elif found.page_id in people:
                refused.append((entry.target, f"it is {found.title!r} again"))
            else:
                kind = cast("PersonEvidence", shown)
                people[found.page_id] = self._person(entry, found, kind, years, short)
                raws.append(found)
                unread += entry.unread_years
        reason = ""
        if self._is_part(page, name):
            reason = f"the name {name!r} has a page for all who bear it"
        elif name in self._taken:
            reason = f"the name {name!r} was drawn already, from the page {self._taken[name]!r}"
        elif len(people) < MIN_PEOPLE:
            reason = f"it has {len(people)} of the {MIN_PEOPLE} people that a name needs"
        elif self.named_only and 2 * len(people) < len(things):
            reason = f"only {len(people)} of its {len(things)} entries are people"
        taken = {person.title for person in people.values()}
        named += [
            line
            for line, targets in read.unlinked
            if not any(target in pages and pages[target].title in taken for target in targets)
        ]
        decision = Decision(
            asked, not reason, reason, len(people), tuple(refused), read.dropped, unread
        )
        if reason:
            return decision, None
        self._taken[name] = page.title
        if self.extent != "none":
            for raw in raws:
                if raw.page_id not in self._made:
                    self._raw.setdefault(raw.page_id, raw)
        return decision, AmbiguousName(
            name=name,
            title=page.title,
            page_id=page.page_id,
            revision=page.revision,
            timestamp=page.timestamp,
            url=page_url(page.title, self.site),
            people=tuple(people.values()),
            asked=asked if self.asking else "",
            entities=len(things),
            named=tuple(dict.fromkeys(named)),
        )

    def _is_part(self, page: RawPage, name: str) -> bool:
        """Whether a page is about some of a name's bearers, and another page about all."""
        titles = [name, *(name + suffix for suffix in self.language.suffixes)]
        return page.title not in titles and any(
            self.listed.get(title, page.page_id) != page.page_id for title in titles
        )

    def _person(
        self, entry: Entry, page: RawPage, shown: PersonEvidence, years: Lifespan, short: str
    ) -> Person:
        born, died = years.or_else(entry.lifespan)
        return Person(
            title=page.title,
            page_id=page.page_id,
            revision=page.revision,
            timestamp=page.timestamp,
            url=page_url(page.title, self.site),
            label=entry.label,
            description=entry.description,
            born=born,
            died=died,
            short_description=short,
            aliases=page.aliases,
            primary=entry.primary,
            evidence=shown,
            wikidata=page.wikidata if self.people is not None else "",
        )


def _finish(
    reader: _Reader,
    kept: Sequence[AmbiguousName],
    decisions: Sequence[Decision],
    *,
    seed: int | None,
    asked: int,
    listed: int,
) -> Build:
    header = Header(
        wiki=reader.site.base,
        language=reader.language.code,
        snapshot=reader.source.snapshot(),
        seed=seed,
        asked=asked,
        listed=listed,
        considered=len(decisions),
        n_names=len(kept),
        n_people=sum(len(name.people) for name in kept),
        draw=reader.source.draw,
    )
    dataset = AmbigBio(header, tuple(kept))
    return Build(dataset, tuple(reader.pages), tuple(decisions), tuple(reader.failed))


def build(
    source: Source,
    *,
    language: Language,
    names: int | Literal["all"] = 500,
    seed: int = 1,
    pages: PageExtent = "lead",
    people: PeopleCheck | None = None,
    executor: Executor = SERIAL,
    report: Log | None = None,
    keep: Keep | None = None,
    decisions: list[Decision] | None = None,
) -> Build:
    """Builds a dataset of names drawn at random (paper section 2.1).

    Pages of the wiki's category of human-name disambiguation pages are tried in the seeded order;
    a name that fewer than two people share is replaced by the next.

    Args:
        source: The wiki.
        language: Its language data.
        names: How many names, or ``"all"`` that the wiki has.
        seed: Decides the order in which they are tried.
        pages: How much of the people's pages to keep.
        people: Asks Wikidata about pages without a category of birth or death.
        executor: Makes the text of the people's pages.
        report: Called with a line about the progress.
        keep: Called with each page when its text is made, so that memory does not grow with them;
            by default they are in the result.
        decisions: Gets what became of each name, also where an error ends the build.

    Raises:
        AmbigBioError: The wiki has fewer such names, or cannot be read.
    """
    if names != "all" and names < 1:
        raise AmbigBioError(f"--count {names}: at least one name is needed")
    report = report or (lambda _: None)
    order = seeded_order(source.list_names(), seed)
    report(f"{len(order)} pages listed")
    reader = _Reader(source, language, pages, people, executor, keep)
    reader.listed = {entry.title: entry.page_id for entry in order}
    kept: list[AmbiguousName] = []
    decisions = [] if decisions is None else decisions
    start = 0
    wanted = len(order) if names == "all" else names
    while len(kept) < wanted and start < len(order):
        batch = order[start : start + min(_ROUND, source.draw_size(wanted - len(kept)))]
        start += len(batch)
        found = source.name_pages(batch)
        drawn = [(entry.title, found.get(entry.page_id)) for entry in batch]
        for decision, name in reader.read(drawn, named=source.draw == "names"):
            decisions.append(decision)
            if name is not None:
                kept.append(name)
            if len(kept) == wanted:
                break
        reader.make_pages()
        report(f"{len(kept)} of {names} names, {len(decisions)} looked at")
    place = repr(language.name_category) if source.draw == "names" else "the list"
    if not kept or (names != "all" and len(kept) < names):
        raise TooFewNamesError(
            f"{len(kept)} of the {len(order)} pages in {place} are names that "
            f"two or more people share, {names} were asked for: "
            + ("give --count all" if kept else "check that the wiki and --lang belong together")
        )
    number = len(kept) if names == "all" else names
    return _finish(reader, kept, decisions, seed=seed, asked=number, listed=len(order))


def build_from_names(
    source: Source,
    asked: Sequence[str],
    *,
    language: Language,
    pages: PageExtent = "lead",
    people: PeopleCheck | None = None,
    executor: Executor = SERIAL,
    report: Log | None = None,
    keep: Keep | None = None,
    decisions: list[Decision] | None = None,
) -> Build:
    """Builds a dataset of given names by looking each up.

    A name is looked up as it stands and with " (disambiguation)" after it; the first page of the
    two that is a disambiguation page is read, of whatever kind.

    Args:
        source: The wiki.
        asked: The names.
        language: Language data.
        pages: How much of the people's pages to keep.
        people: As `build`.
        executor: As `build`.
        report: As `build`.
        keep: As `build`.
        decisions: As `build`.

    Raises:
        AmbigBioError: None of the names is shared by two people, or the wiki cannot be read.
    """
    report = report or (lambda _: None)
    reader = _Reader(source, language, pages, people, executor, keep)
    reader.asking = True
    candidates = {
        name: [
            title
            for raw in (*(name + suffix for suffix in language.suffixes[:1]), name)
            if (title := normal_title(raw, reader.site)) is not None
        ]
        for name in asked
    }
    found = source.lookup(title for titles in candidates.values() for title in titles)
    drawn: list[tuple[str, RawPage | None]] = []
    for name, titles in candidates.items():
        options = [found[title] for title in titles if title in found]
        good = [page for page in options if reader._refusal(page, named=False) is None]
        drawn.append((name, next(iter(good or options), None)))
    kept: list[AmbiguousName] = []
    decisions = [] if decisions is None else decisions
    for decision, entry in reader.read(drawn, named=False):
        decisions.append(decision)
        if entry is not None:
            kept.append(entry)
    reader.make_pages()
    report(f"{len(kept)} of {len(candidates)} names")
    if not kept:
        first = decisions[0]
        raise TooFewNamesError(
            f"none of the {len(decisions)} names is shared by two people on this wiki; "
            f"{first.title!r}: {first.reason}"
        )
    return _finish(
        reader, kept, decisions, seed=None, asked=len(candidates), listed=len(candidates)
    )
