"""What one pass over a dump found, in a file: the candidates for names, and all redirects."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._util.files import make_folder
from dfactscore._util.sqlite import open_sqlite, sqlite_errors
from dfactscore.ambigbio.dump import Redirect, Span
from dfactscore.ambigbio.errors import AmbigBioError
from dfactscore.ambigbio.expansion import Template
from dfactscore.ambigbio.sources import RawPage

__all__ = ["DumpStore"]

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


def _other_file(problem: str) -> AmbigBioError:
    return AmbigBioError(f"{problem}: give another file with --cache")


class DumpStore:
    """Findings of a pass over a dump; each part is committed when it is read.

    Args:
        path: The SQLite file; it is made where absent.
        dump: What it is of: the dump's name, size and time, and the language.

    Raises:
        AmbigBioError: The file cannot be used, or is of another dump.
    """

    def __init__(self, path: Path, dump: str) -> None:
        self.path = path
        make_folder(path.parent, error=AmbigBioError)
        with sqlite_errors(path, "cannot be used as a cache", error=_other_file):
            self._db = open_sqlite(path, "journal_mode=WAL", "synchronous=NORMAL")
            try:
                known = self._known(dump)
            except BaseException:
                self.close()  # no lock is left to the garbage collector
                raise
        if known != dump:
            self.close()
            raise AmbigBioError(
                f"{path} holds what was found in another dump ({known}, now {dump}): give another "
                "file with --cache, or --refresh to start over"
            )

    def _known(self, dump: str) -> str:
        for statement in _SCHEMA:
            self._db.execute(statement)
        self._db.execute("INSERT OR IGNORE INTO about VALUES ('dump', ?)", (dump,))
        return str(self._db.execute("SELECT value FROM about WHERE key = 'dump'").fetchone()[0])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            raise AmbigBioError(
                f"{self.path}: cannot be written ({error}): make room and run the same command "
                "again; the parts of the dump that were read are kept"
            ) from error

    def parts_read(self, *, aliases: bool = False) -> set[int]:
        """Where the parts begin that were read.

        Args:
            aliases: In the second pass, in search of templates that the first found.
        """
        table = "alias_parts" if aliases else "parts"
        return {row[0] for row in self._rows(f"SELECT start FROM {table}")}

    def add_part(
        self,
        span: Span,
        found: Iterable[tuple[Iterable[RawPage], Iterable[Redirect], Iterable[Template]]],
        *,
        aliases: bool = False,
    ) -> None:
        """Keeps what a part holds, in one transaction.

        Args:
            span: The part.
            found: Candidates, redirects and templates, piece by piece as they are read.
            aliases: As `parts_read`.
        """
        with self._writing() as db:
            for candidates, redirects, templates in found:
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
        """Makes look-ups of redirects by target fast, once all parts are read."""
        with self._writing() as db:
            db.execute("CREATE INDEX IF NOT EXISTS redirect_targets ON redirects (target)")

    def add_pages(self, pages: Iterable[RawPage], wanted: Iterable[str]) -> None:
        """Keeps pages, and which of the wanted titles the dump does not hold."""
        pages = list(pages)
        absent = set(wanted) - {page.title for page in pages}
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO pages VALUES (?,?,?,?,?)", _values(pages))
            db.executemany("INSERT OR IGNORE INTO missing VALUES (?)", ((t,) for t in absent))

    def _rows(self, sql: str, *values: object) -> Iterator[Any]:
        with sqlite_errors(self.path, "cannot be used as a cache", error=_other_file):
            # Not `yield from`, see `dfactscore._util.sqlite.SQLiteReader.each`.
            for row in self._db.execute(sql, values):  # noqa: UP028
                yield row

    def _page(self, row: Sequence[Any]) -> RawPage:
        if [type(field) for field in row] != [str, int, int, str, str]:
            raise _other_file(f"{self.path}: damaged (a page is not as it was written)")
        return RawPage(*row)

    def candidates(self) -> Iterator[RawPage]:
        """The pages that may be names."""
        yield from map(self._page, self._rows("SELECT * FROM candidates ORDER BY page_id"))

    def newest(self) -> str:
        """When the newest revision of a page that may be a name was made; empty without one."""
        return str(next(iter(self._rows("SELECT max(timestamp) FROM candidates")))[0] or "")

    def candidate(self, page_id: int) -> RawPage | None:
        """The candidate of an id."""
        rows = self._rows("SELECT * FROM candidates WHERE page_id = ?", page_id)
        return next(map(self._page, rows), None)

    def page(self, title: str) -> RawPage | None:
        """The kept page of a title, with its aliases."""
        page = next(map(self._page, self._rows("SELECT * FROM pages WHERE title = ?", title)), None)
        if page is None:
            return None
        sql = "SELECT source FROM redirects WHERE target = ? AND NOT section"
        return replace(page, aliases=tuple(sorted(row[0] for row in self._rows(sql, title))))

    def is_settled(self, title: str) -> bool:
        """Whether it is known what the dump holds under a title."""
        return any(
            next(self._rows(f"SELECT 1 FROM {table} WHERE title = ?", title), None)
            for table in ("pages", "missing")
        )

    def redirect(self, title: str) -> Redirect | None:
        """The redirect of a title."""
        rows = self._rows("SELECT * FROM redirects WHERE source = ?", title)
        row = next(rows, None)
        return None if row is None else Redirect(row[0], row[1], bool(row[2]))

    def template(self, title: str) -> Template | None:
        """The template of a title, without its namespace."""
        rows = self._rows("SELECT * FROM templates WHERE title = ?", title)
        row = next(rows, None)
        return None if row is None else Template(*row)

    def template_titles(self) -> list[str]:
        """The titles of all templates that were kept."""
        return [row[0] for row in self._rows("SELECT title FROM templates ORDER BY title")]

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


def _values(pages: Iterable[RawPage]) -> Iterator[tuple[str, int, int, str, str]]:
    for page in pages:
        yield page.title, page.page_id, page.revision, page.timestamp, page.text
