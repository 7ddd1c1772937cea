"""The interface between the builder and a wiki, live or a dump."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from dfactscore.ambigbio._titles import Site

Draw = Literal["names", "any"]
"""The pages that names are drawn from: those of human names, or any disambiguation page."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A page that names can be drawn from."""

    page_id: int
    title: str


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as a wiki keeps it.

    Attributes:
        title: Its title.
        page_id: Its id.
        revision: Id of the revision.
        timestamp: The time of that revision (ISO 8601, UTC).
        text: Wikitext.
        aliases: Titles of redirects to the page as a whole, sorted.
        categories: Categories that the source knows of besides those in the wikitext; a source
            may know only some.
        disambiguation: Whether the source knows that it is a disambiguation page.
        short_description: The source's short description, besides that of the wikitext, or empty.
        wikidata: Its Wikidata item, or empty.
    """

    title: str
    page_id: int
    revision: int
    timestamp: str
    text: str
    aliases: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    disambiguation: bool = False
    short_description: str = ""
    wikidata: str = ""


class Source(Protocol):
    """A wiki that names, people and pages are read from."""

    @property
    def draw(self) -> Draw:
        """The pages that `list_names` gives."""
        ...

    def site(self) -> Site:
        """The wiki's addresses and namespaces."""
        ...

    def snapshot(self) -> str:
        """The day that the data are of, ``YYYY-MM-DD``."""
        ...

    def draw_size(self, needed: int) -> int:
        """Returns the number of names to look at next, given the number still needed."""
        ...

    def list_names(self) -> Sequence[Listed]:
        """The pages that names can be drawn from, in any order."""
        ...

    def name_pages(self, listed: Sequence[Listed]) -> Mapping[int, RawPage]:
        """Those of the listed pages that still exist, by the listed id; moved ones too."""
        ...

    def expect(self, titles: Iterable[str]) -> None:
        """Takes the titles to be looked up by and by: a dump is read for all of them at once."""
        ...

    def lookup(self, titles: Iterable[str]) -> Mapping[str, RawPage]:
        """The pages that titles lead to, redirects followed, by the title asked for.

        A title is absent if there is no page and where a redirect leads to a section.
        """
        ...

    def lists(self, titles: Iterable[str]) -> Mapping[str, str]:
        """The lists that templates put into a page, by the template's title."""
        ...

    def categories(self, pages: Sequence[RawPage]) -> Mapping[int, tuple[str, ...]]:
        """All categories of pages, by page id, if the source knows more than the wikitext."""
        ...
