"""The protocol that entailment models implement, their questions, and calls with many questions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._util.tasks import resolve, typed_answers
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


class Batches:
    """Combines the questions of concurrent paragraphs into one call, without duplicates.

    If a batch fails, the questions of each paragraph are sent separately, so that only the
    paragraph that caused the problem fails.
    """

    def __init__(self, entailer: Entailer) -> None:
        self.entailer = entailer
        self._waiting: list[tuple[Sequence[Query], asyncio.Future[list[Judgment]]]] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Returns one judgment per question, in order."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Judgment]] = loop.create_future()
        self._waiting.append((queries, answer))
        if len(self._waiting) == 1:
            task = loop.create_task(self._flush())
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        return await answer

    async def _flush(self) -> None:
        await asyncio.sleep(0)  # lets other paragraphs that are ready add their questions
        waiting, self._waiting = self._waiting, []
        all_queries = [query for queries, _ in waiting for query in queries]
        try:
            judgments = iter(await judged(self.entailer, all_queries))
        except Exception:
            for queries, answer in waiting:
                try:
                    _settle(answer, await judged(self.entailer, queries))
                except Exception as error:
                    _settle(answer, error)
            return
        for queries, answer in waiting:
            _settle(answer, [next(judgments) for _ in queries])


def _settle(answer: asyncio.Future[list[Judgment]], result: list[Judgment] | Exception) -> None:
    if answer.done():  # the paragraph was canceled in the meantime
        return
    if isinstance(result, Exception):
        answer.set_exception(result)
    else:
        answer.set_result(result)


class Asker:
    """The questions of one paragraph."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self.passing = False  # whether a temporary error left any question unanswered

    @property
    def settings(self) -> Mapping[str, Any]:
        """The entailer's settings."""
        return self._batches.entailer.settings

    async def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Returns one judgment per question, in order."""
        judgments = await self._batches.judge(queries)
        self.passing |= any(judgment.passing for judgment in judgments)
        return judgments
