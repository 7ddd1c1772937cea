"""The data that stages exchange: biographies, facts, groups, entities, verdicts."""

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
        text: The sentence, in which pronouns are replaced by names from the paragraph.
        sentence: Index of the sentence in the paragraph that states the fact, or None.
        span: Start and end (exclusive) in characters of `Biography.text`, or None.
        label: ``"irrelevant"`` if a human or a relevance step marked it so; ``"context"`` for a
            fact that is not about a person ("Leeds is in England"), which is scored unless
            irrelevant facts are excluded.
        revision: The result of making the fact self-contained: ``"revised"``, or ``"refused"`` if
            the old text was kept because the new text changed a number or name.
    """

    text: str
    sentence: int | None = None
    span: tuple[int, int] | None = None
    label: Label | None = None
    revision: Revision | None = None


@dataclass(frozen=True, slots=True)
class FactGroup:
    """The facts that form one biography within the paragraph (paper section 4.1).

    Attributes:
        facts: Indices into the biography's facts, in ascending order; the groups partition the
            facts.
        label: The individual's name as written in the paragraph, or empty.
        bears_name: Whether the individual bears the target name; None if unknown.
    """

    facts: tuple[int, ...]
    label: str = ""
    bears_name: bool | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verifier's verdict on a fact, based on the documents about an entity.

    Attributes:
        status: Only ``"supported"`` counts as support; ``"unparsed"``, ``"refused"`` and
            ``"error"`` are cells that could not be read.
        probability: Probability of support in [0, 1], rounded to six digits, or None.
        evidence: Position of the sentence that decides the verdict, or None.
        conflict: Position of the sentence that contradicts the fact, or None.
        sent: Whether the verdict came from a second call: either to the expensive verifier of a
            cascade, or about this entity alone because the answer about all entities was unusable.
        reason: The judge's reason in words, if it was asked for one; otherwise empty.
    """

    status: Status
    probability: float | None = None
    evidence: Evidence | None = None
    conflict: Evidence | None = None
    sent: bool = False
    reason: str = ""

    @property
    def why_not(self) -> WhyNot | None:
        """Why the fact is not supported: the page contradicts it (`conflict`) or does not state it.

        None for a supported fact or an unreadable verdict. Verifiers that give no evidence, such as
        language models, do not distinguish the two cases; the scores then include neither count.
        """
        if self.status != "not_supported":
            return None
        return "not_stated" if self.conflict is None else "contradicted"

    def moved(self, home: Sequence[int]) -> Verdict:
        """Returns the verdict with its positions mapped from selected to original documents.

        Args:
            home: The original index of each selected document; positions in other documents are
                dropped.
        """

        def at(place: Evidence | None) -> Evidence | None:
            known = place is not None and place.document < len(home)
            return place._replace(document=home[place.document]) if place and known else None

        return replace(self, evidence=at(self.evidence), conflict=at(self.conflict))


@dataclass(frozen=True, slots=True)
class Document:
    """A text about an entity: a page, passages from a page, or a search result.

    Attributes:
        title: The title.
        text: The text.
        address: The address of a search result; otherwise empty.
        date: The date of a search result, as given by the search service.
        note: Why the text is assigned to this entity or to no entity.
        time: Time of the search, in UTC; empty for local pages.
        certainty: The probability that the text is about this entity.
    """

    title: str
    text: str
    address: str = ""
    date: str = ""
    note: str = ""
    time: str = ""
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class Entity:
    """A real individual (or thing) with documents about it.

    Attributes:
        id: An id, unique within a biography's candidates; the page title if nothing better is
            known.
        label: The label shown to readers.
        documents: The knowledge source's documents about the entity, in order.
        rank: Retrieval rank (0 is best), which breaks ties between links.
        aliases: Other titles of the entity's page (redirects).
        bears: Whether the entity bears the target name; None if only its titles can tell.
    """

    id: str
    label: str
    documents: tuple[Document, ...]
    rank: int = 0
    aliases: tuple[str, ...] = ()
    bears: bool | None = None


@dataclass(frozen=True, slots=True)
class SearchStep:
    """A search for evidence about a fact."""

    query: str
    # Indices of the results among the documents of the column `(open)`, best first.
    results: tuple[int, ...] = ()
    entity: str = ""  # id of the entity that the query is about; empty for an open search


@dataclass(frozen=True, slots=True)
class FactSearch:
    """The searches for evidence about a fact."""

    steps: tuple[SearchStep, ...]
    # Why the search ended: `"one step"` (no model is available to write queries), `"sure"` (the
    # verifier is sure), `"enough"` (the model needs no more evidence), `"repeated"` (the next query
    # repeats an earlier one), `"steps"` (the limit of steps), `"unreadable"` (the next query cannot
    # be read) or `"failed"` (a search failed).
    ended: str


class Citation(NamedTuple):
    """Citation numbers at a given position in the paragraph."""

    position: int  # index in `Biography.text` of the character after the citation
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OwnedText:
    """A passage, or a part of one, and the entities that it may be about.

    Attributes:
        passage: Index of the passage.
        span: Start and end (exclusive) of the part in characters; None for the whole passage.
        owners: The entities with their probabilities: one with probability 1, or all that are
            possible.
        method: How the entities were determined (see `dfactscore._evidence.owners`).
        reason: The evidence that counts most; empty if there is none.
    """

    passage: int
    span: tuple[int, int] | None
    owners: Mapping[str, float]
    method: str
    reason: str = ""

    @property
    def certain(self) -> bool:
        """Whether the text is surely about one entity."""
        return min(self.owners.values(), default=0.0) >= 1


@dataclass(frozen=True, slots=True)
class Ownership:
    """The entities that a biography's passages are about.

    Attributes:
        texts: The passages and their parts, in order.
        named: The entities that bear the target name.
        different: For pairs of these, the probability that they are different and the reason.
    """

    texts: tuple[OwnedText, ...]
    named: tuple[str, ...] = ()
    different: tuple[tuple[str, str, float, str], ...] = ()


#: Fields that contain a question with a name in it.
QUESTIONS = (
    "question", "input", "prompt", "user_input", "query", "user_query", "user_question",
    "user_prompt", "user_request", "question_text", "query_text", "search_query", "instruction",
    "message", "inputs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Biography:
    """A generated paragraph, its passages, and any stages that came with it.

    Attributes:
        id: An id, unique within the input.
        name: The target name without "(disambiguation)".
        text: The paragraph without citations.
        citations: The citations, in order.
        passages: The passages from which the paragraph was generated, best first.
        raw: The paragraph as generated.
        model: The model that wrote the paragraph, or empty.
        facts: Facts from the input, which replace the decomposition, or None.
        groups: Groups from the input, or None.
        links: Links from the input, as an entity id per group (None for an unlinked group), or
            None.
        verdicts: Verdicts from the input by entity id, one per fact, or None.
        candidates: Page titles of possible entities, from the input.
        owners: The entities that the passages are about; None if their titles tell.
        extra: Other fields of the input record.
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
    owners: Ownership | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def question(self) -> str:
        """The question or prompt that came with the text; empty if there is none."""
        given = (self.extra.get(name) for name in QUESTIONS)
        return next((text for text in given if isinstance(text, str)), "")
