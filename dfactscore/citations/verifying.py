"""Entailment by any of the toolkit's verifiers: a sentence is judged as a fact is."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.citations.entailment import Judgment, Query
from dfactscore.engines.protocols import Verifier
from dfactscore.records import Biography, Document, Entity, Fact, Verdict
from dfactscore.retrieval import Passage

__all__ = ["CITATION_THRESHOLD", "VerifierEntailer", "builtin_entailer"]

CITATION_THRESHOLD = 0.66
"""From which probability of the built-in verifier a sentence counts as entailed.

At this one (the threshold for facts also has to tell pages of one name apart) the
verifier calls as many cited sentences entailed as TRUE's T5-11B does (out of fold, on `nli_pairs`;
``benchmarks/citation_recall.py`` derives it).
"""


class VerifierEntailer:
    """Asks a verifier whether the cited passages, as one entity's documents, support a sentence.

    Args:
        verifier: The built-in one, an LLM's, or one's own.

    Example:
        >>> entailer = builtin_entailer()
        >>> passage = Passage("Ann Lee (swimmer)", "Ann Lee (1901–1980) was a Scottish swimmer.")
        >>> asked = [Query(s, (passage,), "Ann Lee") for s in ("She was Scottish.", "She sang.")]
        >>> [answer.entailed for answer in entailer.judge(asked)]
        [True, False]
    """

    def __init__(self, verifier: Verifier) -> None:
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
        answers = [
            self._verify([queries[i].sentence for i in places], passages, name)
            for (passages, name), places in groups.items()
        ]
        if any(inspect.isawaitable(a) for a in answers):
            return self._await(answers, list(groups.values()), len(queries))
        return _spread(answers, list(groups.values()), len(queries))

    def _verify(self, sentences: Sequence[str], passages: Sequence[Passage], name: str) -> Any:
        documents = tuple(Document(p.title, p.text) for p in passages)
        label = "; ".join(dict.fromkeys(p.title for p in passages))
        biography = Biography("", name, " ".join(sentences))
        facts = [Fact(s) for s in sentences]
        return self.verifier.verify(biography, facts, Entity(label, label, documents))

    async def _await(
        self, answers: Sequence[Any], places: Sequence[Sequence[int]], count: int
    ) -> list[Judgment]:
        return _spread(await asyncio.gather(*answers), places, count)


def builtin_entailer(threshold: float | None = None) -> VerifierEntailer:
    """The built-in verifier as an entailment model.

    Args:
        threshold: Another one than `CITATION_THRESHOLD`.

    Raises:
        InputError: If the threshold is not in [0, 1].
    """
    from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier

    chosen = CITATION_THRESHOLD if threshold is None else threshold
    return VerifierEntailer(BuiltinVerifier(threshold=chosen))


def _spread(
    answers: Sequence[Sequence[Verdict]], places: Sequence[Sequence[int]], count: int
) -> list[Judgment]:
    found: dict[int, Judgment] = {}
    for verdicts, indices in zip(answers, places, strict=True):
        for index, verdict in zip(indices, verdicts, strict=True):
            readable = verdict.status in ("supported", "not_supported")
            found[index] = Judgment(
                verdict.status == "supported" if readable else None, verdict.probability
            )
    return [found[i] for i in range(count)]
