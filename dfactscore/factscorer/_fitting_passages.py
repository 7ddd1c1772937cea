"""Facts against the passages of a page that fit them best, as the ``factscore`` package does."""

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

_PASSAGES = 5  # for each fact


class PassageVerifier(Verifier):
    """Gives each fact the passages of its page that BM25 ranks best for topic and fact.

    Args:
        inner: Judges.
        worst_first: The best one last, next to the question, as in the old prompts.
        known: Passages that were found before, by ``"topic#topic fact"``.
    """

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
        """The inner verifier's, and how passages are chosen."""
        return {
            **self.inner.settings,
            "top_passages": _PASSAGES,
            "worst_first": self._worst_first,
            "retrieval": "reused" if self._known else "bm25",
        }

    @property
    def threshold(self) -> float | None:
        """The inner verifier's."""
        return self.inner.threshold

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order; places are those of the page."""
        asked, homes = self.questions(biography, facts, entity)
        rows = await verify_together(self.inner, biography, asked)
        return [row[0].moved(home) for row, home in zip(rows, homes, strict=True)]

    def asks(self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Requests of the inner verifier about each fact with its passages."""
        questions = [self.questions(biography, facts, entity)[0] for facts, entity in asked]
        return self.inner.asks(biography, [pair for row in questions for pair in row])

    def questions(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> tuple[list[tuple[Sequence[Fact], Entity]], list[list[int]]]:
        """The inner verifier's inputs for each fact, and the place of its passages."""
        texts = [document.text for document in entity.documents]
        queries = [f"{biography.name} {fact.text}" for fact in facts]
        ranked = PageBM25(texts).select_many(queries, _PASSAGES) if texts else [[]] * len(facts)
        asked: list[tuple[Sequence[Fact], Entity]] = []
        homes: list[list[int]] = []
        for fact, query, order in zip(facts, queries, ranked, strict=True):
            found = self._known.get(f"{biography.name}#{query}")
            if found is not None:
                kept = replace(entity, documents=tuple(found))
                homes.append([])
            else:
                order = order[::-1] if self._worst_first else order
                kept = replace(entity, documents=tuple(entity.documents[i] for i in order))
                homes.append(list(order))
            asked.append(([fact], kept))
        return asked, homes


def read_retrieval(path: Path) -> dict[str, tuple[Document, ...]]:
    """Reads the passages that the ``factscore`` package kept: ``retrieval-NAME.json``.

    Raises:
        InputError: If it is something else.
    """
    found = read_json(path, error=InputError)
    problem = InputError(f"{path}: expected passages {{title, text}} by 'topic#topic fact'")
    if not isinstance(found, dict):
        raise problem
    known: dict[str, tuple[Document, ...]] = {}
    for key, passages in found.items():
        if not isinstance(passages, list) or not all(
            isinstance(p, dict) and isinstance(p.get("text"), str) for p in passages
        ):
            raise problem
        # The old files keep the markers of their database within the passages.
        known[key] = tuple(
            Document(str(p.get("title") or ""), " ".join(_plain(p["text"]).split()))
            for p in passages
        )
    return known


def _plain(text: str) -> str:
    return text.replace("<s>", " ").replace("</s>", " ")
