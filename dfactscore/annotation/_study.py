"""Study files: the database schema, transactions and a study's people."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore._errors import InputError, RunError
from dfactscore._util.jsonl import JSONError
from dfactscore._util.message_text import near_file, near_miss
from dfactscore._util.sqlite import open_sqlite, sqlite_errors
from dfactscore._util.validated import Form, Text, misfit
from dfactscore.annotation._answers import stored

SCHEMA = 1

TABLES = f"""
CREATE TABLE study (
    id INTEGER NOT NULL PRIMARY KEY,
    key TEXT NOT NULL,          -- digest of the texts
    schema INTEGER NOT NULL,
    created TEXT NOT NULL,
    settings TEXT NOT NULL,     -- JSON
    address TEXT                -- last address of `serve`
) STRICT;
CREATE TABLE annotator (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,         -- annotator, adjudicator
    revoked INTEGER NOT NULL,
    released INTEGER NOT NULL   -- may annotate without qualification
) STRICT;
-- Hashes of entry links and of the sessions that they open.
CREATE TABLE session (
    id INTEGER NOT NULL PRIMARY KEY,
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    kind TEXT NOT NULL,         -- serve, token (links); cookie (session)
    digest TEXT NOT NULL UNIQUE,
    created REAL NOT NULL
) STRICT;
CREATE TABLE item (
    id INTEGER NOT NULL PRIMARY KEY,
    public TEXT NOT NULL UNIQUE,  -- id in addresses; does not reveal run or model
    kind TEXT NOT NULL,         -- task, qualify
    run TEXT NOT NULL,
    record TEXT NOT NULL,
    model TEXT NOT NULL,
    stratum TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    sentences TEXT NOT NULL,    -- JSON: [[start, end], …]
    automatic TEXT NOT NULL,    -- JSON: results of the run
    known TEXT,                 -- JSON: known answers of a qualifying paragraph
    UNIQUE (run, record)
) STRICT;
CREATE TABLE fact (
    id INTEGER NOT NULL PRIMARY KEY,
    item_id INTEGER NOT NULL REFERENCES item (id),
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    sentence INTEGER,
    UNIQUE (item_id, position)
) STRICT;
CREATE TABLE page (
    id INTEGER NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE candidate (
    item_id INTEGER NOT NULL REFERENCES item (id),
    page_id INTEGER NOT NULL REFERENCES page (id),
    rank INTEGER NOT NULL,
    PRIMARY KEY (item_id, page_id)
) STRICT;
CREATE TABLE assignment (
    id INTEGER NOT NULL PRIMARY KEY,
    item_id INTEGER NOT NULL REFERENCES item (id),
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    position INTEGER NOT NULL,
    UNIQUE (item_id, annotator_id)
) STRICT;
CREATE TABLE answer (
    id INTEGER NOT NULL PRIMARY KEY,
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    item_id INTEGER NOT NULL REFERENCES item (id),
    part TEXT NOT NULL,         -- item, biography/1, fact/0
    question TEXT NOT NULL,
    value TEXT NOT NULL,        -- JSON
    counter INTEGER NOT NULL,   -- counter of the browser; late requests are ignored
    saved REAL NOT NULL,
    UNIQUE (annotator_id, item_id, part, question)
) STRICT;
CREATE TABLE event (
    id INTEGER NOT NULL PRIMARY KEY,
    time REAL NOT NULL,
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    item_id INTEGER NOT NULL REFERENCES item (id),
    part TEXT NOT NULL,
    question TEXT NOT NULL,
    value TEXT NOT NULL,
    counter INTEGER NOT NULL
) STRICT;
CREATE INDEX event_of_item ON event (item_id, annotator_id);
CREATE TRIGGER event_no_update BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER event_no_delete BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
PRAGMA user_version = {SCHEMA};
"""


def insert(db: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Adds rows to a table; all rows must have the same columns as the first."""
    if rows:
        names = list(rows[0])
        marks = ", ".join(f":{name}" for name in names)
        db.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)


#: SQLite types that are valid in columns of a declared type, even in non-strict tables.
_STORED = {
    "INTEGER": ("integer", "null"),
    "FLOAT": ("real", "integer", "null"),
    "REAL": ("real", "integer", "null"),
    "TEXT": ("text", "null"),
}


