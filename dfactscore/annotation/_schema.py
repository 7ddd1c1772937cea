"""The database schema of a study: texts, people, answers and events."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

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
