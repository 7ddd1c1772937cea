"""Selects the passages from an entity's documents to include in a call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dfactscore._records import Entity
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._llm.roles.prompts import flat
from dfactscore.linking import Evidence
from dfactscore.retrieval._page_bm25 import PageBM25

PASSAGE_WORDS = 100
PASSAGE_CHARS = 1500


@lru_cache(maxsize=256)
def passages_of(entity: Entity) -> tuple[str, ...]:
    """Splits an entity's documents into passages of at most 100 words and 1,500 characters."""
    passages: list[str] = []
    for document in entity.documents:
        words = flat(document.text).split(" ")
        for start in range(0, len(words), PASSAGE_WORDS):
            passage = " ".join(words[start : start + PASSAGE_WORDS])
            # Chinese and Japanese have no spaces, and a whole page must not become one passage.
            cuts = range(0, len(passage), PASSAGE_CHARS)
            passages.extend(passage[cut : cut + PASSAGE_CHARS] for cut in cuts)
    return tuple(passages)


@lru_cache(maxsize=64)
def _index(passages: tuple[str, ...]) -> PageBM25:

    return PageBM25(passages)


def select_passages(
    entity: Entity, queries: Sequence[str], *, per_query: int, at_most: int
) -> tuple[str, ...]:
    """Selects the best passages for each fact by BM25, in page order."""
    passages = passages_of(entity)
    limit = min(at_most, per_query * len(queries))
    if len(passages) <= limit:
        return passages
    ranked = _index(passages).select_many(queries, per_query)
    chosen: dict[int, None] = {}
    for rank in range(per_query):
        for order in ranked:
            if rank < len(order) and len(chosen) < limit:
                chosen.setdefault(order[rank])
    return tuple(passages[position] for position in sorted(chosen))


def quotable(entity: Entity, passages: Sequence[str]) -> list[tuple[Evidence, str]]:
    """Returns the sentences of an entity's documents that lie within `passages`, and their places.

    Sentences that extend beyond a passage are omitted unless all passages are given.
    """
    text = " ".join(passages)
    every = len(passages) == len(passages_of(entity))
    return [
        (Evidence(number, sentence.start, sentence.end), line)
        for number, document in enumerate(entity.documents)
        for sentence in split_sentences(document.text)
        if (line := flat(sentence.text)) and (every or line in text)
    ]
