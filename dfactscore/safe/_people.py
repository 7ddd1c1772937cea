"""Decides which person a search result is about."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from dfactscore._asking.search import SearchResult
from dfactscore._records import Entity
from dfactscore.retrieval._splitting import split_text
from dfactscore.retrieval._tokens import tokenize

#: The reason given for a result at an entity's address.
BY_ADDRESS = "its address"
_RECALL = 0.25
_MARGIN = 0.10
_QUALIFIER = re.compile(r"\(([^()]+)\)\s*$")
_YEARS = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")
_IS_A = re.compile(
    r"\b(?:was|is)\s+(?:an?|the)\s+((?:[\w'’-]+\s+){0,5}?[\w'’-]+)"
    r"(?=[,.;]|\s(?:who|and|of|from|in|for|best|known)\b)"
)


@dataclass(frozen=True, slots=True)
class Attributed:
    """The entity of a result's evidence.

    Attributes:
        entity: Index of the entity, or None if the result is no one's.
        why: In words.
    """

    entity: int | None
    why: str


class People:
    """The candidate entities of one name, and how results are told apart between them.

    A result counts for an entity where its address is one of the entity's; else where title and
    text bear the name and the entity's documents hold at least a quarter of the text's content
    words (weighted by idf, the name left out), and a tenth more than any other candidate's.

    Args:
        name: The target name.
        entities: The candidates with their documents.
        addresses: By entity id, addresses of pages that are about it, besides those of the
            entity's documents and of Wikipedia's page of that title.
    """

    def __init__(
        self,
        name: str,
        entities: Sequence[Entity],
        addresses: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.entities = tuple(entities)
        self._name = frozenset(tokenize(name))
        own = [frozenset(tokenize(_QUALIFIER.sub("", e.label))) for e in self.entities]
        # An entity that does not bear the target name is known by its own.
        self._names = [self._name if names >= self._name else names for names in own]
        self._addresses: dict[str, int] = {}
        for place, entity in enumerate(self.entities):
            known = [d.address for d in entity.documents if d.address]
            titles = (entity.id, *entity.aliases)
            wiki = [f"https://en.wikipedia.org/wiki/{title}" for title in titles]
            for address in (*(addresses or {}).get(entity.id, ()), *known, *wiki):
                self._addresses.setdefault(_plain(address), place)
        texts = [[d.text for d in entity.documents] for entity in self.entities]
        self._words = [frozenset(w for text in own for w in tokenize(text)) for own in texts]
        passages = [set(tokenize(p)) for own in texts for text in own for p in split_text(text)]
        self._count = len(passages)
        self._seen = Counter(word for words in passages for word in words)

    def give(self, result: SearchResult) -> Attributed:
        """Says whose evidence a result is."""
        if result.address and (place := self._addresses.get(_plain(result.address))) is not None:
            return Attributed(place, BY_ADDRESS)
        said = frozenset(tokenize(f"{result.title} {result.text}"))
        bears = [bool(names) and names <= said for names in self._names]
        words = frozenset(tokenize(result.text)) - self._name
        if not any(bears) or not words:
            return Attributed(
                None, "it says nothing more" if any(bears) else "it bears no such name"
            )
        total = sum(map(self._idf, words))
        recalls = [
            sum(map(self._idf, words & own)) / total if named else 0.0
            for own, named in zip(self._words, bears, strict=True)
        ]
        order = sorted(range(len(recalls)), key=lambda place: -recalls[place])
        best, following = recalls[order[0]], recalls[order[1]] if len(order) > 1 else 0.0
        shown = f"{best:.2f} of its words on that page, {following:.2f} on the next"
        if best < _RECALL or best - following < _MARGIN:
            return Attributed(None, f"its words decide for no one: {shown}")
        return Attributed(order[0], shown)

    def _idf(self, word: str) -> float:
        seen = self._seen[word]
        return math.log1p((self._count - seen + 0.5) / (seen + 0.5))


def handle_of(entity: Entity, fact: str) -> str:
    """Words that tell an entity from its namesakes, to add to a query about a fact.

    The qualifier of its title, else the first occupation and the life years of its page; never a
    word or year that the fact itself is about.

    Example:
        >>> from dfactscore._records import Document
        >>> page = Document("Dick Hanley", "Dick Hanley (1894–1970) was an American coach.")
        >>> handle_of(Entity("Dick Hanley", "Dick Hanley", (page,)), "Dick Hanley died in 1970.")
        'American coach 1894'
    """
    found = _QUALIFIER.search(entity.label)
    words = found.group(1) if found else _described(entity)
    said = set(tokenize(fact)) | set(_YEARS.findall(fact))
    parts = words.replace(",", " ").split()
    return " ".join(p for p in parts if p not in said and not set(tokenize(p)) & said)


def _described(entity: Entity) -> str:
    lead = entity.documents[0].text[:600] if entity.documents else ""
    occupation = _IS_A.search(lead)
    years = list(dict.fromkeys(_YEARS.findall(lead.split(". ")[0])))[:2]
    return " ".join([occupation.group(1) if occupation else "", *years]).strip()


def _plain(address: str) -> str:
    """An address as it is compared: without scheme, "www.", "m.", fragment and final slash."""
    parts = urlsplit(address.strip())
    host = (parts.hostname or "").removeprefix("www.").replace(".m.", ".")
    path = unquote(parts.path).rstrip("/").replace(" ", "_")
    return f"{host}{path}?{parts.query}" if parts.query else f"{host}{path}"
