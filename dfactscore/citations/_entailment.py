"""The protocol of entailment models."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._util.role_answers import resolve, typed_answers
from dfactscore.retrieval import Passage


@dataclass(frozen=True, slots=True)
class Query:
    """One question to an entailment model.

    Attributes:
        sentence: The hypothesis, citations removed.
        passages: The premise; several are read together.
        name: The target name of the paragraph.
    """

    sentence: str
    passages: tuple[Passage, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """An answer of an entailment model.

    Attributes:
        entailed: None if the answer could not be read; that never counts as entailed.
        probability: Of entailment, in [0, 1]; None if the model gives none.
        passing: Whether there was no answer at all, for a reason that may pass.
    """

    entailed: bool | None
    probability: float | None = None
    passing: bool = False


@runtime_checkable
class Entailer(Protocol):
    """Judges whether passages, read together, entail a sentence; may be a `CountsTruncated` too."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values)."""

    def judge(self, queries: Sequence[Query]) -> Sequence[Judgment] | Awaitable[Sequence[Judgment]]:
        """Returns one judgment per query, in order."""


async def judged(entailer: Entailer, queries: Sequence[Query]) -> list[Judgment]:
    """One judgment a question, in order; each different question is asked once.

    Raises:
        InputError: If the entailer does not give one judgment per question.
    """
    distinct = list(dict.fromkeys(queries))
    if not distinct:
        return []
    answers = await resolve(entailer.judge(distinct))
    found = typed_answers(Judgment, answers, entailer, "judge", Entailer, len(distinct))
    known = dict(zip(distinct, found, strict=True))
    return [known[query] for query in queries]


@runtime_checkable
class CountsTruncated(Protocol):
    """An entailer that cuts inputs too long for its model; others do not."""

    @property
    def truncated(self) -> int:
        """Questions that were cut so far."""


@dataclass(frozen=True)
class NotLoaded:
    """Stands for an entailer whose questions are only counted.

    Attributes:
        kind: Its name.
    """

    kind: str

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its name."""
        return {"entailer": self.kind}

    def judge(self, queries: Sequence[Query]) -> Sequence[Judgment]:
        """Leaves every question open."""
        return [Judgment(None)] * len(queries)
