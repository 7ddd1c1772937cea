"""The interface of search services, the results they return, and their cleaning."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._errors import DFactScoreError
from dfactscore._text.clean_text import clean
from dfactscore._text.sentences import sentence_spans

_MOST = 80  # maximum number of words added on each side


def whole_sentences(previous: str, text: str, following: str) -> str:
    """Completes a passage's first and last sentences from the neighboring passages.

    Example:
        >>> whole_sentences("He swam. He was born", "in Leeds. He died in", "1970. He coached.")
        'He was born in Leeds. He died in 1970.'
    """
    head, tail = f"{previous} " if previous else "", f" {following}" if following else ""
    joined = f"{head}{text}{tail}"
    first, last = len(head), len(head) + len(text)
    start, end = first, last
    for a, b in sentence_spans(joined):
        if a < first < b:
            start = a
        if a < last < b:
            end = b
    if len(joined[start:first].split()) > _MOST:
        start = first
    if len(joined[last:end].split()) > _MOST:
        end = last
    return joined[start:end]


_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,500}>")
_LONGEST = 20_000


def snippet(value: Any) -> str:
    r"""Returns a result's field as one line of text; joins lists and ignores other values.

    Example:
        >>> snippet('Dick <span class="searchmatch">Hanley</span> &amp; others\n1936')
        'Dick Hanley & others 1936'
        >>> snippet(["born", None, 1936]), snippet(None)
        ('born 1936', '')
    """
    if isinstance(value, (list, tuple)):
        value = " ".join(part for part in map(snippet, value) if part)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: 4 * _LONGEST]))
    text = "".join(c if c.isprintable() or c.isspace() else " " for c in clean(text))
    return " ".join(text.split())[:_LONGEST]


class SearchError(DFactScoreError):
    """All searches fail (because of a wrong key, for example); rerunning the command resumes it."""


class SearchFailed(Exception):
    """A single search failed; the run continues without its results."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A search result."""

    title: str
    text: str
    address: str = ""  # URL; empty if there is none
    date: str = ""  # date in the service's format; empty if there is none
    rank: int = 0  # rank among the query's results, starting at 0
    service: str = ""
    time: str = ""  # time of the response in UTC, to the second; empty for an index


Row = tuple[str, str, str, str]
"""The cleaned title, text, address and date of a result."""


def ranked(rows: Iterable[Row], k: int, service: str) -> tuple[SearchResult, ...]:
    """Returns the first `k` rows that have a text, as results."""
    usable = [row for row in rows if has_letters(row[1])]
    return tuple(SearchResult(*row, rank, service) for rank, row in enumerate(usable[:k]))


def has_letters(text: str) -> bool:
    """Whether a text contains a visible letter or digit."""
    # The excluded characters are invisible Hangul fillers, which are letters to Unicode.
    return any(c.isalnum() and c not in "\u115f\u1160\u3164\uffa0" for c in text)


@runtime_checkable
class Search(Protocol):
    """A search service."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results, as JSON values that contain no secrets."""

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results, best first."""

    async def aclose(self) -> None:
        """Closes connections."""


@runtime_checkable
class RestrictedSearch(Search, Protocol):
    """A service that can restrict a search to the pages of one entity."""

    async def search_titles(
        self, query: str, titles: Collection[str], k: int
    ) -> Sequence[SearchResult]:
        """Returns the `k` best passages for a query from the pages with these titles."""
