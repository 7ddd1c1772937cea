"""Judges facts against the pages found by a search, and decides which candidate they are about."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urlsplit

from dfactscore._asking.search import SearchResult
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore.engines._answers import verify_together
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import CascadeVerifier, WrappingVerifier
from dfactscore.retrieval._documents import split_text
from dfactscore.retrieval._tokens import tokenize

#: Reason for assigning a result to the entity that has its address.
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
    """The entity that a search result is about."""

    entity: int | None  # index of the entity; None if the result is about no candidate
    why: str


class People:
    """Assigns search results to the candidate entities for one name.

    A result is about an entity if it has one of the entity's addresses. Otherwise, its title or
    text must contain the name, and the entity's documents must contain at least a quarter of the
    text's words (weighted by idf, excluding the name). This share must also exceed that of every
    other candidate by at least 0.1.

    Args:
        name: The target name.
        entities: The candidates with their documents.
        addresses: Addresses of pages about each entity, by entity id. The addresses of an entity's
            documents and of the Wikipedia pages with its titles are added to these.
    """

    def __init__(
        self,
        name: str,
        entities: Sequence[Entity],
        addresses: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.entities = tuple(entities)
        self._name = frozenset(tokenize(name))
        labels = [frozenset(tokenize(_QUALIFIER.sub("", e.label))) for e in self.entities]
        # A result about an entity with another name must contain that name.
        self._names = [self._name if label >= self._name else label for label in labels]
        self._addresses: dict[str, int] = {}
        for place, entity in enumerate(self.entities):
            known = [d.address for d in entity.documents if d.address]
            titles = (entity.id, *entity.aliases)
            wiki = [f"https://en.wikipedia.org/wiki/{title}" for title in titles]
            for address in (*(addresses or {}).get(entity.id, ()), *known, *wiki):
                self._addresses.setdefault(_plain(address), place)
        texts = [[d.text for d in entity.documents] for entity in self.entities]
        self._words = [frozenset(w for text in page for w in tokenize(text)) for page in texts]
        passages = [set(tokenize(p)) for page in texts for text in page for p in split_text(text)]
        self._count = len(passages)
        self._seen = Counter(word for words in passages for word in words)

    def give(self, result: SearchResult) -> Attributed:
        """Assigns a result to an entity."""
        if result.address and (place := self._addresses.get(_plain(result.address))) is not None:
            return Attributed(place, BY_ADDRESS)
        tokens = frozenset(tokenize(f"{result.title} {result.text}"))
        bears = [bool(names) and names <= tokens for names in self._names]
        words = frozenset(tokenize(result.text)) - self._name
        if not any(bears) or not words:
            return Attributed(
                None, "it contains only the name" if any(bears) else "it lacks the name"
            )
        total = sum(map(self._idf, words))
        recalls = [
            sum(map(self._idf, words & page_words)) / total if is_named else 0.0
            for page_words, is_named in zip(self._words, bears, strict=True)
        ]
        order = sorted(range(len(recalls)), key=lambda place: -recalls[place])
        best, following = recalls[order[0]], recalls[order[1]] if len(order) > 1 else 0.0
        reason = f"{best:.2f} of its words on that page, {following:.2f} on the next"
        if best < _RECALL or best - following < _MARGIN:
            return Attributed(None, f"its words fit no candidate clearly: {reason}")
        return Attributed(order[0], reason)

    def _idf(self, word: str) -> float:
        seen = self._seen[word]
        return math.log1p((self._count - seen + 0.5) / (seen + 0.5))


def handle_of(entity: Entity, fact: str) -> str:
    """Query words that distinguish an entity from its namesakes.

    These are the qualifier in the entity's title or, if the title has none, the occupation and
    years at the start of the entity's page, excluding words and years that are in the fact.

    Example:
        >>> from dfactscore._records import Document
        >>> page = Document("Dick Hanley", "Dick Hanley (1894–1970) was an American coach.")
        >>> handle_of(Entity("Dick Hanley", "Dick Hanley", (page,)), "Dick Hanley died in 1970.")
        'American coach 1894'
    """
    qualifier = _QUALIFIER.search(entity.label)
    words = qualifier.group(1) if qualifier else _described(entity)
    fact_words = set(tokenize(fact)) | set(_YEARS.findall(fact))
    parts = words.replace(",", " ").split()
    return " ".join(p for p in parts if p not in fact_words and not set(tokenize(p)) & fact_words)


def _described(entity: Entity) -> str:
    lead = entity.documents[0].text[:600] if entity.documents else ""
    occupation = _IS_A.search(lead)
    years = list(dict.fromkeys(_YEARS.findall(lead.split(". ")[0])))[:2]
    return " ".join([occupation.group(1) if occupation else "", *years]).strip()


def _plain(address: str) -> str:
    """Normalizes an address by removing scheme, "www.", "m.", fragment and final slash."""
    parts = urlsplit(address.strip())
    host = (parts.hostname or "").removeprefix("www.").replace(".m.", ".")
    path = unquote(parts.path).rstrip("/").replace(" ", "_")
    return f"{host}{path}?{parts.query}" if parts.query else f"{host}{path}"


class PageByPage(WrappingVerifier):
    """A verifier that supports a fact if any single page supports it.

    Pages may be about different people, so passages are judged together only if they come from the
    same page, that is, have the same address or, if there are no addresses, the same title.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change a verdict."""
        return {**self.inner.settings, "pages": "each by itself"}

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns, for each fact, the verdict of the page with the strongest support."""
        pages: dict[str, list[int]] = {}
        for place, document in enumerate(entity.documents):
            pages.setdefault(document.address or document.title, []).append(place)
        if len(pages) < 2:
            return (await verify_together(self.inner, biography, [(facts, entity)]))[0]
        places_of_pages = list(pages.values())
        pairs = [
            (facts, replace(entity, documents=tuple(entity.documents[i] for i in places)))
            for places in places_of_pages
        ]
        rows = await verify_together(self.inner, biography, pairs)
        verdicts = []
        for number in range(len(facts)):
            best = max(range(len(places_of_pages)), key=lambda page: _support(rows[page][number]))
            verdicts.append(rows[best][number].moved(places_of_pages[best]))
        return verdicts


def judge_of_pages(inner: Verifier) -> Verifier:
    """Returns the verifier for open searches; a built-in verifier judges each page separately.

    A language model reads all pages for a fact in one call, because each call costs money.
    """
    if isinstance(inner, BuiltinVerifier):
        return PageByPage(inner)
    if isinstance(inner, CascadeVerifier) and isinstance(inner.first, BuiltinVerifier):
        return CascadeVerifier(
            PageByPage(inner.first),
            inner.second,
            low=inner.low,
            high=inner.high,
            weight=inner.weight,
        )
    return inner


def _support(verdict: Verdict) -> tuple[bool, float]:
    return verdict.status == "supported", verdict.probability or 0.0
