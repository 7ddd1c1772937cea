"""Entailment by any of the toolkit's verifiers: a sentence is judged as a fact is."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._util.answers import resolve
from dfactscore._util.tasks import together
from dfactscore.asking.asked import asked_of
from dfactscore.citations.entailment import Judgment, Query
from dfactscore.engines.answers import checked_verdicts
from dfactscore.engines.protocols import Verifier, check_role
from dfactscore.records import Biography, Document, Entity, Fact
from dfactscore.retrieval import Passage
from dfactscore.work import Asked

__all__ = ["CITATION_THRESHOLD", "VerifierEntailer", "builtin_entailer"]

_Call = tuple[Biography, list[Fact], Entity]

CITATION_THRESHOLD = 0.81
"""From which probability of the built-in verifier a sentence counts as entailed.

At this one (the threshold for facts also has to tell pages of one name apart) the
verifier calls as many cited sentences entailed as TRUE's T5-11B does (out of fold, on `nli_pairs`;
``benchmarks/citation_recall.py`` derives it).
"""


class VerifierEntailer:
    """Asks a verifier whether the cited passages, as one entity's documents, support a sentence.

    Args:
        verifier: The built-in one, an LLM's, or one's own.

    Raises:
        InputError: If it is not a verifier.

    Example:
        >>> entailer = builtin_entailer()
        >>> passage = Passage("Ann Lee (swimmer)", "Ann Lee (1901–1980) was a Scottish swimmer.")
        >>> asked = [Query(s, (passage,), "Ann Lee") for s in ("She was Scottish.", "She sang.")]
        >>> [answer.entailed for answer in entailer.judge(asked)]
        [True, False]
    """

    def __init__(self, verifier: Verifier) -> None:
        check_role(verifier, Verifier, "verifier")
        self.verifier = verifier

    @property
    def settings(self) -> Mapping[str, Any]:
        """The verifier's settings."""
        return {"entailer": "verifier", **self.verifier.settings}

    def judge(self, queries: Sequence[Query]) -> Any:
        """Judges sentences that share their passages together; awaitable if the verifier is."""
        groups: dict[tuple[tuple[Passage, ...], str], list[int]] = {}
        for index, query in enumerate(queries):
            groups.setdefault((query.passages, query.name), []).append(index)
        calls = [
            _call([queries[i].sentence for i in places], passages, name)
            for (passages, name), places in groups.items()
        ]
        answers = [self.verifier.verify(*call) for call in calls]
        if any(inspect.isawaitable(a) for a in answers):
            return self._await(answers, calls, list(groups.values()))
        return self._spread(answers, calls, list(groups.values()))

    def asks(self, queries: Sequence[Query]) -> Iterator[Asked]:
        """What `judge` would ask a language model; a verifier without one is asked, and is free."""
        requests = getattr(self.verifier, "requests", None)
        for sentences, passages, name in _grouped(queries):
            call = _call(sentences, passages, name)
            if requests is None:
                yield Asked("entailment", str(self.verifier.settings.get("name", "")))
                continue
            client: Any = getattr(self.verifier, "client", None)
            for request in requests(*call):
                yield from asked_of(client, request, 4 + 6 * len(sentences))

    async def _await(
        self, answers: Sequence[Any], calls: Sequence[_Call], places: Sequence[Sequence[int]]
    ) -> list[Judgment]:
        found = await together(map(resolve, answers))
        return self._spread(found, calls, places)

    def _spread(
        self, answers: Sequence[Any], calls: Sequence[_Call], places: Sequence[Sequence[int]]
    ) -> list[Judgment]:
        """One judgment a question, in the order of the questions."""
        found = {}
        for answer, (_, facts, entity), indices in zip(answers, calls, places, strict=True):
            verdicts = checked_verdicts(answer, self.verifier, len(facts), entity)
            for index, verdict in zip(indices, verdicts, strict=True):
                readable = verdict.status in ("supported", "not_supported")
                found[index] = Judgment(
                    verdict.status == "supported" if readable else None,
                    verdict.probability,
                    passing=verdict.status == "error",
                )
        return [found[i] for i in range(len(found))]


def _grouped(queries: Sequence[Query]) -> Iterator[tuple[list[str], tuple[Passage, ...], str]]:
    """Sentences that share their passages, together."""
    groups: dict[tuple[tuple[Passage, ...], str], list[str]] = {}
    for query in queries:
        groups.setdefault((query.passages, query.name), []).append(query.sentence)
    yield from ((sentences, passages, name) for (passages, name), sentences in groups.items())


def _call(sentences: Sequence[str], passages: Sequence[Passage], name: str) -> _Call:
    documents = tuple(Document(p.title, p.text) for p in passages)
    label = "; ".join(dict.fromkeys(p.title for p in passages))
    facts = [Fact(s) for s in sentences]
    return Biography("", name, " ".join(sentences)), facts, Entity(label, label, documents)


def builtin_entailer(threshold: float | None = None) -> VerifierEntailer:
    """The built-in verifier as an entailment model.

    Args:
        threshold: Another one than `CITATION_THRESHOLD`.

    Raises:
        InputError: If the threshold is not in [0, 1].
    """
    from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier

    chosen = CITATION_THRESHOLD if threshold is None else threshold
    return VerifierEntailer(BuiltinVerifier(threshold=chosen, evidence="citation"))
