"""The formats of journal lines, which are checked when a run is opened."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from dfactscore._records import Label, Revision
from dfactscore._scoring.record import RecordStatus
from dfactscore._util.validated import Count, Form, Pair, Text
from dfactscore.linking import Status

Place = Annotated[tuple[Count, Count, Count], Field(strict=False)]
Probability = Annotated[float, Field(ge=0, le=1)]
Numbers = Annotated[tuple[int, list[int]], Field(strict=False)]


class StageCounts(Form, extra="forbid"):
    """Counts for one stage with one model; counts of 0 may be omitted."""

    answers: Count = 0
    calls: Count = 0
    cached: Count = 0
    repairs: Count = 0
    retries: Count = 0
    failed: Count = 0
    prompt_tokens: int = Field(0, ge=0)
    completion_tokens: int = Field(0, ge=0)
    cost: float | None = Field(0.0, ge=0, allow_inf_nan=False)
    lost_sentences: Count = 0
    not_in_text: Count = 0
    repeated: Count = 0
    moved: Count = 0
    repaired: Count = 0
    by_sentence: Count = 0
    unknown_end: Count = 0
    apart: Count = 0


class _KeyedLine(Form):
    key: Text


class _StageLine(_KeyedLine):
    id: Text
    usage: dict[Text, dict[Text, StageCounts]] = Field(default_factory=dict)


class _TitledText(Form):
    title: Text
    text: Text


class _OwnedText(_TitledText):
    owner: Text = ""


class _FoundDocument(_TitledText):
    address: Text = ""
    date: Text = ""
    note: Text = ""
    time: Text = ""


class _Step(Form):
    query: Text
    results: list[Count]
    entity: Text = ""


class _Search(Form):
    steps: list[_Step]
    ended: Text


class _BiographyLine(_KeyedLine):
    id: Text
    name: Text
    model: Text
    text: Text
    raw: Text
    citations: list[Numbers]
    passages: list[_OwnedText]
    links: list[Text | None] | None
    status: RecordStatus
    reason: Text
    missing: list[Text]


class _FactRow(Form):
    text: Text
    sentence: int | None = None
    span: Pair | None = None
    label: Label | None = None
    revision: Revision | None = None


class _FactsLine(_StageLine):
    facts: list[_FactRow]


class _Group(Form):
    facts: list[Count]
    label: Text
    bears_name: bool | None


class _GroupsLine(_StageLine):
    groups: list[_Group] | None
    reason: Text = ""


class _Column(Form):
    id: Text
    label: Text
    rank: Count
    aliases: list[Text]
    documents: list[_FoundDocument]
    status: list[Status]
    probability: list[Probability | None]
    evidence: list[Place | None] = Field(default_factory=list)
    conflict: list[Place | None] = Field(default_factory=list)
    sent: list[Literal[0, 1]] = Field(default_factory=list)
    reason: list[Text] = Field(default_factory=list)

    @model_validator(mode="after")
    def _same_lengths(self) -> _Column:
        for name in ("probability", "evidence", "conflict", "sent", "reason"):
            count = len(getattr(self, name))
            if count != len(self.status) and (count or name == "probability"):
                raise ValueError(f"{len(self.status)} items of status, {count} of {name}")
        for place in (*self.evidence, *self.conflict):
            if place is not None and not (place[0] < len(self.documents) and place[1] <= place[2]):
                raise ValueError(f"{place} points outside of {len(self.documents)} documents")
        return self


class _VerdictsLine(_StageLine):
    entities: list[_Column]
    tells_entities_apart: bool
    searches: list[_Search] = Field(default_factory=list)

    @model_validator(mode="after")
    def _distinct_entities(self) -> _VerdictsLine:
        for name in ("id", "rank"):
            if len({getattr(e, name) for e in self.entities}) < len(self.entities):
                raise ValueError(f"two entities have the same {name}")
        if len({len(e.status) for e in self.entities}) > 1:
            raise ValueError("the entities have verdicts about different numbers of facts")
        return self


class _DocumentLine(_KeyedLine):
    text: Text


JOURNAL_FORMS: dict[str, type[Form]] = {
    "biographies": _BiographyLine,
    "facts": _FactsLine,
    "groups": _GroupsLine,
    "verdicts": _VerdictsLine,
    "documents": _DocumentLine,
}
"""The form of the lines of each journal."""
