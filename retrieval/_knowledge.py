"""Interface for knowledge sources, which provide documents by title."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._normalize import near_titles


@dataclass(frozen=True, slots=True)
class MissingPage:
    """Result of looking up a title that a source does not contain; returned, not raised."""

    title: str
    near: tuple[str, ...] = ()  # similar titles to suggest; they are never looked up automatically

    @property
    def reason(self) -> str:
        """A message that gives the missing title and similar titles."""
        near = f"; near titles: {', '.join(self.near)}" if self.near else ""
        return f"no page '{self.title}'{near}"


@runtime_checkable
class KnowledgeSource(Protocol):
    """Provides documents by title; subclasses need only define `documents` and `titles_for`.

    A class that is not a subclass must implement all members of this protocol. The sources in this
    package look for the exact title, then among the redirects, then for the title's normal form
    (`dfactscore.retrieval._normalize.normalize_title`). They never choose a page by similarity.
    """

    @property
    def snapshot(self) -> str:
        """The date of the texts (ISO 8601), or empty if unknown, which is the default."""
        return ""

    @abstractmethod
    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document with the given title, in order; empty if the title is missing."""

    @abstractmethod
    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles that bear a name (see `dfactscore.linking.bears_name`), best first."""

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page with a title (its documents joined), or a `MissingPage`."""
        pages = self.documents(title)
        return join_pages(pages) if pages else MissingPage(title)

    def lookup_many(self, titles: Sequence[str]) -> list[Page | MissingPage]:
        """Looks up several titles and returns the results in the same order."""
        return [self.lookup(title) for title in titles]

    def describe(self) -> dict[str, Any]:
        """Returns the manifest entry; by default, the class name and the snapshot date."""
        return {"kind": type(self).__name__, "snapshot": self.snapshot}


class SortedSource(KnowledgeSource):
    """A source with sorted titles, which suggests similar titles when one is missing."""

    @abstractmethod
    def _scan(self, prefix: str, count: int) -> list[str]:
        """Returns the first `count` titles that begin with a prefix."""

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page with a title (documents joined), or a `MissingPage` with suggestions."""
        pages = self.documents(title)
        return join_pages(pages) if pages else MissingPage(title, near_titles(title, self._scan))


def join_pages(pages: Sequence[Page]) -> Page:
    """Joins the documents that share a title into one page, separated by blank lines."""
    first = pages[0]
    if len(pages) == 1:
        return first
    redirects = dict.fromkeys(title for page in pages for title in page.redirects)
    return replace(first, text="\n\n".join(page.text for page in pages), redirects=tuple(redirects))
