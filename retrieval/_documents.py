"""Pages and passages, the texts about an entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a page, about 100 words long (paper section 2.2).

    Attributes:
        title: Full title of the page it comes from (``"Dick Hanley (swimmer)"``).
        text: The text, excluding the title.
        id: Identifier within the corpus; empty if unknown.
        source: The document that contains the passage (an id, a URL or a file); empty if unknown.
        owner: How the owner was determined, if the title does not name a person.
    """

    title: str
    text: str
    id: str = ""
    source: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page in a knowledge source.

    Attributes:
        title: The title, unique within a source.
        text: Plain text; each paragraph and section heading is on its own line.
        id: Identifier within the source (a page id), or empty.
        url: URL of the page, or empty.
        revision: Id of the revision, or empty.
        timestamp: Timestamp of the revision (ISO 8601), or empty.
        license: License statement for the text, or empty.
        redirects: Other titles that redirect to the page.
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
    """The date of the latest page in a stream.

    Attributes:
        date: Date in ISO 8601 format; empty if no page so far has had a timestamp.
    """

    def __init__(self) -> None:
        self.date = ""

    def noted(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Passes pages through unchanged while recording the latest date.

        Args:
            pages: A stream of pages.

        Yields:
            The same pages.
        """
        for page in pages:
            self.date = max(self.date, page.timestamp[:10])
            yield page


def passage_text(passage: Passage) -> str:
    """Returns the text to encode and index: title, line break, text (as in Gao et al., 2023).

    Args:
        passage: The passage.

    Returns:
        The text.
    """
    return f"{passage.title}\n{passage.text}"
