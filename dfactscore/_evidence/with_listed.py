"""A knowledge source combined with the people that a dataset lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._knowledge import KnowledgeSource, MissingPage


class ListedPages(KnowledgeSource):
    """A source whose titles of a name are also those that a dataset lists for it.

    Args:
        source: The pages.
        listed: Titles by name.
    """

    def __init__(self, source: KnowledgeSource, listed: Mapping[str, Collection[str]]) -> None:
        self._source = source
        self._listed = listed

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._source, name)

    @property
    def snapshot(self) -> str:
        """The date of the source's contents."""
        return self._source.snapshot

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document filed under a title, in order; none if it is missing."""
        return self._source.documents(title)

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles that bear a name, then the others that the dataset lists for it."""
        listed = (self._source.documents(title) for title in self._listed.get(name, ()))
        others = (pages[0].title for pages in listed if pages)
        return tuple(dict.fromkeys([*self._source.titles_for(name), *others]))

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page of a title, or what is near it."""
        return self._source.lookup(title)

    def lookup_many(self, titles: Sequence[str]) -> list[Page | MissingPage]:
        """Looks up several titles, answers in their order."""
        return self._source.lookup_many(titles)

    def describe(self) -> dict[str, Any]:
        """Returns the manifest's entry on the source; the dataset has an entry of its own."""
        return self._source.describe()
