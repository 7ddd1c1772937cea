"""Opens study files, and provides transactions and a study's people."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore._errors import InputError, RunError
from dfactscore._util.jsonl import JSONError
from dfactscore._util.near import near_file, near_miss
from dfactscore._util.sqlite import open_sqlite, sqlite_errors
from dfactscore._util.validated import Form, Text, misfit
from dfactscore.annotation._json_columns import stored
from dfactscore.annotation._schema import SCHEMA, mistyped

ADJUDICATOR = "adjudicator"
_PRAGMAS = ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL")
_BUSY_SECONDS = 30.0


class _Settings(Form):
    seed: int
    blind: bool
    qualify_min: float
    runs: list[Text]


class Person(NamedTuple):
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

    def people(self) -> list[Person]:
        """All people in the order in which they were added, with the adjudicator last."""
        with self.read() as db:
            rows = db.execute(
                "SELECT id, name, role, revoked, released FROM annotator ORDER BY role DESC, id"
            )
            return [Person(r[0], r[1], r[2], bool(r[3]), bool(r[4])) for r in rows]

    def person(self, name: str) -> Person:
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
