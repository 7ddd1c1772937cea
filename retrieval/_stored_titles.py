"""Looks up the titles of an SQLite file by the names they bear."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore._text.names import NameIndex
from dfactscore._util.sqlite import SQLiteReader
from dfactscore.retrieval._knowledge import SortedSource
from dfactscore.retrieval._normalize import beginnings_of, same_name_titles

_MOST_READ = 200_000


class StoredTitles:
    """Finds titles by name: of a small file all are read, of a large one those that begin alike.

    Args:
        file: The file.
        query: Gives each title, or redirect, and the title that it leads to.
        count: The number of titles.
        redirects: Titles that lead to others, which the file does not have.
    """

    def __init__(
        self,
        file: SQLiteReader,
        query: str,
        count: int,
        redirects: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._file = file
        self._query = query
        self._redirects = redirects
        self._small = count <= _MOST_READ
        self._index: NameIndex | None = None

    def bearing(self, name: str) -> list[tuple[str, str]]:
        """Titles that bear a name, and others, each with the title that it leads to."""
        if self._small:
            if self._index is None:
                self._index = NameIndex(self._pairs(self._query))
            return [*self._index.find(name), *self._redirects]
        parts = self._query.split(" UNION ")
        query = " UNION ALL ".join(f"{part} WHERE title >= ?1 AND title < ?2" for part in parts)
        found: list[tuple[str, str]] = []
        for start in beginnings_of(name):
            found += self._pairs(query, start, start + "\U0010ffff")
        return [*found, *self._redirects]

    def _pairs(self, query: str, *values: str) -> list[tuple[str, str]]:
        return [(str(form), str(title)) for form, title in self._file.rows(query, *values)]


class TitledFile(SortedSource):
    """An SQLite file of pages, which a subclass opens, and its titles."""

    _file: SQLiteReader
    _titles: StoredTitles
    _table: str  # the one that has the titles

    def close(self) -> None:
        """Closes the connections of all threads."""
        self._file.close()

    def _scan(self, prefix: str, count: int) -> list[str]:
        rows = self._file.rows(
            f"SELECT DISTINCT title FROM {self._table} WHERE title >= ? AND title < ? "
            "ORDER BY 1 LIMIT ?",
            prefix,
            prefix + "\U0010ffff",
            count,
        )
        return [str(row[0]) for row in rows]

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles of pages that bear a name, or a redirect of which does.

        Of a file with more than 200,000 titles those are found that begin with the first word of
        the name or its initial, or with the last one and a comma.
        """
        pages = self.documents(name)
        found = self._titles.bearing(name)
        return same_name_titles(name, found, pages[0].title if pages else None)
