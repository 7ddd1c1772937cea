"""A knowledge source that also returns the titles a dataset lists for a name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._knowledge import KnowledgeSource, MissingPage


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
