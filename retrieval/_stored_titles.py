"""Finds titles in an SQLite file by name."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore._text.names import NameIndex
from dfactscore._util.sqlite import SQLiteReader
from dfactscore.retrieval._knowledge import SortedSource
from dfactscore.retrieval._normalize import beginnings_of, same_name_titles

_MOST_READ = 200_000


class StoredTitles:
    """Finds titles by name; in a large file, reads only titles that begin like the name."""

    def __init__(
        self,
        file: SQLiteReader,
        query: str,  # SQL query that selects each title or redirect, together with its target title
        count: int,
        redirects: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._file = file
        self._query = query
        self._redirects = redirects
        self._small = count <= _MOST_READ
        self._index: NameIndex | None = None

    def bearing(self, name: str) -> list[tuple[str, str]]:
        """Returns titles that may bear a name, each with its target title."""
        if self._small:
            if self._index is None:
                self._index = NameIndex(self._pairs(self._query))
            return [*self._index.find(name), *self._redirects]
        parts = self._query.split(" UNION ")
        query = " UNION ALL ".join(f"{part} WHERE title >= ?1 AND title < ?2" for part in parts)
        pairs: list[tuple[str, str]] = []
        for start in beginnings_of(name):
            pairs += self._pairs(query, start, start + "\U0010ffff")
        return [*pairs, *self._redirects]

    def _pairs(self, query: str, *values: str) -> list[tuple[str, str]]:
        return [(str(form), str(title)) for form, title in self._file.rows(query, *values)]


class TitledFile(SortedSource):
    """A source stored in an SQLite file, which subclasses open."""

    _file: SQLiteReader
    _titles: StoredTitles
    _table: str  # the table that contains the titles

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
        """Returns the titles of pages that bear a name, directly or through a redirect.

        In a file with more than 200,000 titles, only those that begin with the first word of the
        name or its initial, or with the last word and a comma, are found.
        """
        pages = self.documents(name)
        candidates = self._titles.bearing(name)
        return same_name_titles(name, candidates, pages[0].title if pages else None)
