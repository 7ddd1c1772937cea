"""Opens the knowledge source against which facts are judged."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._evidence.listed_pages import ListedPages
from dfactscore.retrieval import RetrievalError, open_source

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


_WIKIPEDIA = re.compile(r"wikipedia(?::([a-z-]+))?")


def open_pages(
    # A mapping of titles to texts, a table, a file, a folder, a page store, `"wikipedia"` or
    # `"wikipedia:de"`, or a knowledge source.
    pages: Any,
    # A file of JSON lines `{title, target}`, used with a page database from the factscore package.
    redirects: Path | None = None,
    *,
    # Your email address or URL, which Wikipedia asks for; by default, `$DFACTSCORE_CONTACT`.
    contact: str | None = None,
    listed: Mapping[str, Collection[str]] | None = None,
) -> KnowledgeSource:
    """Opens a source of pages."""
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
    """The entries of an AmbigBio file, by name."""

    titles: Mapping[str, Collection[str]] | None = None
    outside: Mapping[str, Collection[str]] = field(default_factory=dict)
    snapshot: str = ""  # snapshot date of the file, or empty

    def recorded(self) -> dict[str, Any]:
        """Returns the manifest entry; it includes `outside` only if that is not empty."""
        titles = self.titles
        dataset = None if titles is None else {k: list(v) for k, v in titles.items()}
        outside = {k: list(v) for k, v in self.outside.items()}
        return {"dataset": dataset, **({"outside": outside} if outside else {})}


def open_dataset(path: Path | None, candidates: str) -> ListedNames:
    """Reads the entries of an AmbigBio file."""
    if path is None:
        if candidates == "dataset":
            raise InputError("--candidates dataset needs --dataset FILE (an AmbigBio file)")
        return ListedNames()
    from dfactscore import ambigbio

    loaded = ambigbio.load(path)
    titles = {n.name: [t for p in n.people for t in (p.title, *p.aliases)] for n in loaded.names}
    outside = {name.name: name.named for name in loaded.names if name.named}
    return ListedNames(titles, outside, loaded.header.snapshot)
