"""Uses a verifier as an entailment model, judging each sentence like a fact."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore._util.role_answers import resolve
from dfactscore._util.tasks import together
from dfactscore.citations._entailment import Judgment, Query
from dfactscore.engines._answers import checked_verdicts
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Verifier, as_role
from dfactscore.retrieval import Passage
from dfactscore.work import Asked
from dfactscore.work._asks import all_asked

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
