"""The titles of an SQLite file by the names that they bear."""

from __future__ import annotations

from dfactscore._util.sqlite import SQLiteReader
from dfactscore.retrieval.normalize import beginnings_of
from dfactscore.text.names import NameIndex

__all__ = ["StoredTitles"]

_MOST_READ = 200_000


class StoredTitles:
    """Finds titles by name: of a small file all are read, of a large one those that begin alike.

    Args:
        file: The file.
        query: Gives each title, or redirect, and the title that it leads to.
        count: How many there are.
    """

    def __init__(self, file: SQLiteReader, query: str, count: int) -> None:
        self._file = file
        self._query = query
        self._small = count <= _MOST_READ
        self._index: NameIndex | None = None

    def bearing(self, name: str) -> list[tuple[str, str]]:
        """Titles that bear a name, and others, each with the title that it leads to."""
        if self._small:
            if self._index is None:
                self._index = NameIndex(self._pairs(self._query))
            return self._index.find(name)
        parts = self._query.split(" UNION ")
        query = " UNION ALL ".join(f"{part} WHERE title >= ?1 AND title < ?2" for part in parts)
        found: list[tuple[str, str]] = []
        for start in beginnings_of(name):
            found += self._pairs(query, start, start + "\U0010ffff")
        return found

    def _pairs(self, query: str, *values: str) -> list[tuple[str, str]]:
        return [(str(form), str(title)) for form, title in self._file.rows(query, *values)]
