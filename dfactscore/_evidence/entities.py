"""Collects the entities of a biography with their documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from dfactscore._evidence.owners import with_owners
from dfactscore._records import Biography, Document, Entity
from dfactscore._text.clean_text import clean
from dfactscore.retrieval._knowledge import MissingPage

if TYPE_CHECKING:
    from dfactscore.retrieval._knowledge import KnowledgeSource


# So many pages are offered to a text whose name no title bears. Of 20 pages about other people,
# 2.2 % of a text's facts are supported by one (60 real biographies; 1.3 % of 10, 3.1 % of 50).
_MOST_OFFERED = 20
_MOST_LISTED = 1000


@dataclass(frozen=True, slots=True)
class GatheredEntities:
    """Entities of one biography and what could not be had for them.

    Attributes:
        entities: In retrieval order.
        missing: For each title without a page what the source says, and what was taken instead.
    """

    entities: tuple[Entity, ...]
    missing: tuple[str, ...] = ()


def entities_of_passages(biography: Biography) -> tuple[Entity, ...]:
    """One entity per distinct title among the passages, in retrieval order (paper appendix C.1).

    Passages of one title are documents of one entity; a repeated passage counts once, an empty
    one not at all. Passages whose titles are empty are given their owners first.
    """
    if any(not passage.title for passage in biography.passages):
        biography = with_owners(biography)
    texts: dict[str, dict[str, str]] = {}
    for passage in biography.passages:
        if not passage.text.strip():
            continue
        texts.setdefault(passage.title, {}).setdefault(passage.text, passage.owner)
    return tuple(
        Entity(
            title,
            title,
            tuple(Document(title, text, note=how) for text, how in found.items()),
            rank,
        )
        for rank, (title, found) in enumerate(texts.items())
    )


def gather_entities(biography: Biography, source: KnowledgeSource | None) -> GatheredEntities:
    """The entities of a biography, with whole pages where a source holds them.

    Without passages, the entities are those of the verdicts that it carries, else the pages of the
    source whose titles bear the name; where none does, all pages of a source that has only a few.
    The pages that the record itself names come first, or, if there are passages, besides.

    Args:
        biography: The biography whose passages name the entities.
        source: Pages by title, or None to judge against the passages.
    """
    retrieved = entities_of_passages(biography)
    if biography.verdicts and not retrieved:
        return GatheredEntities(_of_verdicts(biography.verdicts, source))
    if source is None:
        there = {entity.id for entity in retrieved}
        lacking = (title for title in biography.candidates if title not in there)
        return GatheredEntities(retrieved, tuple(f"no page '{title}'" for title in lacking))

    found: dict[str, Entity] = {}
    missing = []
    wanted = dict.fromkeys([*(e.id for e in retrieved), *biography.candidates])
    own = {entity.id: entity for entity in retrieved}
    for title, page in zip(wanted, source.lookup_many(list(wanted)), strict=True):
        if not isinstance(page, MissingPage):
            found.setdefault(page.title, _of_source(page.title, len(found), source))
            continue
        missing.append(page.reason)
        if title in own:
            found.setdefault(title, own[title])
    if not retrieved and not found:
        by_name = _by_name(biography.name, source)
        return GatheredEntities(by_name.entities, (*missing, *by_name.missing))
    return GatheredEntities(_ranked(found.values()), tuple(missing))


def unused_titles(
    biographies: Iterable[Biography], source: KnowledgeSource | None
) -> tuple[int, tuple[str, ...]]:
    """Returns the number of pages of a source, and those that are candidates of no text.

    Args:
        biographies: The texts.
        source: Evidence; one with more than 1,000 pages, or that cannot list
            them, counts as one without.
    """
    titles = _few_titles(source, _MOST_LISTED)
    unused = dict.fromkeys(titles)
    for biography in biographies:
        if not unused:
            break
        for entity in gather_entities(biography, source).entities:
            unused.pop(entity.id, None)
    return len(titles), tuple(unused)


def _few_titles(source: KnowledgeSource | None, most: int) -> tuple[str, ...]:
    """The titles of a source, if it can list them and they are not more than so many."""
    titles = getattr(source, "titles", None)
    found = tuple(islice(titles(), most + 1)) if callable(titles) else ()
    return found if len(found) <= most else ()


def all_entities(
    pages: Mapping[str, str | Sequence[str]], source: KnowledgeSource
) -> GatheredEntities:
    """Every page that was given for one text, in the order given.

    Args:
        pages: The titles, in order.
        source: The source made of them.
    """
    return GatheredEntities(_ranked(_of_source(title, 0, source) for title in pages))


def _of_verdicts(ids: Iterable[str], source: KnowledgeSource | None) -> tuple[Entity, ...]:
    """Entities of verdicts made elsewhere, in their order; the documents are only to show."""
    entities = []
    for rank, id in enumerate(ids):
        pages = () if source is None else source.documents(id)
        documents = tuple(Document(page.title, clean(page.text)) for page in pages)
        entities.append(Entity(id, id, documents, rank))
    return tuple(entities)


def _by_name(name: str, source: KnowledgeSource) -> GatheredEntities:
    titles = source.titles_for(name)
    if titles:
        return GatheredEntities(_ranked(_of_source(title, 0, source) for title in titles))

    page = source.lookup(name)
    reason = page.reason if isinstance(page, MissingPage) else f"no page '{name}'"
    if all_titles := _few_titles(source, _MOST_OFFERED):
        reason += f"; no title bears the name, so all pages ({len(all_titles)}) were offered"
    entities = (_of_source(title, 0, source) for title in all_titles)
    return GatheredEntities(_ranked(entities), (reason,))


def _of_source(title: str, rank: int, source: KnowledgeSource) -> Entity:
    pages = source.documents(title)
    aliases = tuple(dict.fromkeys(r for page in pages for r in page.redirects))
    documents = tuple(Document(page.title, clean(page.text), page.url) for page in pages)
    return Entity(pages[0].title, pages[0].title, documents, rank, aliases)


def _ranked(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(replace(entity, rank=rank) for rank, entity in enumerate(entities))
