"""Selection of the passages of an entity's documents for a call."""

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
    """All passages of an entity's documents, in order, about 100 words each.

    None has more than 1,500 characters, whatever it is made of.
    """
    passages: list[str] = []
    for document in entity.documents:
        words = flat(document.text).split(" ")
        for start in range(0, len(words), PASSAGE_WORDS):
            passage = " ".join(words[start : start + PASSAGE_WORDS])
            # Chinese or Japanese has no blanks, and a page of it must not become one passage.
            cuts = range(0, len(passage), PASSAGE_CHARS)
            passages.extend(passage[cut : cut + PASSAGE_CHARS] for cut in cuts)
    return tuple(passages)


@lru_cache(maxsize=64)
def _index(passages: tuple[str, ...]) -> PageBM25:

    return PageBM25(passages)


def select_passages(
    entity: Entity, queries: Sequence[str], *, per_query: int, at_most: int
) -> tuple[str, ...]:
    """The passages that matter for some facts: the best of each by BM25, in page order.

    Args:
        entity: The entity of the documents.
        queries: The facts.
        per_query: Passages taken for each fact, best first.
        at_most: Maximum number of passages in all; rank by rank over the facts until they are full.

    Returns:
        All passages where there are no more than allowed.
    """
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


def quotable(entity: Entity, shown: Sequence[str]) -> list[tuple[Evidence, str]]:
    """The sentences of an entity's documents that are in some passages, with their places.

    A sentence that is cut where the passages end is left out.

    Args:
        entity: The entity of the documents.
        shown: Passages as `select_passages` gives them.
    """
    text = " ".join(shown)
    every = len(shown) == len(passages_of(entity))
    return [
        (Evidence(number, sentence.start, sentence.end), line)
        for number, document in enumerate(entity.documents)
        for sentence in split_sentences(document.text)
        if (line := flat(sentence.text)) and (every or line in text)
    ]
