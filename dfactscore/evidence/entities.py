"""The entities that a biography's facts are judged against, with their documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dfactscore.records import Biography, Document, Entity
from dfactscore.text.cleaning import clean

if TYPE_CHECKING:
    from dfactscore.retrieval.knowledge import KnowledgeSource

__all__ = [
    "GatheredEntities",
    "all_entities",
    "entities_of_passages",
    "gather_entities",
]


@dataclass(frozen=True, slots=True)
class GatheredEntities:
    """Entities of one biography and what could not be had for them.

    Attributes:
        entities: In retrieval order.
        missing: For each title without a page what the source says; its passages were taken.
    """

    entities: tuple[Entity, ...]
    missing: tuple[str, ...] = ()


def entities_of_passages(biography: Biography) -> tuple[Entity, ...]:
    """One entity per distinct title among the passages, in retrieval order (paper appendix C.1).

    Passages of one title are documents of one entity; a repeated passage counts once, an empty
    one not at all.
    """
    texts: dict[str, dict[str, None]] = {}
    for passage in biography.passages:
        if not passage.text.strip():
            continue
        texts.setdefault(passage.title, {})[passage.text] = None
    return tuple(
        Entity(title, title, tuple(Document(title, text) for text in found), rank)
        for rank, (title, found) in enumerate(texts.items())
    )


def gather_entities(biography: Biography, source: KnowledgeSource | None) -> GatheredEntities:
    """The entities of a biography, with whole pages where a source holds them.

    Without passages, the entities are those of the verdicts that it carries, else the pages of the
    source whose titles bear the name.

    Args:
        biography: Whose passages name the entities.
        source: Pages by title, or None to judge against the passages.
    """
    retrieved = entities_of_passages(biography)
    if biography.verdicts and not retrieved:
        return GatheredEntities(_of_verdicts(biography.verdicts, source))
    if source is None:
        return GatheredEntities(retrieved)
    if not retrieved:
        return _by_name(biography.name, source)
    from dfactscore.retrieval.knowledge import MissingPage

    found: dict[str, Entity] = {}
    missing = []
    for entity, page in zip(retrieved, source.lookup_many([e.id for e in retrieved]), strict=True):
        if isinstance(page, MissingPage):
            missing.append(page.reason)
            found.setdefault(entity.id, entity)
        else:
            found.setdefault(page.title, _of_source(page.title, len(found), source))
    return GatheredEntities(_ranked(found.values()), tuple(missing))


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
    from dfactscore.retrieval.knowledge import MissingPage

    page = source.lookup(name)
    return GatheredEntities((), (page.reason,) if isinstance(page, MissingPage) else ())


def _of_source(title: str, rank: int, source: KnowledgeSource) -> Entity:
    pages = source.documents(title)
    aliases = tuple(dict.fromkeys(r for page in pages for r in page.redirects))
    documents = tuple(Document(page.title, clean(page.text), page.url) for page in pages)
    return Entity(pages[0].title, pages[0].title, documents, rank, aliases)


def _ranked(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(replace(entity, rank=rank) for rank, entity in enumerate(entities))
