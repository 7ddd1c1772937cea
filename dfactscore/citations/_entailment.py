"""Entailment models: their protocol, Hugging Face models, verifiers, and large calls."""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore._util.tasks import resolve, together, typed_answers
from dfactscore.engines._answers import checked_verdicts
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._nli.judge import FactsAndTexts, JudgeOptions, NLIJudge
from dfactscore.engines._roles import Verifier, as_role
from dfactscore.retrieval import Passage
from dfactscore.work import Asked
from dfactscore.work._work import all_asked

if TYPE_CHECKING:
    from typing_extensions import Unpack


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


TRUE_MODEL = "google/t5_xxl_true_nli_mixture"
"""The 11-billion-parameter model that ALCE and the paper used."""
_WHOLE = 2048


class NLIEntailer:
    """Asks an entailment model whether the cited passages together entail a sentence.

    The premise consists of the passages and their titles, as in ALCE. A premise that is too long
    for the model is split between sentences, and the part with the highest probability decides.
    """

    def __init__(self, model: str | Path = TRUE_MODEL, **options: Unpack[JudgeOptions]) -> None:
        options.setdefault("chunk_tokens", _WHOLE)
        options.setdefault("chunks", 0)
        self.model = NLIJudge(model, **options)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model, the format of its questions, and the threshold."""
        return {"entailer": "nli", **self.model.settings}

    def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Judges in batches of similar length; a sentence that does not fit is unreadable."""
        pairs = [FactsAndTexts((query.sentence,), (_premise(query),)) for query in queries]
        return [self._judgment(scores[0].probability) for scores in self.model.judge(pairs)]

    def _judgment(self, probability: float | None) -> Judgment:
        if probability is None or math.isnan(probability):
            return Judgment(None)
        return Judgment(probability >= self.model.threshold, probability)


def _premise(query: Query) -> str:
    return "\n".join(f"Title: {passage.title}\n{passage.text}" for passage in query.passages)


_Call = tuple[Biography, list[Fact], Entity]


class VerifierEntailer:
    """Asks a verifier whether cited passages, taken as one entity's documents, support a sentence.

    Example:
        >>> entailer = builtin_entailer()
        >>> passage = Passage("Ann Lee (swimmer)", "Ann Lee (1901–1980) was a Scottish swimmer.")
        >>> asked = [Query(s, (passage,), "Ann Lee") for s in ("She was Scottish.", "She sang.")]
        >>> [answer.entailed for answer in entailer.judge(asked)]
        [True, False]
    """

    def __init__(self, verifier: Verifier) -> None:
        self.verifier: Verifier = as_role(verifier, Verifier, "verifier")

    @property
    def settings(self) -> Mapping[str, Any]:
        """The verifier's settings."""
        return {"entailer": "verifier", **self.verifier.settings}

    def judge(self, queries: Sequence[Query]) -> Any:
        """Judges sentences with the same passages together; awaitable if the verifier's is."""
        groups = _calls(queries)
        answers = [self.verifier.verify(*call) for _, call in groups]
        if not any(map(inspect.isawaitable, answers)):
            return self._spread(answers, groups)

        async def waited() -> list[Judgment]:
            return self._spread(await together(map(resolve, answers)), groups)

        return waited()

    async def asks(self, queries: Sequence[Query]) -> AsyncIterator[Asked]:
        """Returns the requests that `judge` would send to a model."""
        free = Asked("entailment", str(self.verifier.settings.get("name", "")))
        for _, (biography, facts, entity) in _calls(queries):
            requests = await all_asked(self.verifier.asks(biography, [(facts, entity)]))
            for request in requests or (free,):
                yield request

    def _spread(
        self, answers: Sequence[Any], groups: Sequence[tuple[list[int], _Call]]
    ) -> list[Judgment]:
        """Returns one judgment per question, in the order of the questions."""
        judgments = {}
        for answer, (places, (_, facts, entity)) in zip(answers, groups, strict=True):
            verdicts = checked_verdicts(answer, self.verifier, len(facts), entity)
            for index, verdict in zip(places, verdicts, strict=True):
                readable = verdict.status in ("supported", "not_supported")
                judgments[index] = Judgment(
                    verdict.status == "supported" if readable else None,
                    verdict.probability,
                    passing=verdict.status == "error",
                )
        return [judgments[i] for i in range(len(judgments))]


def _calls(queries: Sequence[Query]) -> list[tuple[list[int], _Call]]:
    """Returns one call for all sentences with the same passages, and the sentences' indices."""
    groups: dict[tuple[tuple[Passage, ...], str], list[int]] = {}
    for index, query in enumerate(queries):
        groups.setdefault((query.passages, query.name), []).append(index)
    return [
        (places, _call([queries[i].sentence for i in places], passages, name))
        for (passages, name), places in groups.items()
    ]


def _call(sentences: Sequence[str], passages: Sequence[Passage], name: str) -> _Call:
    documents = tuple(Document(p.title, p.text) for p in passages)
    label = "; ".join(dict.fromkeys(p.title for p in passages))
    facts = [Fact(s) for s in sentences]
    return Biography("", name, " ".join(sentences)), facts, Entity(label, label, documents)


def builtin_entailer(threshold: float | None = None) -> VerifierEntailer:
    """Creates an entailment model from the built-in verifier.

    With the default threshold, the share of entailed sentences is the same as with TRUE's T5-11B
    model. The threshold for facts is different because judging facts also means distinguishing
    people who share a name.
    """
    return VerifierEntailer(BuiltinVerifier(threshold=threshold, evidence="citation"))
