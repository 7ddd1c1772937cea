"""The built-in verifier: support judged from alignment features, without a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.claims import Claims, prepare_claims
from dfactscore.engines.builtin.verify.features import features
from dfactscore.engines.builtin.verify.model import DEFAULT_MODEL, load_model
from dfactscore.engines.builtin.verify.premise import Premise, prepare_premise
from dfactscore.errors import InputError
from dfactscore.records import Biography, Document, Entity, Evidence, Fact, Verdict

__all__ = ["BuiltinVerifier", "support_probabilities", "support_probability"]

_CACHED_CHARACTERS = 200_000  # longer pages are prepared anew each time, so that memory is bounded
_CELLS = 4_000_000  # words × sentences that are held at once


class BuiltinVerifier:
    """Judges facts by how their words, numbers, dates and names are found in the documents.

    English. No network, no key, no download; the same input gives the same bytes.

    Args:
        threshold: The probability from which a fact counts as supported; the model's own, chosen
            on its training names, where None.
        model: A coefficient file written by ``benchmarks/train_verifier.py``; the shipped one
            where None.

    Raises:
        InputError: If the threshold is not in [0, 1] or the model cannot be read.

    >>> page = Document("Ann Lee (swimmer)", "Ann Lee (1901–1980) was a Scottish swimmer.")
    >>> verifier = BuiltinVerifier()
    >>> facts = ["Ann Lee was born in 1901.", "Ann Lee played the violin."]
    >>> [bool(p >= verifier.threshold) for p in verifier.probabilities(facts, [page], "Ann Lee")]
    [True, False]
    """

    def __init__(self, *, threshold: float | None = None, model: str | Path | None = None) -> None:
        self._model = load_model(Path(model) if model is not None else DEFAULT_MODEL)
        self._threshold = self._model.threshold if threshold is None else float(threshold)
        if not 0.0 <= self._threshold <= 1.0:
            raise InputError(f"threshold {threshold} is not in [0, 1]")
        self._claims = lru_cache(maxsize=32)(self._prepare_claims)
        self._premise = lru_cache(maxsize=64)(prepare_premise)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The role's name, the coefficient file by its digest and the threshold."""
        return {
            "name": "builtin",
            "model": self._model.digest[:16],
            "threshold": self._threshold,
        }

    @property
    def english_only(self) -> bool:
        """Words, dates and names are compared as English writes them."""
        return True

    @property
    def threshold(self) -> float:
        """The probability from which a fact counts as supported."""
        return self._threshold

    def verify(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> list[Verdict]:
        """Judges facts against one entity's documents.

        Args:
            biography: Gives the target name, whose words neither support nor contradict.
            facts: Any number of facts.
            entity: With its documents; without any, nothing is supported.

        Returns:
            One verdict per fact, in order; the status follows from the rounded probability.
        """
        texts = tuple(fact.text for fact in facts)
        documents = tuple((document.title, document.text) for document in entity.documents)
        values, best, premise = self._judge(texts, documents, biography.name)
        spans = [Evidence(*span) for span in premise.spans]
        threshold = self._threshold
        return [
            Verdict(
                "supported" if value >= threshold else "not_supported",
                value,
                spans[place] if place >= 0 else None,
            )
            for value, place in zip(values.tolist(), best.tolist(), strict=True)
        ]

    def probabilities(
        self, facts: Sequence[str], documents: Sequence[Document | str], name: str = ""
    ) -> NDArray[np.float64]:
        """Returns the probability that the documents support each sentence, ``(facts,)``.

        Args:
            facts: Sentences.
            documents: Documents, or texts without a title.
            name: The target name where there is one.
        """
        pairs = tuple(
            ("", item) if isinstance(item, str) else (item.title, item.text) for item in documents
        )
        return self._judge(tuple(facts), pairs, name)[0]

    def _judge(
        self, facts: tuple[str, ...], documents: tuple[tuple[str, str], ...], name: str
    ) -> tuple[NDArray[np.float64], NDArray[np.intp], Premise]:
        size = sum(len(title) + len(text) for title, text in documents)
        prepare = self._premise if size <= _CACHED_CHARACTERS else prepare_premise
        premise = prepare(documents)
        tables, places = [], []
        for part in _parts(facts, len(premise.negated)):
            length = sum(map(len, part))
            claims = (
                self._claims(part, name)
                if length <= _CACHED_CHARACTERS
                else self._prepare_claims(part, name)
            )
            table, best = features(claims, premise)
            tables.append(self._model.probability(table))
            places.append(best)
        values = np.concatenate(tables) if tables else np.zeros(0)
        best = np.concatenate(places) if places else np.zeros(0, dtype=np.intp)
        if not premise.size:
            values = np.zeros(len(facts))
        values[[not any(map(str.isalnum, fact)) for fact in facts]] = 0.0
        return np.round(values, 6), best, premise

    def _prepare_claims(self, facts: tuple[str, ...], name: str) -> Claims:
        return prepare_claims(facts, name, self._model.idf)


def _parts(facts: tuple[str, ...], columns: int) -> Iterator[tuple[str, ...]]:
    """Cuts the facts into parts whose words × sentences stay within bounds."""
    room = max(1, _CELLS // max(1, columns) // 40)  # a fact has some 10 words, rarely 40
    for start in range(0, len(facts), room):
        yield facts[start : start + room]


@lru_cache(maxsize=1)
def _shared() -> BuiltinVerifier:
    return BuiltinVerifier()


def support_probabilities(
    facts: Sequence[str], texts: Sequence[Document | str], *, name: str = ""
) -> NDArray[np.float64]:
    """Returns the shipped model's probability that the texts support each sentence.

    Args:
        facts: Sentences.
        texts: What must support them, taken together: documents, or texts without a title.
        name: The name of whom they are about, which gives no support by itself.

    Returns:
        Shape ``(facts,)``, rounded to six digits.
    """
    return _shared().probabilities(facts, texts, name)


def support_probability(fact: str, texts: Sequence[Document | str], *, name: str = "") -> float:
    """Returns the shipped model's probability that the texts, taken together, support a sentence.

    See `support_probabilities`; `BuiltinVerifier().threshold` is where support begins.
    """
    return float(support_probabilities([fact], texts, name=name)[0])
