"""The interface of knowledge sources: documents by title."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._normalize import near_titles


@dataclass(frozen=True, slots=True)
class MissingPage:
    """A title that a source does not contain: a result, not an exception.

    Attributes:
        title: The requested title.
        near: Similar titles, as suggestions; never used automatically.
    """

    title: str
    near: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """A message with the missing and the similar titles."""
        near = f"; near titles: {', '.join(self.near)}" if self.near else ""
        return f"no page '{self.title}'{near}"


@runtime_checkable
class KnowledgeSource(Protocol):
    """Documents by title: a subclass defines `documents` and `titles_for`, and inherits the rest.

    A class that is not a subclass must have all of its members. Our sources look a title up
    exactly, then among the redirects, then in its normal form
    (`dfactscore.retrieval._normalize.normalize_title`), and never by similarity.
    """

    @property
    def snapshot(self) -> str:
        """The date of the texts (ISO 8601), or empty if unknown, which is the default."""
        return ""

    @abstractmethod
    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document with a title, in order; empty if the title is missing."""

    @abstractmethod
    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles that bear a name (see `dfactscore.linking.bears_name`), best first."""

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page of a title (its documents joined), or `MissingPage`."""
        pages = self.documents(title)
        return join_pages(pages) if pages else MissingPage(title)

    def lookup_many(self, titles: Sequence[str]) -> list[Page | MissingPage]:
        """Looks up several titles; the results are in the same order."""
        return [self.lookup(title) for title in titles]

    def describe(self) -> dict[str, Any]:
        """Returns the entry for a manifest; by default, the name of the class and the date."""
        return {"kind": type(self).__name__, "snapshot": self.snapshot}


class SortedSource(KnowledgeSource):
    """A source with sorted titles, which suggests similar titles for a missing one."""

    @abstractmethod
    def _scan(self, prefix: str, count: int) -> list[str]:
        """Returns the first `count` titles with a prefix."""

    def lookup(self, title: str) -> Page | MissingPage:
        """Returns the page of a title (its documents joined), or similar titles."""
        pages = self.documents(title)
        return join_pages(pages) if pages else MissingPage(title, near_titles(title, self._scan))


def join_pages(pages: Sequence[Page]) -> Page:
    """Joins the documents of one title into one page, separated by blank lines.

    Args:
        pages: At least one page.

    Returns:
        The first page with the texts and redirects of all.
    """
    first = pages[0]
    if len(pages) == 1:
        return first
    redirects = dict.fromkeys(title for page in pages for title in page.redirects)
    return replace(first, text="\n\n".join(page.text for page in pages), redirects=tuple(redirects))
