"""The protocol that entailment models implement, and their questions and answers."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._util.role_answers import resolve, typed_answers
from dfactscore.retrieval import Passage


@dataclass(frozen=True, slots=True)
class Query:
    """One question for an entailment model.

    Attributes:
        sentence: The hypothesis without citations.
        passages: The premise; several passages are read together.
        name: The paragraph's target name.
    """

    sentence: str
    passages: tuple[Passage, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """An answer from an entailment model.

    Attributes:
        entailed: Whether the sentence is entailed; None if the answer is unreadable, which counts
            as false.
        probability: The probability of entailment, in [0, 1]; None if the model returns none.
        passing: Whether a temporary error prevented an answer.
    """

    entailed: bool | None
    probability: float | None = None
    passing: bool = False


@runtime_checkable
class Entailer(Protocol):
    """Judges whether passages together entail a sentence; may also be a `CountsTruncated`."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an answer (JSON values)."""

    def judge(self, queries: Sequence[Query]) -> Sequence[Judgment] | Awaitable[Sequence[Judgment]]:
        """Returns one judgment per query, in order."""


async def judged(entailer: Entailer, queries: Sequence[Query]) -> list[Judgment]:
    """Judges questions without asking identical ones twice."""
    distinct = list(dict.fromkeys(queries))
    if not distinct:
        return []
    answers = await resolve(entailer.judge(distinct))
    judgments = typed_answers(Judgment, answers, entailer, "judge", Entailer, len(distinct))
    known = dict(zip(distinct, judgments, strict=True))
    return [known[query] for query in queries]


@runtime_checkable
class CountsTruncated(Protocol):
    """An entailer that truncates inputs too long for its model."""

    @property
    def truncated(self) -> int:
        """The number of questions truncated so far."""


@dataclass(frozen=True)
class NotLoaded:
    """A placeholder for an entailer, used when questions are only counted."""

    kind: str

    @property
    def settings(self) -> Mapping[str, Any]:
        """The name of the entailer."""
        return {"entailer": self.kind}

    def judge(self, queries: Sequence[Query]) -> Sequence[Judgment]:
        """Returns judgments that contain no answer."""
        return [Judgment(None)] * len(queries)
