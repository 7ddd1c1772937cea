"""What one pass over a dump found, in a file: the candidates for names, and all redirects."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dfactscore.ambigbio.dump import Redirect, Span
from dfactscore.ambigbio.errors import AmbigBioError
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
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
)


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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            for statement in _SCHEMA:
                self._db.execute(statement)
            self._db.execute("INSERT OR IGNORE INTO about VALUES ('dump', ?)", (dump,))
            known = self._db.execute("SELECT value FROM about WHERE key = 'dump'").fetchone()[0]
        except (OSError, sqlite3.Error) as error:
            raise AmbigBioError(
                f"cannot use {path} as a cache ({error}): give another file with --cache"
            ) from error
        if known != dump:
            raise AmbigBioError(
                f"{path} holds what was found in another dump ({known}, now {dump}): give another "
                "file with --cache, or --refresh to start over"
            )

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
                f"cannot write to {self.path} ({error}): make room and run the same command "
                "again; the parts of the dump that were read are kept"
            ) from error

    def parts_read(self) -> set[int]:
        """Where the parts begin that were read."""
        return {row[0] for row in self._db.execute("SELECT start FROM parts")}

    def add_part(
        self, span: Span, found: Iterable[tuple[Iterable[RawPage], Iterable[Redirect]]]
    ) -> None:
        """Keeps what a part holds, in one transaction.

        Args:
            span: The part.
            found: Candidates and redirects, piece by piece as they are read.
        """
        with self._writing() as db:
            for candidates, redirects in found:
                db.executemany(
                    "INSERT OR REPLACE INTO candidates VALUES (?,?,?,?,?)", _rows(candidates)
                )
                db.executemany(
                    "INSERT OR REPLACE INTO redirects VALUES (?,?,?)",
                    ((entry.source, entry.target, entry.section) for entry in redirects),
                )
            db.execute("INSERT OR REPLACE INTO parts VALUES (?)", (span.start,))

    def finish_parts(self) -> None:
        """Makes look-ups of redirects by target fast, once all parts are read."""
        with self._writing() as db:
            db.execute("CREATE INDEX IF NOT EXISTS redirect_targets ON redirects (target)")

    def add_pages(self, pages: Iterable[RawPage], wanted: Iterable[str]) -> None:
        """Keeps pages, and which of the wanted titles the dump does not hold."""
        pages = list(pages)
        absent = set(wanted) - {page.title for page in pages}
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO pages VALUES (?,?,?,?,?)", _rows(pages))
            db.executemany("INSERT OR IGNORE INTO missing VALUES (?)", ((t,) for t in absent))

    def candidates(self) -> Iterator[RawPage]:
        """The pages that may be names."""
        for row in self._db.execute("SELECT * FROM candidates ORDER BY page_id"):
            yield RawPage(*row)

    def candidate(self, page_id: int) -> RawPage | None:
        """The candidate of an id."""
        row = self._db.execute("SELECT * FROM candidates WHERE page_id = ?", (page_id,)).fetchone()
        return None if row is None else RawPage(*row)

    def page(self, title: str) -> RawPage | None:
        """The kept page of a title, with its aliases."""
        row = self._db.execute("SELECT * FROM pages WHERE title = ?", (title,)).fetchone()
        if row is None:
            return None
        aliases = self._db.execute(
            "SELECT source FROM redirects WHERE target = ? AND NOT section", (title,)
        )
        return replace(RawPage(*row), aliases=tuple(sorted(entry[0] for entry in aliases)))

    def is_settled(self, title: str) -> bool:
        """Whether it is known what the dump holds under a title."""
        for table in ("pages", "missing"):
            if self._db.execute(f"SELECT 1 FROM {table} WHERE title = ?", (title,)).fetchone():
                return True
        return False

    def redirect(self, title: str) -> Redirect | None:
        """The redirect of a title."""
        row = self._db.execute("SELECT * FROM redirects WHERE source = ?", (title,)).fetchone()
        return None if row is None else Redirect(row[0], row[1], bool(row[2]))

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


def _rows(pages: Iterable[RawPage]) -> Iterator[tuple[str, int, int, str, str]]:
    for page in pages:
        yield page.title, page.page_id, page.revision, page.timestamp, page.text
