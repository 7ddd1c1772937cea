"""Passages for names from an index, with the paper's query (section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dfactscore.generation.request import Request

__all__ = ["retrieve"]


def retrieve(requests: Sequence[Request], index: str | Path, *, top: int = 5) -> list[Request]:
    """Finds the passages for each name.

    Args:
        requests: Names.
        index: An index folder that ``dfactscore index build`` made.
        top: Passages for each; the paper takes five.

    Returns:
        The requests with their passages, best first.

    Raises:
        RetrievalError: If the folder cannot be searched.
    """
    from dfactscore.retrieval.retriever import Retriever

    retriever = Retriever(index)
    try:
        found = retriever.search_names([r.name for r in requests], top)
    finally:
        retriever.close()
    return [
        replace(request, passages=tuple(hit.passage for hit in hits))
        for request, hits in zip(requests, found, strict=True)
    ]
