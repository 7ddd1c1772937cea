"""Opens what the facts are judged against."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore.errors import InputError

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource

__all__ = ["open_dataset", "open_pages"]


def open_pages(pages: Any, redirects: Path | None = None) -> KnowledgeSource:
    """Opens whatever holds the pages.

    Args:
        pages: A mapping of title to text or texts, a file, a folder, a page store or a knowledge
            source.
        redirects: JSON lines ``{title, target}``, for a page database of the factscore package.

    Raises:
        InputError: If nothing usable is there.
    """
    from dfactscore.retrieval import RetrievalError, open_source

    try:
        return open_source(pages, redirects=redirects)
    except RetrievalError as error:
        raise InputError(f"pages: {error}") from None


def open_dataset(path: Path | None, candidates: str) -> tuple[dict[str, list[str]] | None, str]:
    """Titles of each name's people, from an AmbigBio file, and its snapshot date.

    Raises:
        InputError: If the candidates are to come from a dataset and none is given.
    """
    if path is None:
        if candidates == "dataset":
            raise InputError("--candidates dataset needs --dataset FILE (an AmbigBio file)")
        return None, ""
    from dfactscore import ambigbio

    loaded = ambigbio.load(path)
    titles = {n.name: [t for p in n.people for t in (p.title, *p.aliases)] for n in loaded.names}
    return titles, loaded.header.snapshot
