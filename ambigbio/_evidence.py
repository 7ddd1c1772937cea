"""Evidence about a page's subject: whether it is a person, its life dates, its description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from dfactscore.ambigbio._disambiguation import is_disambiguation
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._lifespan import Lifespan, from_page
from dfactscore.ambigbio._markup import categories_of, cut_hidden
from dfactscore.ambigbio._people import has_dates, lead_of, person_evidence, short_description_of
from dfactscore.ambigbio._records import PersonEvidence
from dfactscore.ambigbio._sources import RawPage, Source


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
