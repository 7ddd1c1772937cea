"""The records that pass between the stages: biographies, facts, groups, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from dfactscore.linking import Evidence, Status
from dfactscore.retrieval import Passage

Label = Literal["irrelevant", "context"]
Revision = Literal["revised", "refused"]
WhyNot = Literal["contradicted", "not_stated"]


@dataclass(frozen=True, slots=True)
class Fact:
    """An atomic fact: a self-contained sentence that conveys one piece of information.

    Attributes:
        text: The sentence; pronouns are the name as the paragraph writes it, nothing more.
        sentence: Index of the sentence of the paragraph that it comes from, or None.
        span: Start and end (exclusive) in characters of `Biography.text`, or None.
        label: ``"irrelevant"`` where a human or a relevance step says so; ``"context"`` where a
            fact is about no one ("Leeds is in England"): scored unless such facts are excluded.
        revision: The result of the step that makes facts self-contained: ``"revised"``, or
            ``"refused"`` if it changed a number or a name, so that the old text stayed.
    """

    text: str
    sentence: int | None = None
    span: tuple[int, int] | None = None
    label: Label | None = None
    revision: Revision | None = None


@dataclass(frozen=True, slots=True)
class FactGroup:
    """The facts of one biography within the paragraph (paper section 4.1).

    Attributes:
        facts: Indices into the biography's facts, ascending; groups partition the facts.
        label: The individual's name as the paragraph writes it, or empty.
        bears_name: Whether that individual bears the target name; None if unknown.
    """

    facts: tuple[int, ...]
    label: str = ""
    bears_name: bool | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict of a verifier on one fact, from one entity's documents.

    Attributes:
        status: Only ``"supported"`` counts as support; ``"unparsed"``, ``"refused"`` and
            ``"error"`` are cells that could not be read.
        probability: Of support, in [0, 1], rounded to six digits; None if there is none.
        evidence: The sentence that decides most, or None.
        conflict: The place that contradicts the fact, or None.
        sent: Whether a second verifier said it: that of a cascade, or a call an entity where a call
            for all could not be used.
    """

    status: Status
    probability: float | None = None
    evidence: Evidence | None = None
    conflict: Evidence | None = None
    sent: bool = False

    @property
    def why_not(self) -> WhyNot | None:
        """Why a fact is not supported: the page says otherwise (`conflict`), or does not say it.

        None if it is supported or could not be read. A verifier that names no places, as a
        language model, does not tell the two apart: scores count neither then.
        """
        if self.status != "not_supported":
            return None
        return "not_stated" if self.conflict is None else "contradicted"

    def moved(self, home: Sequence[int]) -> Verdict:
        """The same verdict with its places in the documents that those it names were taken from.

        Args:
            home: The number of each document there; a place in another one is left out.
        """

        def at(place: Evidence | None) -> Evidence | None:
            known = place is not None and place.document < len(home)
            return place._replace(document=home[place.document]) if place and known else None

        return replace(self, evidence=at(self.evidence), conflict=at(self.conflict))


@dataclass(frozen=True, slots=True)
class Document:
    """A text about an entity: a page, the retrieved passages of one, or what a search found.

    Attributes:
        title: Its title.
        text: The text.
        address: The address of the search result; empty if it has none.
        date: Its date, as the search service gives it.
        note: The reason why it is in this entity's column, or in no entity's.
        time: The time of the search, in UTC; empty for local pages.
    """

    title: str
    text: str
    address: str = ""
    date: str = ""
    note: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """A real individual (or thing) with the documents that are known about it.

    Attributes:
        id: Unique within a biography's candidates; the page title if nothing better is known.
        label: The label shown to readers.
        documents: The subset of the knowledge source about this entity, in order.
        rank: Retrieval rank, 0 is best; breaks ties between links.
        aliases: Other titles (redirects) that lead to it.
    """

    id: str
    label: str
    documents: tuple[Document, ...]
    rank: int = 0
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One search for evidence of a fact.

    Attributes:
        query: The query.
        results: Results, best first: indices of documents of the column ``(open)``.
        entity: Id of the entity that the query was about; empty for an open search.
    """

    query: str
    results: tuple[int, ...] = ()
    entity: str = ""


@dataclass(frozen=True, slots=True)
class FactSearch:
    """The searches for one fact's evidence.

    Attributes:
        steps: The searches, in order.
        ended: The reason to end the search: ``"one step"`` (there is no model to write queries),
            ``"sure"`` (the verifier was), ``"enough"`` (the model said so), ``"repeated"`` (the
            next query was an old one), ``"steps"`` (the limit), ``"unreadable"`` (the next query
            could not be read) or ``"failed"`` (a search failed).
    """

    steps: tuple[SearchStep, ...]
    ended: str


class Citation(NamedTuple):
    """Citation numbers at one place of the paragraph.

    Attributes:
        position: Character of `Biography.text` that followed them.
        numbers: As written, 1-based; a number may name no passage, or occur twice.
    """

    position: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Biography:
    """A generated paragraph with what is known around it.

    Attributes:
        id: Unique within an input.
        name: The target name, without "(disambiguation)".
        text: The paragraph, citations removed.
        citations: The citations, in order.
        passages: The passages that it was generated from, best first.
        raw: The paragraph as generated.
        model: Model that wrote it, or empty.
        facts: Facts made elsewhere (the stage is then not run), or None.
        groups: Groups made elsewhere, or None.
        links: Entity ids by group, made elsewhere, or None; an id may be None (unlinked).
        verdicts: Verdicts made elsewhere, by entity id, one per fact, or None.
        candidates: Titles of pages that the record names as those of its possible entities.
        extra: Other fields of the input record, carried along.
    """

    id: str
    name: str
    text: str
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    raw: str = ""
    model: str = ""
    facts: tuple[Fact, ...] | None = None
    groups: tuple[FactGroup, ...] | None = None
    links: tuple[str | None, ...] | None = None
    verdicts: Mapping[str, Sequence[Verdict]] | None = None
    candidates: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
