"""Loads the names to write about and their passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._errors import InputError
from dfactscore.generation._request import Request
from dfactscore.generation._request_files import read_names, read_requests
from dfactscore.retrieval._retriever import Retriever

if TYPE_CHECKING:
    from dfactscore.generation._config import NamesSettings


def load_requests(settings: NamesSettings) -> list[Request]:
    """Loads names with their passages, from a file or an index."""
    names, top = settings.names, settings.top
    if settings.index is not None:
        if names is None:
            raise InputError("generate: --index needs --names FILE")
        return retrieve(read_names(names)[: settings.limit], settings.index, top=top)
    if settings.passages is None:
        raise InputError("generate: give --index DIR with --names FILE, or --passages FILE")
    requests = {
        r.name: replace(r, passages=r.passages[:top]) for r in read_requests(settings.passages)
    }
    if names is None:
        return list(requests.values())[: settings.limit]
    return [requests.get(r.name, r) for r in read_names(names)][: settings.limit]


def retrieve(requests: Sequence[Request], index: str | Path, *, top: int = 5) -> list[Request]:
    """Finds the passages for each name.

    Args:
        requests: The names.
        index: An index folder created by ``dfactscore index build``.
        top: The number of passages per name; the paper uses five.

    Returns:
        The requests with their passages, best first.

    Raises:
        RetrievalError: If the folder cannot be searched.
    """
    retriever = Retriever(index)
    try:
        results = retriever.search_names([r.name for r in requests], top)
    finally:
        retriever.close()
    return [
        replace(request, passages=tuple(hit.passage for hit in hits))
        for request, hits in zip(requests, results, strict=True)
    ]
