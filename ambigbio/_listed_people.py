"""Selects the people listed on a name page, and records why other entries are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dfactscore.ambigbio._entries import PageEntries
from dfactscore.ambigbio._entry_lines import Entry
from dfactscore.ambigbio._evidence import SubjectEvidence, article_bears_name
from dfactscore.ambigbio._languages import Language, name_of_title
from dfactscore.ambigbio._page_names import PageNames
from dfactscore.ambigbio._people import lists_person
from dfactscore.ambigbio._records import AmbiguousName, Person
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._titles import Site, page_url


@dataclass(frozen=True, slots=True)
class NameDecision:
    """The decision made about a name."""

    title: str
    kept: bool
    reason: str = ""  # reason for leaving the name out; empty if it is in the dataset
    people: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    unread_years: int = 0


@dataclass
class SelectedPeople:
    """The people selected from a page."""

    names: PageNames
    page: RawPage
    people: dict[int, Person] = field(default_factory=dict)
    pages: list[RawPage] = field(default_factory=list)
    things: set[int] = field(default_factory=set)
    refused: list[tuple[str, str]] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    unread_years: int = 0

    @property
    def name(self) -> str:
        """The name that the page is about."""
        return self.names.name

    def decision(self, title: str, read: PageEntries, reason: str) -> NameDecision:
        """Returns the log entry for the page; if a reason is given, the name is left out."""
        return NameDecision(
            title,
            not reason,
            reason,
            len(self.people),
            tuple(self.refused),
            read.dropped,
            self.unread_years,
        )

    def entry(self, site: Site, requested: str) -> AmbiguousName:
        """Returns the entry for the dataset."""
        page = self.page
        return AmbiguousName(
            name=self.name,
            title=page.title,
            page_id=page.page_id,
            revision=page.revision,
            timestamp=page.timestamp,
            url=page_url(page.title, site),
            people=tuple(self.people.values()),
            asked=requested,
            entities=len(self.things),
            named=tuple(dict.fromkeys(self.named)),
        )


def select_people(
    page: RawPage,
    read: PageEntries,
    pages: Mapping[str, RawPage],
    evidence: Mapping[int, SubjectEvidence],
    *,
    site: Site,
    language: Language,
    items: bool,
) -> SelectedPeople:
    """Selects the people listed on a name page."""
    selected = SelectedPeople(read.names, page)
    for entry in read.entries:
        leads = pages.get(entry.target)
        why = _refused(selected, entry, leads, evidence, language)
        if why:
            selected.refused.append((entry.target, why))
        elif leads is not None:
            shown = evidence[leads.page_id]
            selected.people[leads.page_id] = _person(entry, leads, shown, site, items=items)
            selected.pages.append(leads)
            selected.unread_years += entry.unread_years
    lines = _unlinked(selected, read, pages)
    selected.named += (line for line in lines if lists_person(line, selected.name, language))
    return selected


def _refused(
    selected: SelectedPeople,
    entry: Entry,
    leads: RawPage | None,
    evidence: Mapping[int, SubjectEvidence],
    language: Language,
) -> str:
    """Returns the reason for leaving out an entry; empty if the entry is selected."""
    if leads is None:
        if not entry.doubtful:
            life = entry.lifespan.shown()
            who = f"{entry.label} ({life})" if life else entry.label
            line = ", ".join(part for part in (who, entry.description) if part)
            kind = entry.target.removeprefix(name_of_title(entry.target))  # " (ship)"
            if lists_person(f"{entry.label}{kind}, {entry.description}", selected.name, language):
                selected.named.append(line)
        return "there is no such page, or only a section"
    if leads.page_id == selected.page.page_id:
        return "it leads back to this page"
    if entry.doubtful and not article_bears_name(leads, selected.names, language):
        return "its article does not bear the name"
    selected.things.add(leads.page_id)
    again = f"it is {leads.title!r} again" if leads.page_id in selected.people else ""
    return evidence[leads.page_id].refused or again


def _unlinked(
    selected: SelectedPeople, read: PageEntries, pages: Mapping[str, RawPage]
) -> Iterator[str]:
    """Yields lines that name a bearer without a link, unless they are about a selected person."""
    people = {person.title for person in selected.people.values()}
    for line, targets in read.unlinked:
        if not any(target in pages and pages[target].title in people for target in targets):
            yield line


def _person(
    entry: Entry, page: RawPage, shown: SubjectEvidence, site: Site, *, items: bool
) -> Person:
    assert shown.person is not None
    born, died = shown.years.or_else(entry.lifespan)
    return Person(
        title=page.title,
        page_id=page.page_id,
        revision=page.revision,
        timestamp=page.timestamp,
        url=page_url(page.title, site),
        label=entry.label,
        description=entry.description,
        born=born,
        died=died,
        short_description=shown.short_description,
        aliases=page.aliases,
        primary=entry.primary,
        evidence=shown.person,
        wikidata=page.wikidata if items else "",
    )
