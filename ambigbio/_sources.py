"""Interface between the builder and a wiki, which may be live or a dump."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from dfactscore.ambigbio._titles import Site

Draw = Literal["names", "any"]
"""The source of a draw: pages of human names, or any disambiguation page."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A page that names can be drawn from."""

    page_id: int
    title: str


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as wikitext."""

    title: str
    page_id: int
    revision: int
    timestamp: str  # timestamp of that revision (ISO 8601, UTC)
    text: str
    aliases: tuple[str, ...] = ()  # sorted titles of redirects to the page as a whole
    categories: tuple[str, ...] = ()
    disambiguation: bool = False
    short_description: str = ""
    wikidata: str = ""  # page's Wikidata item, or empty


class Source(Protocol):
    """A wiki from which names, people and pages are read."""

    @property
    def draw(self) -> Draw:
        """The type of pages that `list_names` returns."""
        ...

    def site(self) -> Site:
        """The wiki's addresses and namespaces."""
        ...

    def snapshot(self) -> str:
        """Returns the date of the data, as ``YYYY-MM-DD``."""
        ...

    def draw_size(self, needed: int) -> int:
        """Returns the number of names to examine next, given the number still needed."""
        ...

    def list_names(self) -> Sequence[Listed]:
        """Lists the pages from which names can be drawn, in any order."""
        ...

    def name_pages(self, listed: Sequence[Listed]) -> Mapping[int, RawPage]:
        """Returns the listed pages that still exist, including moved pages, by their listed ids."""
        ...

    def expect(self, titles: Iterable[str]) -> None:
        """Announces titles to be looked up, so that a dump can be searched for all at once."""
        ...

    def lookup(self, titles: Iterable[str]) -> Mapping[str, RawPage]:
        """Looks up titles, following redirects, and returns the pages by requested title.

        A title is omitted if it has no page, or if it redirects to a section.
        """
        ...

    def lists(self, titles: Iterable[str]) -> Mapping[str, str]:
        """Returns the lists that templates insert into a page, by template title."""
        ...

    def categories(self, pages: Sequence[RawPage]) -> Mapping[int, tuple[str, ...]]:
        """Returns all categories of pages, by page id, including any missing from the wikitext."""
        ...
