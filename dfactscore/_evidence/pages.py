"""Opens the knowledge source against which facts are judged."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore.retrieval import RetrievalError, open_source
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._knowledge import KnowledgeSource, MissingPage

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


class ListedPages(KnowledgeSource):
    """A knowledge source whose titles for a name include those listed in a dataset."""

    def __init__(self, source: KnowledgeSource, listed: Mapping[str, Collection[str]]) -> None:
        self._source = source
        self._listed = listed

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._source, name)

    @property
    def snapshot(self) -> str:
        """The snapshot date of the source."""
        return self._source.snapshot

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns the documents with a given title, in order; empty if the title is missing."""
        return self._source.documents(title)

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles that bear a name, followed by the other titles the dataset lists."""
        listed = (self._source.documents(title) for title in self._listed.get(name, ()))
        others = (pages[0].title for pages in listed if pages)
        return tuple(dict.fromkeys([*self._source.titles_for(name), *others]))

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page with a given title, or a `MissingPage` that suggests similar titles."""
        return self._source.lookup(title)

    def lookup_many(self, titles: Sequence[str]) -> list[Page | MissingPage]:
        """Looks up several titles and returns the pages in the same order."""
        return self._source.lookup_many(titles)

    def describe(self) -> dict[str, Any]:
        """Returns the source's entry for the manifest; the dataset has a separate entry."""
        return self._source.describe()
