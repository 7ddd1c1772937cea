"""Pages and passages, the texts about an entity, and passages of 100 words of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal


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


#: Number of words per passage (paper section 2.2; Karpukhin et al., 2020, section 4.1).
PASSAGE_WORDS = 100
Tail = Literal["join", "short", "wrap"]


def split_text(text: str, *, words: int = PASSAGE_WORDS, tail: Tail = "short") -> list[str]:
    """Splits a text into disjoint passages of equal size.

    Words are separated by whitespace, which is collapsed to single spaces.

    Example:
        >>> split_text("one two three four five", words=2)
        ['one two', 'three four', 'five']
        >>> split_text("one two three four five", words=2, tail="wrap")
        ['one two', 'three four', 'five one']
    """
    # `tail`: how to treat the last passage: `"short"` leaves it short; `"join"` appends it to the
    # previous passage if it has less than half the number of words, because BM25 favors short
    # passages; `"wrap"` fills it from the start of the text, as in DPR's file, where every passage
    # has exactly 100 words.
    if words < 1:
        raise ValueError(f"words must be at least 1, not {words}")
    tokens = text.split()
    parts = [tokens[start : start + words] for start in range(0, len(tokens), words)]
    if tail == "join" and len(parts) > 1 and 2 * len(parts[-1]) < words:
        parts[-2:] = [parts[-2] + parts[-1]]
    if tail == "wrap" and parts:
        while len(parts[-1]) < words:
            parts[-1] = parts[-1] + tokens[: words - len(parts[-1])]
    return [" ".join(part) for part in parts]


def split_pages(
    pages: Iterable[Page], *, words: int = PASSAGE_WORDS, tail: Tail = "short", start: int = 1
) -> Iterator[Passage]:
    """Splits a stream of pages into passages that carry the title of their page."""
    # `start`: id of the first passage; the following ids are consecutive numbers, as in DPR's file.
    number = start
    for page in pages:
        for text in split_text(page.text, words=words, tail=tail):
            yield Passage(title=page.title, text=text, id=str(number))
            number += 1
