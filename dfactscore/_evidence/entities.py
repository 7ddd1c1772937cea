"""Collects a biography's entities and their documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from dfactscore._evidence.owners import with_owners
from dfactscore._records import Biography, Document, Entity, OwnedText, Ownership
from dfactscore._text.block_headings import with_sections
from dfactscore._text.clean_text import clean
from dfactscore.retrieval._knowledge import MissingPage

if TYPE_CHECKING:
    from dfactscore.retrieval._knowledge import KnowledgeSource


# If no title bears a text's name, all pages of a source with at most this many are candidates. 20
# pages about other people support 2.2 % of a text's facts (60 real biographies; 10 pages 1.3 %, 50
# pages 3.1 %).
_MOST_OFFERED = 20
_MOST_LISTED = 1000


@dataclass(frozen=True, slots=True)
class GatheredEntities:
    """The entities of one biography."""

    entities: tuple[Entity, ...]
    # For each title that has no page, the source's message and the replacement used.
    missing: tuple[str, ...] = ()


def entities_of_passages(biography: Biography) -> tuple[Entity, ...]:
    """Returns the entities that a biography's passages are about, in retrieval order.

    Without owners, these are the titles of the passages (paper appendix C.1). Repeated and empty
    passages are left out. A passage of unknown owner is a document of every entity that it may be
    about. If a passage has an empty title, the owners are determined first.
    """
    if biography.owners is None and any(not passage.title for passage in biography.passages):
        biography = with_owners(biography)
    owners = biography.owners or Ownership(
        tuple(
            OwnedText(n, None, {passage.title: 1.0}, "")
            for n, passage in enumerate(biography.passages)
            if passage.text.strip()
        )
    )
    documents: dict[str, dict[str, Document]] = {}
    for owned in owners.texts:
        passage = biography.passages[owned.passage]
        text = passage.text if owned.span is None else passage.text[slice(*owned.span)]
        text = with_sections(text, biography.name)
        for label, certainty in owned.owners.items():
            document = Document(label, text, note=owned.method, certainty=certainty)
            documents.setdefault(label, {}).setdefault(text, document)
    return tuple(
        Entity(
            label, label, tuple(texts.values()), rank, bears=True if label in owners.named else None
        )
        for rank, (label, texts) in enumerate(documents.items())
    )


def gather_entities(biography: Biography, source: KnowledgeSource | None) -> GatheredEntities:
    """Collects a biography's entities, using their full pages if the source contains them.

    If there are no passages, the entities are the first of the following that exist: those of the
    biography's verdicts, the pages of its candidates, the source's pages whose titles bear the
    name, or all pages of a small source. If there are passages, the candidates' pages are added.
    """
    retrieved = entities_of_passages(biography)
    if biography.verdicts and not retrieved:
        return GatheredEntities(_of_verdicts(biography.verdicts, source))
    if source is None:
        retrieved_ids = {entity.id for entity in retrieved}
        lacking = (title for title in biography.candidates if title not in retrieved_ids)
        return GatheredEntities(retrieved, tuple(f"no page '{title}'" for title in lacking))

    entities: dict[str, Entity] = {}
    missing = []
    titles = dict.fromkeys([*(e.id for e in retrieved), *biography.candidates])
    retrieved_by_title = {entity.id: entity for entity in retrieved}
    for title, page in zip(titles, source.lookup_many(list(titles)), strict=True):
        if not isinstance(page, MissingPage):
            entities.setdefault(page.title, _of_source(page.title, len(entities), source))
            continue
        missing.append(page.reason)
        if title in retrieved_by_title:
            entities.setdefault(title, retrieved_by_title[title])
    if not retrieved and not entities:
        by_name = _by_name(biography.name, source)
        return GatheredEntities(by_name.entities, (*missing, *by_name.missing))
    return GatheredEntities(_ranked(entities.values()), tuple(missing))


def unused_titles(
    biographies: Iterable[Biography], source: KnowledgeSource | None
) -> tuple[int, tuple[str, ...]]:
    """Returns the number of pages in a source, and the titles that no text has as candidates."""
    # `source`: the source. If it has more than 1,000 pages or cannot list them, the result is `(0,
    # ())`.
    titles = _few_titles(source, _MOST_LISTED)
    unused = dict.fromkeys(titles)
    for biography in biographies:
        if not unused:
            break
        for entity in gather_entities(biography, source).entities:
            unused.pop(entity.id, None)
    return len(titles), tuple(unused)


def _few_titles(source: KnowledgeSource | None, most: int) -> tuple[str, ...]:
    """Returns the titles of a source; empty if it has more than `most` or cannot list them."""
    titles = getattr(source, "titles", None)
    listed = tuple(islice(titles(), most + 1)) if callable(titles) else ()
    return listed if len(listed) <= most else ()


def all_entities(
    pages: Mapping[str, str | Sequence[str]], source: KnowledgeSource
) -> GatheredEntities:
    """Returns all pages that the user supplied for one text, in order."""
    return GatheredEntities(_ranked(_of_source(title, 0, source) for title in pages))


def _of_verdicts(ids: Iterable[str], source: KnowledgeSource | None) -> tuple[Entity, ...]:
    """Returns the entities of given verdicts, in order; their documents are only for display."""
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
    documents = tuple(
        Document(page.title, with_sections(clean(page.text), page.title), page.url)
        for page in pages
    )
    return Entity(pages[0].title, pages[0].title, documents, rank, aliases)


def _ranked(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(replace(entity, rank=rank) for rank, entity in enumerate(entities))
