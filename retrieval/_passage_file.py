"""Stores the passages of an index in an SQLite file, by position, id and title."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from dfactscore._util.reporting import StepProgress
from dfactscore._util.sqlite import SQLiteReader, open_sqlite, sqlite_errors
from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._normalize import normalize_title

_BATCH = 2000  # passages per transaction
_SCHEMA = """
CREATE TABLE passages (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
"""


def _chain(digest: str, passage: Passage) -> str:
    """Updates the running hash of all passages so far with one more passage."""
    record = "\0".join((digest, passage.id, passage.title, passage.text))
    return hashlib.blake2b(record.encode(), digest_size=16).hexdigest()


def _open(path: Path) -> sqlite3.Connection:
    settings = "page_size=8192", "journal_mode=TRUNCATE", "synchronous=OFF"
    with sqlite_errors(path, "cannot be written", error=IndexFolderError):
        db = open_sqlite(path, *settings)
        if not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            db.execute("BEGIN")
            for statement in _SCHEMA.split(";\n"):
                db.execute(statement)
            db.execute("INSERT INTO meta VALUES ('count', '0'), ('hash', ''), ('complete', '0')")
            db.execute("COMMIT")
    return db


def _insert(db: sqlite3.Connection, count: int, digest: str, batch: Sequence[Passage]) -> str:
    with db:  # commits, or rolls back
        db.execute("BEGIN")
        for position, passage in enumerate(batch, start=count):
            if not passage.id:
                raise IndexFolderError(
                    f"passage {position + 1} ('{passage.title}') has no id; every passage needs one"
                )
            if not passage.text.strip():
                raise IndexFolderError(f"passage {passage.id} ('{passage.title}') has no text")
            digest = _chain(digest, passage)
            row = (position, passage.id, passage.title, passage.text)
            try:
                db.execute("INSERT INTO passages VALUES (?, ?, ?, ?)", row)
            except sqlite3.IntegrityError:
                (title,) = db.execute(
                    "SELECT title FROM passages WHERE id = ?", (passage.id,)
                ).fetchone()
                raise IndexFolderError(
                    f"the id '{passage.id}' is repeated: in '{title}' and in '{passage.title}'; "
                    "ids must be unique"
                ) from None
        db.executemany(
            "UPDATE meta SET value = ? WHERE key = ?",
            [(str(count + len(batch)), "count"), (digest, "hash")],
        )
    return digest


def append_passages(
    passages: Iterable[Passage],
    path: str | Path,
    *,
    after: int = 0,
    progress: StepProgress | None = None,
) -> tuple[int, str]:
    """Appends passages to the existing ones; if interrupted, the same call resumes."""
    path = Path(path)
    errors = sqlite_errors(path, "cannot be written", error=IndexFolderError)
    with contextlib.closing(_open(path)) as db, errors:
        meta = dict(db.execute("SELECT key, value FROM meta"))
        if not str(meta.get("count")).isdecimal() or "hash" not in meta:
            raise IndexFolderError(f"{path}: damaged; delete the folder to start again")
        count, digest = int(meta["count"]), meta["hash"]
        if count < after:
            raise IndexFolderError(f"{path}: contains {count} passages, not the {after} expected")
        db.execute("UPDATE meta SET value = '0' WHERE key = 'complete'")
        stream = iter(passages)
        if count > after:
            last = next(islice(stream, count - after - 1, None), None)
            row = db.execute(
                "SELECT id, title, text FROM passages WHERE position = ?", (count - 1,)
            ).fetchone()
            if last is None or row != (last.id, last.title, last.text):
                was = f"'{row[1]}'" if row else "lost"
                raise IndexFolderError(
                    f"{path}: was started from other passages (number {count} was {was}); "
                    "delete the folder to start again"
                )
        while rows := list(islice(stream, _BATCH)):
            digest = _insert(db, count, digest, rows)
            count += len(rows)
            if progress:
                progress("store", count)
        if not count:
            raise IndexFolderError("the source contains no passages")
        db.execute("CREATE INDEX IF NOT EXISTS passages_title ON passages(title)")
        db.execute("UPDATE meta SET value = '1' WHERE key = 'complete'")
    return count, digest


class PassageStore:
    """Reads passages; threads and processes may share it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise IndexFolderError(f"{self.path}: no such file")
        self._file = SQLiteReader(self.path, error=IndexFolderError)
        meta = dict(self._file.rows("SELECT key, value FROM meta"))
        if meta.get("complete") != "1":
            raise IndexFolderError(f"{self.path}: unfinished; run the build again to resume")
        if not str(meta.get("count")).isdecimal():
            raise self._damaged()
        self.count = int(meta["count"])
        self.hash = str(meta.get("hash"))

    def _damaged(self) -> IndexFolderError:
        return IndexFolderError(f"{self.path}: damaged; build the index again")

    def __len__(self) -> int:
        return self.count

    def get(self, positions: Sequence[int]) -> list[Passage]:
        """Reads passages by position."""
        by_position: dict[int, Passage] = {}
        distinct = list(dict.fromkeys(int(p) for p in positions))
        for start in range(0, len(distinct), 500):
            part = distinct[start : start + 500]
            marks = ",".join("?" * len(part))
            sql = f"SELECT position, title, text, id FROM passages WHERE position IN ({marks})"
            for position, *row in self._file.rows(sql, *part):
                by_position[position] = self._passage(row)
        if len(by_position) < len(distinct):
            raise self._damaged()
        return [by_position[int(p)] for p in positions]

    def _passage(self, row: Sequence[Any]) -> Passage:
        if any(type(field) is not str for field in row):
            raise self._damaged()
        return Passage(*row)

    def range(self, start: int, stop: int) -> list[Passage]:
        """Reads consecutive passages."""
        rows = self._file.rows(
            "SELECT title, text, id FROM passages WHERE position >= ? AND position < ?"
            " ORDER BY position",
            start,
            stop,
        )
        return [self._passage(row) for row in rows]

    def __iter__(self) -> Iterator[Passage]:
        for start in range(0, self.count, 5000):
            yield from self.range(start, start + 5000)

    def by_title(self, title: str) -> list[int]:
        """Finds the passages with a title as written or, if there are none, its normal form."""
        # Returns positions in ascending order; empty if the title is missing.
        for form in dict.fromkeys((title, normalize_title(title))):
            rows = self._file.rows(
                "SELECT position FROM passages WHERE title = ? ORDER BY position", form
            )
            if rows:
                return [row[0] for row in rows]
        return []

    def repeated(self, after: int) -> int:
        """Counts passages from a position on whose title and text already occur earlier."""
        sql = (
            "SELECT count(*) FROM passages AS p WHERE position >= ? AND EXISTS (SELECT 1 FROM"
            " passages AS q WHERE q.title = p.title AND q.text = p.text"
            " AND q.position < p.position)"
        )
        return int(self._file.rows(sql, after)[0][0])

    def recomputed_hash(self) -> str:
        """Recomputes the hash of all passages, for comparison with `hash`."""
        digest = ""
        for passage in self:
            digest = _chain(digest, passage)
        return digest
