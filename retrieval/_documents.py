"""Pages and passages: the texts that are known about an entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a page, about 100 words (paper section 2.2).

    Attributes:
        title: Title of the page that it comes from, kept whole (``"Dick Hanley (swimmer)"``).
        text: The text, without the title.
        id: Identifier within its corpus; empty if the corpus gives none.
        source: The document that it was cut from (an id, a URL, a file); empty if none is given.
        owner: How the owner was determined, if the title names no person.
    """

    title: str
    text: str
    id: str = ""
    source: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the knowledge source.

    Attributes:
        title: Its title, unique within a source.
        text: Plain text; paragraphs and section headings on lines of their own.
        id: Identifier within its source (a page id), or empty.
        url: The address to read it at, or empty.
        revision: Revision id, or empty.
        timestamp: The time of that revision (ISO 8601), or empty.
        license: License line of the text, or empty.
        redirects: Other titles that lead here.
    """

    title: str
    text: str
    id: str = ""
    url: str = ""
    revision: str = ""
    timestamp: str = ""
    license: str = ""
    redirects: tuple[str, ...] = field(default=())


class LatestDate:
    """The date of the latest page of a stream.

    Attributes:
        date: ISO 8601, or empty if no page that went by has a timestamp.
    """

    def __init__(self) -> None:
        self.date = ""

    def noted(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Gives the pages on, and keeps the latest day.

        Args:
            pages: A stream of pages.

        Yields:
            The same pages.
        """
        for page in pages:
            self.date = max(self.date, page.timestamp[:10])
            yield page


def passage_text(passage: Passage) -> str:
    """Returns the encoded and indexed text: the title, a line break, the text (Gao et al., 2023).

    Args:
        passage: A passage.

    Returns:
        Its text for an index.
    """
    return f"{passage.title}\n{passage.text}"