def mistyped(db: sqlite3.Connection) -> str:
    """A message about the first value of the wrong type; empty if all types are correct."""
    tables = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ).fetchall()
    for (table,) in tables:
        for _, column, kind, *_ in db.execute(f'PRAGMA table_info("{table}")').fetchall():
            known = _STORED.get(kind)
            if known is None:
                continue
            row = db.execute(
                f'SELECT rowid, typeof("{column}") FROM "{table}" '
                f'WHERE typeof("{column}") NOT IN {known} LIMIT 1'
            ).fetchone()
            if row is not None:
                return f"{table}.{column} of row {row[0]} is {row[1]}, not {kind.lower()}"
    return ""


ADJUDICATOR = "adjudicator"
_PRAGMAS = ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL")
_BUSY_SECONDS = 30.0


class _Settings(Form):
    seed: int
    blind: bool
    qualify_min: float
    runs: list[Text]


class StudyMember(NamedTuple):
    """A person in a study."""

    id: int
    name: str
    role: str  # `"annotator"` or `"adjudicator"`
    revoked: bool
    released: bool  # whether the person may annotate without qualification


class Study:
    """An open study file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        _check(self.path)
        self._writer = threading.Lock()
        self._idle: list[sqlite3.Connection] = []  # idle connections; each transaction uses one
        with self.read() as db:
            self.key: str
            self.created: str
            self.key, text, self.created = db.execute(
                "SELECT key, settings, created FROM study"
            ).fetchone()
            settings = stored(text)
        if problem := misfit(_Settings, settings):
            raise RunError(f"{self.path}: cannot be used (its settings: {problem})")
        self.settings: Mapping[str, Any] = settings

    @property
    def seed(self) -> int:
        """Random seed for all orderings."""
        return int(self.settings["seed"])

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A transaction that reads a single consistent state of the file."""
        with self._transaction("BEGIN") as db:
            yield db

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is written to disk when the block ends without an error."""
        # IMMEDIATE takes the lock at once; a transaction that has already read cannot wait for it.
        with self._writer, self._transaction("BEGIN IMMEDIATE") as db:
            yield db

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        try:
            with sqlite_errors(self.path, "cannot be used", error=RunError):
                db = self._connection()
                try:
                    with db:  # commits, or rolls back
                        db.execute(begin)
                        yield db
                finally:
                    self._idle.append(db)
        except JSONError as problem:
            raise RunError(f"{self.path}: cannot be used (a stored value: {problem})") from None

    def _connection(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            if not all(os.access(place, os.W_OK) for place in (self.path, self.path.parent)):
                # On a read-only disk, a study can still be read.
                return open_sqlite(self.path, read_only=True, any_thread=True, wait=_BUSY_SECONDS)
            return open_sqlite(self.path, *_PRAGMAS, any_thread=True, wait=_BUSY_SECONDS)

    def people(self) -> list[StudyMember]:
        """All people in the order in which they were added, with the adjudicator last."""
        with self.read() as db:
            rows = db.execute(
                "SELECT id, name, role, revoked, released FROM annotator ORDER BY role DESC, id"
            )
            return [StudyMember(r[0], r[1], r[2], bool(r[3]), bool(r[4])) for r in rows]

    def person(self, name: str) -> StudyMember:
        """The person with the given name."""
        people = self.people()
        for person in people:
            if person.name == name:
                return person
        names = [person.name for person in people]
        near = near_miss(name, names)
        raise InputError(f"{self.path}: no annotator {name!r}{near} (there is {', '.join(names)})")

    def close(self) -> None:
        """Closes all connections."""
        while self._idle:
            self._idle.pop().close()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check(path: Path) -> None:
    if not path.is_file():
        raise InputError(f"{path}: no such study{near_file(path, '.db')}")
    try:
        with contextlib.closing(open_sqlite(path, read_only=True)) as db:
            schema = db.execute("SELECT schema FROM study").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            # SQLite's check misses values of the wrong type.
            condition = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            condition = mistyped(db) or condition if condition == "ok" else condition
        newest = max(int(schema), int(version))
    except (sqlite3.Error, UnicodeError, TypeError, ValueError):
        raise InputError(
            f"{path}: is not a study; make one with: dfactscore annotate init RUN --out {path}"
        ) from None
    if newest > SCHEMA:
        raise InputError(
            f"{path}: was written by a later version (schema {newest}, this one reads {SCHEMA}); "
            "update dfactscore"
        )
    if condition != "ok":
        raise RunError(f"{path}: cannot be used ({condition})")
