"""Stores the results of a pass over a dump: candidates for name pages, and all redirects."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._util.sqlite import refuse_other_tables, sqlite_errors
from dfactscore.ambigbio._cache import SCHEMA, SqliteCache, unusable_file
from dfactscore.ambigbio._dump import Redirect
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._expansion import Template
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._unpacking import Span

_PAGE = "title TEXT, page_id INTEGER PRIMARY KEY, revision INTEGER, timestamp TEXT, text TEXT"
_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS candidates ({_PAGE})",
    f"CREATE TABLE IF NOT EXISTS pages ({_PAGE})",
    "CREATE INDEX IF NOT EXISTS page_titles ON pages (title)",
    "CREATE TABLE IF NOT EXISTS missing (title TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS redirects "
    "(source TEXT PRIMARY KEY, target TEXT, section INTEGER) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS parts (start INTEGER PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS templates "
    "(title TEXT PRIMARY KEY, text TEXT, target TEXT) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS alias_parts (start INTEGER PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
)


def delete_cache(path: Path) -> None:
    """Deletes the cached data of a wiki or a dump."""
    with sqlite_errors(path, "is not a cache and was not deleted", error=unusable_file):
        refuse_other_tables(path, ";".join((SCHEMA, *_SCHEMA)))
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


class DumpStore(SqliteCache):
    """Results of a pass over a dump; each part is committed once it has been read."""

    def __init__(self, path: Path, dump: str) -> None:
        super().__init__(path, *_SCHEMA)
        try:
            with self._writing() as db:
                db.execute("INSERT OR IGNORE INTO about VALUES ('dump', ?)", (dump,))
            known = str(next(self.rows("SELECT value FROM about WHERE key = 'dump'"))[0])
            if known != dump:
                raise AmbigBioError(
                    f"{path} contains results of another dump ({known}, now {dump}): give "
                    "another file with --cache, or --refresh to start over"
                )
        except BaseException:
            self.close()
            raise

    def _writing(self) -> AbstractContextManager[sqlite3.Connection]:
        return self.writing(lambda: "the parts of the dump that were read are kept")

    def parts_read(self, *, aliases: bool = False) -> set[int]:
        """Returns the start positions of the parts that have been read."""
        table = "alias_parts" if aliases else "parts"
        return {row[0] for row in self.rows(f"SELECT start FROM {table}")}

    def add_part(
        self,
        span: Span,
        pieces: Iterable[tuple[Iterable[RawPage], Iterable[Redirect], Iterable[Template]]],
        *,
        aliases: bool = False,
    ) -> None:
        """Stores a part's contents in one transaction."""
        with self._writing() as db:
            for candidates, redirects, templates in pieces:
                db.executemany(
                    "INSERT OR REPLACE INTO candidates VALUES (?,?,?,?,?)", _values(candidates)
                )
                db.executemany(
                    "INSERT OR REPLACE INTO redirects VALUES (?,?,?)",
                    ((entry.source, entry.target, entry.section) for entry in redirects),
                )
                db.executemany(
                    "INSERT OR REPLACE INTO templates VALUES (?,?,?)",
                    ((entry.title, entry.text, entry.target) for entry in templates),
                )
            table = "alias_parts" if aliases else "parts"
            db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?)", (span.start,))

    def finish_parts(self) -> None:
        """Indexes redirects by target once all parts have been read."""
        with self._writing() as db:
            db.execute("CREATE INDEX IF NOT EXISTS redirect_targets ON redirects (target)")

    def add_pages(self, pages: Iterable[RawPage]) -> None:
        """Stores pages."""
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO pages VALUES (?,?,?,?,?)", _values(pages))

    def add_missing(self, titles: Iterable[str]) -> None:
        """Stores titles that are missing from the dump."""
        with self._writing() as db:
            db.executemany("INSERT OR IGNORE INTO missing VALUES (?)", ((t,) for t in titles))

    def _page(self, row: Sequence[Any]) -> RawPage:
        if [type(field) for field in row] != [str, int, int, str, str]:
            raise unusable_file(f"{self.path}: damaged (a page is not as it was written)")
        return RawPage(*row)

    def candidates(self) -> Iterator[RawPage]:
        """Yields the pages that may be name pages."""
        yield from map(self._page, self.rows("SELECT * FROM candidates ORDER BY page_id"))

    def newest(self) -> str:
        """Returns the time of the newest revision of any candidate; empty if there is none."""
        return str(next(iter(self.rows("SELECT max(timestamp) FROM candidates")))[0] or "")

    def candidate(self, page_id: int) -> RawPage | None:
        """Returns the candidate with the given page id, including its aliases."""
        rows = self.rows("SELECT * FROM candidates WHERE page_id = ?", page_id)
        return self._with_aliases(next(map(self._page, rows), None))

    def page(self, title: str) -> RawPage | None:
        """Returns the stored page with the given title, including its aliases."""
        rows = self.rows("SELECT * FROM pages WHERE title = ?", title)
        return self._with_aliases(next(map(self._page, rows), None))

    def _with_aliases(self, page: RawPage | None) -> RawPage | None:
        if page is None:
            return None
        sql = "SELECT source FROM redirects WHERE target = ? AND NOT section"
        return replace(page, aliases=tuple(sorted(row[0] for row in self.rows(sql, page.title))))

    def is_settled(self, title: str) -> bool:
        """Whether a title has been recorded, either with its page or as missing from the dump."""
        return any(
            next(self.rows(f"SELECT 1 FROM {table} WHERE title = ?", title), None)
            for table in ("pages", "missing")
        )

    def redirect(self, title: str) -> Redirect | None:
        """Returns the redirect that has the given title, if any."""
        rows = self.rows("SELECT * FROM redirects WHERE source = ?", title)
        row = next(rows, None)
        return None if row is None else Redirect(row[0], row[1], bool(row[2]))

    def template(self, title: str) -> Template | None:
        """Returns the template with the given title (without the namespace)."""
        rows = self.rows("SELECT * FROM templates WHERE title = ?", title)
        row = next(rows, None)
        return None if row is None else Template(*row)

    def template_titles(self) -> list[str]:
        """Returns the titles of all stored templates."""
        return [row[0] for row in self.rows("SELECT title FROM templates ORDER BY title")]


def _values(pages: Iterable[RawPage]) -> Iterator[tuple[str, int, int, str, str]]:
    for page in pages:
        yield page.title, page.page_id, page.revision, page.timestamp, page.text
