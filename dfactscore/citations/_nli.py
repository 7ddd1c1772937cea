"""Entailment by a Hugging Face model: TRUE's T5, MiniCheck, or any NLI classifier."""

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
    """Asks an entailment model whether the cited passages, read together, entail a sentence.

    The passages are one premise, each with its title, as ALCE puts them together. A premise
    that is longer than the model's input is judged in parts of whole sentences, and the part that
    entails most counts.

    Args:
        model: A folder or a hub id.
        options: See `NLIJudge`; if they are not given, a part has up
            to 2,048 tokens, and all parts are read.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be used; the message says why and what to do.
    """

    def __init__(self, model: str | Path = TRUE_MODEL, **options: Unpack[JudgeOptions]) -> None:
        options.setdefault("chunk_tokens", _WHOLE)
        options.setdefault("chunks", 0)
        self.model = NLIJudge(model, **options)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model, how it is asked, and the threshold."""
        return {"entailer": "nli", **self.model.settings}

    def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Judges in batches of similar length; a sentence longer than the model is unreadable."""
        asked = [FactsAndTexts((query.sentence,), (_premise(query),)) for query in queries]
        return [self._judgment(found[0].probability) for found in self.model.judge(asked)]

    def _judgment(self, probability: float | None) -> Judgment:
        if probability is None or math.isnan(probability):
            return Judgment(None)
        return Judgment(probability >= self.model.threshold, probability)


def _premise(query: Query) -> str:
    return "\n".join(f"Title: {passage.title}\n{passage.text}" for passage in query.passages)
