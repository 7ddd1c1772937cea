"""The protocol of knowledge sources: documents by title."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._normalize import near_titles


@dataclass(frozen=True, slots=True)
class MissingPage:
    """A title that a source does not hold: a result, not an exception.

    Attributes:
        title: As it was asked for.
        near: Titles that may have been meant; never used in its place.
    """

    title: str
    near: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """Says what is missing and what is near it."""
        near = f"; near titles: {', '.join(self.near)}" if self.near else ""
        return f"no page '{self.title}'{near}"


@runtime_checkable
class KnowledgeSource(Protocol):
    """Documents by title: a subclass writes `documents` and `titles_for` and inherits the rest.

    A class that does not inherit from it must have all of its members. Our own sources look a
    title up exactly, then among the redirects, then in its normal form
    (`dfactscore.retrieval._normalize.normalize_title`), and never by a fuzzy guess.
    """

    @property
    def snapshot(self) -> str:
        """The date of what it holds (ISO 8601), or empty if unknown, as by default."""
        return ""

    @abstractmethod
    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document filed under a title, in order; none if it is missing."""

    @abstractmethod
    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles that bear a name (see `dfactscore.linking.bears_name`), best first."""

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page of a title (several documents joined), or what is near it."""
        pages = self.documents(title)
        return join_pages(pages) if pages else MissingPage(title)

    def lookup_many(self, titles: Sequence[str]) -> list[Page | MissingPage]:
        """Looks up several titles, answers in their order."""
        return [self.lookup(title) for title in titles]

    def describe(self) -> dict[str, Any]:
        """Returns what a manifest records; the name of the class and the date by default."""
        return {"kind": type(self).__name__, "snapshot": self.snapshot}


class SortedSource(KnowledgeSource):
    """A source that can go through its titles in order, and so names what is near a missing one."""

    @abstractmethod
    def _scan(self, prefix: str, count: int) -> list[str]:
        """The first so many titles with a beginning."""

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page of a title (several documents joined), or what is near it."""
        pages = self.documents(title)
        return join_pages(pages) if pages else MissingPage(title, near_titles(title, self._scan))


def join_pages(pages: Sequence[Page]) -> Page:
    """Joins the documents of one title into one page, blank lines between them.

    Args:
        pages: At least one.

    Returns:
        The first with all texts.
    """
    first = pages[0]
    if len(pages) == 1:
        return first
    redirects = dict.fromkeys(title for page in pages for title in page.redirects)
    return replace(first, text="\n\n".join(page.text for page in pages), redirects=tuple(redirects))
