"""Entailment judged by a Hugging Face model: TRUE's T5, MiniCheck, or any NLI classifier."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore.citations._entailment import Judgment, Query
from dfactscore.engines._nli.judge import FactsAndTexts, JudgeOptions, NLIJudge

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
