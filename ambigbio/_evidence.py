"""Evidence about a page's subject: whether it is a person, its names, life dates, description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from dfactscore.ambigbio._bearers import bears, holds_name
from dfactscore.ambigbio._disambiguation import is_disambiguation
from dfactscore.ambigbio._entry_lines import plain_line
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._lifespan import Lifespan, from_page
from dfactscore.ambigbio._markup import categories_of, cut_hidden
from dfactscore.ambigbio._page_names import PageNames, scripts_in
from dfactscore.ambigbio._people import has_dates, lead_of, person_evidence, short_description_of
from dfactscore.ambigbio._records import PersonEvidence
from dfactscore.ambigbio._sources import RawPage, Source

_LEAD = 20_000
_OPENING = 3_000  # number of characters searched for the subject's name in other scripts
_BOLD = re.compile(r"(?<!')'{3,5}(?!')([^\n]+?)'{3,5}")
_NAME_KEY = re.compile(
    r"\A\s*(?:[\w -]{0,40}(?:nam|nom|alias|pseud|apod)[\w -]{0,40}|p|hp|tp|w|rr|mr|romaji)\s*=(.*)",
    re.IGNORECASE | re.S,
)
_KEY = re.compile(r"\A\s*[\w -]{1,40}=")


class PeopleCheck(Protocol):
    """Decides which pages are about people, according to Wikidata."""

    def key(self, page: RawPage) -> str:
        """Returns the key used in requests about a page; empty if the page has none."""
        ...

    def __call__(self, items: Iterable[str]) -> frozenset[str]:
        """Returns the keys of the items that are instances of human."""
        ...


@dataclass(frozen=True, slots=True)
class SubjectEvidence:
    """The evidence that a page gives about its subject."""

    person: PersonEvidence | None = None
    refused: str = ""  # reason why the subject is not a person; empty if it is one
    years: Lifespan = field(default_factory=Lifespan)
    short_description: str = ""
    # Whether the page alone settles the question, because it has a category of births, deaths or
    # living people, or because it is a disambiguation page.
    settled: bool = False


def _read(
    page: RawPage, language: Language, namespaces: frozenset[str], known: Iterable[str] = ()
) -> SubjectEvidence:
    """Returns the evidence that a page gives."""
    text = cut_hidden(page.text)
    if page.disambiguation or is_disambiguation(text, language):
        return SubjectEvidence(refused="it is a disambiguation page", settled=True)
    categories = tuple(known) or categories_of(text, namespaces)
    short = short_description_of(text, language) or page.short_description
    person = person_evidence(categories, short, language, text, page.title)
    return SubjectEvidence(
        person,
        "" if person else "it is not about a person",
        from_page(text, lead_of(text, language), categories, language),
        short,
        has_dates(categories, language),
    )


def evidence_of(
    pages: Iterable[RawPage], source: Source, language: Language, people: PeopleCheck | None
) -> Mapping[int, SubjectEvidence]:
    """Returns the evidence that pages give, by page id."""
    namespaces = source.site().categories
    by_id = {page.page_id: page for page in pages}
    evidence = {key: _read(page, language, namespaces) for key, page in by_id.items()}
    open_ones = [by_id[key] for key, one in evidence.items() if not (one.person or one.settled)]
    for key, names in source.categories(open_ones).items():
        evidence[key] = _read(by_id[key], language, namespaces, names)
    if people is not None:
        items = {
            key: item
            for key, one in evidence.items()
            if not one.settled and (item := people.key(by_id[key]))
        }
        humans = people(items.values())
        for key, item in items.items():
            if item not in humans:
                refused = "Wikidata's item is not a human"
                evidence[key] = replace(evidence[key], person=None, refused=refused)
            elif evidence[key].person is None:
                evidence[key] = replace(evidence[key], person="wikidata", refused="")
    return evidence


def _of_infobox(lead: str) -> Iterator[str]:
    """Yields the values of template arguments with keys such as "birth_name"."""
    named = False
    for part in lead.split("|"):
        if _KEY.match(part):
            match = _NAME_KEY.match(part)
            named, part = match is not None, match[1] if match else part
        if named:
            yield from re.split(r"<br[^<>]*>|[\n,;{}]", part)


def article_bears_name(page: RawPage, names: PageNames, language: Language) -> bool:
    """Whether a page's titles, bold text, opening or infobox give its subject a certain name."""
    titles = (page.title, *page.aliases)
    if any(bears(title, form, language) for title in titles for form in names.forms):
        return True
    lead = cut_hidden(page.text[:_LEAD]).partition("\n=")[0]
    called = [*_BOLD.findall(lead), *_of_infobox(lead)]
    opening = re.match(
        r"[^()]{1,120}\([^()]*(?:\([^()]*\)[^()]*)*\)", lead_of(lead, language).replace("\n", " ")
    )
    if opening is not None:
        called.append(opening[0])
    if not names.scripts.isdisjoint(scripts_in(lead[:_OPENING])):
        return True
    shown = [plain_line(text) for text in called]
    return any(holds_name(text, form, language) for text in shown for form in names.forms)
