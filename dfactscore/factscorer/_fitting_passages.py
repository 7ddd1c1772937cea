"""Judges facts against the best passages of a page, as the ``factscore`` package does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._util.jsonl import read_json
from dfactscore.engines._answers import verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.work import Asks

_PASSAGES = 5  # passages per fact


class PassageVerifier(Verifier):
    """Judges each fact against the page's passages that BM25 ranks best for topic and fact."""

    def __init__(
        self,
        inner: Verifier,
        *,
        worst_first: bool = False,
        known: Mapping[str, Sequence[Document]] | None = None,
    ) -> None:
        self.inner = inner
        self._worst_first = worst_first
        self._known = known or {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the inner verifier and of the passage selection."""
        return {
            **self.inner.settings,
            "top_passages": _PASSAGES,
            "worst_first": self._worst_first,
            "retrieval": "reused" if self._known else "bm25",
        }

    @property
    def threshold(self) -> float | None:
        """The threshold of the inner verifier."""
        return self.inner.threshold

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact; evidence refers to the documents of the page."""
        questions, indices = self.questions(biography, facts, entity)
        rows = await verify_together(self.inner, biography, questions)
        return [row[0].moved(places) for row, places in zip(rows, indices, strict=True)]

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """The requests that the inner verifier would send for each fact and its passages."""
        questions = [self.questions(biography, facts, entity)[0] for facts, entity in pairs]
        return self.inner.asks(biography, [pair for row in questions for pair in row])

    def questions(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> tuple[list[tuple[Sequence[Fact], Entity]], list[list[int]]]:
        """The inner verifier's input for each fact, and the indices of the fact's passages."""
        texts = [document.text for document in entity.documents]
        queries = [f"{biography.name} {fact.text}" for fact in facts]
        ranked = PageBM25(texts).select_many(queries, _PASSAGES) if texts else [[]] * len(facts)
        pairs: list[tuple[Sequence[Fact], Entity]] = []
        indices: list[list[int]] = []
        for fact, query, order in zip(facts, queries, ranked, strict=True):
            passages = self._known.get(f"{biography.name}#{query}")
            if passages is not None:
                evidence = replace(entity, documents=tuple(passages))
                indices.append([])
            else:
                order = order[::-1] if self._worst_first else order
                evidence = replace(entity, documents=tuple(entity.documents[i] for i in order))
                indices.append(list(order))
            pairs.append(([fact], evidence))
        return pairs, indices


def read_retrieval(path: Path) -> dict[str, tuple[Document, ...]]:
    """Reads the passages in ``retrieval-NAME.json``, written by the ``factscore`` package."""
    content = read_json(path, error=InputError)
    problem = InputError(f"{path}: expected passages {{title, text}} by 'topic#topic fact'")
    if not isinstance(content, dict):
        raise problem
    known: dict[str, tuple[Document, ...]] = {}
    for key, passages in content.items():
        if not isinstance(passages, list) or not all(
            isinstance(p, dict) and isinstance(p.get("text"), str) for p in passages
        ):
            raise problem
        # The passages contain the original database's markers ``<s>`` and ``</s>``.
        known[key] = tuple(
            Document(str(p.get("title") or ""), " ".join(_plain(p["text"]).split()))
            for p in passages
        )
    return known


def _plain(text: str) -> str:
    return text.replace("<s>", " ").replace("</s>", " ")
