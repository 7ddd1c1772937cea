"""Estimates with an NLI model whether one text contradicts another (extra ``[nli]``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dfactscore.engines._nli.loading import load_model

_BATCH = 8


class ContradictionModel:
    """A three-way NLI model from transformers."""

    def __init__(self, model: str | Path) -> None:
        self._model = load_model(
            model, form="pair", meaning="contradiction", device="cpu", dtype="float32"
        )

    @property
    def settings(self) -> Mapping[str, str]:
        """The model's name and hash."""
        return {"model": self._model.name, "sha256": self._model.digest}

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of texts, the probability that the second contradicts the first."""
        probabilities: list[float] = []
        for start in range(0, len(pairs), _BATCH):
            rows = self._model.encode(pairs[start : start + _BATCH])
            probabilities += self._model.probabilities(rows).tolist()
        return probabilities
