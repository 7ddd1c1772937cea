"""Entailment by a Hugging Face model: TRUE's T5, MiniCheck, or any NLI classifier."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import Log
from dfactscore.citations.entailment import Judgment, Query
from dfactscore.engines.nli.forms import Form
from dfactscore.engines.nli.judge import Asked, NLIJudge
from dfactscore.engines.nli.loading import Dtype
from dfactscore.errors import InputError

__all__ = ["TRUE_MODEL", "NLIEntailer"]

TRUE_MODEL = "google/t5_xxl_true_nli_mixture"
"""The 11-billion-parameter model that ALCE and the paper used."""
_WHOLE = 2048


class NLIEntailer:
    """Asks an entailment model whether the cited passages, read together, entail a sentence.

    The passages are one premise, each with its title, as ALCE puts them together. Where a premise
    is longer than the model reads, it is judged in parts of whole sentences, and the part that
    entails most counts.

    Args:
        model: A folder or a hub id; see `dfactscore.engines.nli.judge.NLIJudge`, also for what
            follows.
        threshold: From which probability a sentence counts as entailed.
        form: How the model is asked.
        label: Which of a classifier's outputs means entailment.
        chunk_tokens: Tokens of a part; fewer where the model reads less beside the sentence.
        chunks: Parts that are read for a sentence, the best by BM25; 0 for all.
        batch_tokens: Tokens in one call of the model.
        device: ``"auto"`` takes CUDA, then MPS, then the CPU.
        dtype: ``"auto"`` is bfloat16 on a CUDA device that has it, else float32.
        log: Called with what a person should know, one line at a time.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be used; the message says why and what to do.
    """

    def __init__(
        self,
        model: str | Path = TRUE_MODEL,
        *,
        threshold: float = 0.5,
        form: Form | None = None,
        label: int | None = None,
        chunk_tokens: int = _WHOLE,
        chunks: int = 0,
        batch_tokens: int | None = None,
        device: str = "auto",
        dtype: Dtype = "auto",
        log: Log | None = None,
    ) -> None:
        if not 0.0 <= threshold <= 1.0:
            raise InputError(f"threshold {threshold} is not in [0, 1]")
        self.threshold = float(threshold)
        self.model = NLIJudge(
            model,
            form=form,
            label=label,
            chunk_tokens=chunk_tokens,
            chunks=chunks,
            batch_tokens=batch_tokens,
            device=device,
            dtype=dtype,
            log=log,
        )

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model, how it is asked, and the threshold."""
        return {"entailer": "nli", **self.model.settings, "threshold": self.threshold}

    def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Judges in batches of similar length; a sentence longer than the model is unreadable."""
        asked = [Asked((query.sentence,), (_premise(query),)) for query in queries]
        return [self._judgment(found[0].probability) for found in self.model.judge(asked)]

    def _judgment(self, probability: float | None) -> Judgment:
        if probability is None or math.isnan(probability):
            return Judgment(None)
        return Judgment(probability >= self.threshold, probability)


def _premise(query: Query) -> str:
    return "\n".join(f"Title: {passage.title}\n{passage.text}" for passage in query.passages)
