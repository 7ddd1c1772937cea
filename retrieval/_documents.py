"""Pages and passages, the texts about an entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a page, about 100 words long (paper section 2.2)."""

    title: str  # full title of the page it comes from (`"Dick Hanley (swimmer)"`)
    text: str
    id: str = ""  # identifier within the corpus; empty if unknown
    # The document that contains the passage (an id, a URL or a file); empty if unknown.
    source: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page in a knowledge source."""

    title: str
    text: str  # plain text; each paragraph and section heading is on its own line
    id: str = ""  # identifier within the source (a page id), or empty
    url: str = ""
    revision: str = ""  # id of the revision, or empty
    timestamp: str = ""  # timestamp of the revision (ISO 8601), or empty
    license: str = ""  # license statement for the text, or empty
    redirects: tuple[str, ...] = field(default=())


class LatestDate:
    """The date of the latest page in a stream."""

    def __init__(self) -> None:
        self.date = ""  # date in ISO 8601 format; empty if no page so far has had a timestamp

    def noted(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Passes pages through unchanged while recording the latest date."""
        for page in pages:
            self.date = max(self.date, page.timestamp[:10])
            yield page


def passage_text(passage: Passage) -> str:
    """Returns the text to encode and index: title, line break, text (as in Gao et al., 2023)."""
    return f"{passage.title}\n{passage.text}"
