"""Opens the knowledge source that facts are judged against."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._evidence.with_listed import ListedPages
from dfactscore.retrieval import RetrievalError, open_source

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


_WIKIPEDIA = re.compile(r"wikipedia(?::([a-z-]+))?")


def open_pages(
    pages: Any,
    redirects: Path | None = None,
    *,
    contact: str | None = None,
    listed: Mapping[str, Collection[str]] | None = None,
) -> KnowledgeSource:
    """Opens whatever holds the pages.

    Args:
        pages: A mapping of title to text or texts, a table, a file, a folder, a page store,
            ``"wikipedia"`` or ``"wikipedia:de"``, or a knowledge source.
        redirects: JSON lines ``{title, target}``, for a page database of the factscore package.
        contact: Mail address or URL of whoever asks Wikipedia; ``$DFACTSCORE_CONTACT`` by default.
        listed: Titles that a dataset lists for each name, besides those that bear it.

    Raises:
        InputError: If nothing usable is there.
    """
    if listed:
        return ListedPages(open_pages(pages, redirects, contact=contact), listed)
    wiki = _WIKIPEDIA.fullmatch(str(pages)) if isinstance(pages, (str, Path)) else None
    if wiki and not Path(pages).exists():
        return _open_wikipedia(wiki[1] or "en", contact or os.environ.get("DFACTSCORE_CONTACT"))

    try:
        return open_source(pages, redirects=redirects)
    except RetrievalError as error:
        raise InputError(f"pages: {error}") from None


def _open_wikipedia(language: str, contact: str | None) -> KnowledgeSource:
    try:
        from dfactscore.ambigbio._wikipedia_source import WikipediaSource
    except ImportError:
        raise MissingExtraError("Reading Wikipedia", "wikipedia") from None
    from dfactscore.ambigbio._errors import AmbigBioError

    try:
        return WikipediaSource(language, contact=contact)
    except AmbigBioError as error:
        more = "" if contact else ", or set DFACTSCORE_CONTACT"
        raise InputError(f"pages: {error}{more}") from None


@dataclass(frozen=True)
class ListedNames:
    """Entries of an AmbigBio file under each name.

    Attributes:
        titles: Titles of the people's pages and redirects; None without a file.
        outside: Lines about bearers without a page, for names that have any.
        snapshot: Day that the file is of, or empty.
    """

    titles: Mapping[str, Collection[str]] | None = None
    outside: Mapping[str, Collection[str]] = field(default_factory=dict)
    snapshot: str = ""

    def recorded(self) -> dict[str, Any]:
        """Its entry in the manifest; `outside` only where there is any."""
        titles = self.titles
        dataset = None if titles is None else {k: list(v) for k, v in titles.items()}
        outside = {k: list(v) for k, v in self.outside.items()}
        return {"dataset": dataset, **({"outside": outside} if outside else {})}


def open_dataset(path: Path | None, candidates: str) -> ListedNames:
    """Entries of an AmbigBio file under each name.

    Raises:
        InputError: If the candidates are to come from a dataset and none is given.
    """
    if path is None:
        if candidates == "dataset":
            raise InputError("--candidates dataset needs --dataset FILE (an AmbigBio file)")
        return ListedNames()
    from dfactscore import ambigbio

    loaded = ambigbio.load(path)
    titles = {n.name: [t for p in n.people for t in (p.title, *p.aliases)] for n in loaded.names}
    outside = {name.name: name.named for name in loaded.names if name.named}
    return ListedNames(titles, outside, loaded.header.snapshot)
