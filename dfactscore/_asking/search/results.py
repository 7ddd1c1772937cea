"""Protocol of search services, and their results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._errors import DFactScoreError


class SearchError(DFactScoreError):
    """The service refuses every search (wrong key, no credit); the same command resumes."""


class SearchFailed(Exception):
    """One search failed for good; the run continues without its results.

    Args:
        reason: One line for the user, without secrets.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One result.

    Attributes:
        title: Its title, on one line.
        text: A snippet, a passage or a page's text.
        address: Its URL; empty if there is none.
        date: As the service gives it; empty if it gives none.
        rank: Its place among the results of its query, 0 is first.
        service: The service that found it.
        time: The time of the service's answer, in UTC to the second; empty for an index.
    """

    title: str
    text: str
    address: str = ""
    date: str = ""
    rank: int = 0
    service: str = ""
    time: str = ""


Row = tuple[str, str, str, str]
"""Title, text, address and date of a result, cleaned."""


def ranked(rows: Iterable[Row], k: int, service: str) -> tuple[SearchResult, ...]:
    """The first `k` results of rows that have a text; the others are skipped."""
    found = [row for row in rows if says_something(row[1])]
    return tuple(SearchResult(*row, rank, service) for rank, row in enumerate(found[:k]))


def says_something(text: str) -> bool:
    """Whether there is a letter or digit in a text that is seen: fillers are letters, too."""
    return any(c.isalnum() and c not in "\u115f\u1160\u3164\uffa0" for c in text)


@runtime_checkable
class Search(Protocol):
    """A search service."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change the results (JSON values, no secrets); part of every key."""

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results, best first; none if nothing was found.

        Raises:
            SearchError: If the service refuses every search.
            SearchFailed: If this search fails for good.
            dfactscore._asking.transport.Transient: If it may succeed later.
        """

    async def aclose(self) -> None:
        """Closes connections."""


@runtime_checkable
class RestrictedSearch(Search, Protocol):
    """A service that can search within the pages of one entity."""

    async def search_titles(
        self, query: str, titles: Collection[str], k: int
    ) -> Sequence[SearchResult]:
        """Returns the `k` passages of the pages of those titles that fit a query best."""
