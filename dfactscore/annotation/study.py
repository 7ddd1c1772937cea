"""A study file, open: transactions, and who is who."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dfactscore._util.jsonl import JSONError
from dfactscore._util.near import near_file, near_miss
from dfactscore._util.validated import Form, Text, misfit
from dfactscore.annotation.stored import stored
from dfactscore.errors import InputError, MissingExtraError, RunError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = ["ADJUDICATOR", "Person", "Study", "make_engine", "need_extra"]

ADJUDICATOR = "adjudicator"
_EXTRA = ("sqlalchemy", "starlette", "uvicorn", "jinja2", "python_multipart")
_BUSY_SECONDS = 30.0


def need_extra() -> None:
    """Checks that what this room needs is installed.

    Raises:
        MissingExtraError: If it is not.
    """
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _EXTRA):
        raise MissingExtraError("Annotation", "annotate")


class _Settings(Form):
    seed: int
    blind: bool
    qualify_min: float
    runs: list[Text]


class Person(NamedTuple):
    """A person of a study.

    Attributes:
        id: Row number.
        name: Unique within the study.
        role: ``"annotator"`` or ``"adjudicator"``.
        revoked: Whether the links and sessions were ended.
        released: Whether the adjudicator released them from qualifying.
    """

    id: int
    name: str
    role: str
    revoked: bool
    released: bool


def make_engine(path: Path, journal: str = "WAL") -> Engine:
    """An engine whose every connection keeps what it has acknowledged.

    Args:
        path: The file.
        journal: SQLite's journal mode.
    """
    from sqlalchemy import URL, create_engine, event

    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we begin them
        for pragma in (f"journal_mode={journal}", "foreign_keys=ON", "synchronous=FULL",
                       f"busy_timeout={int(_BUSY_SECONDS * 1000)}"):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        # A transaction that writes takes the lock at once: one that has read before cannot wait.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


class Study:
    """A study file.

    Args:
        path: The file.

    Raises:
        InputError: If there is none, or it is not a study, or one of a later version.
    """

    def __init__(self, path: str | Path) -> None:
        need_extra()
        self.path = Path(path)
        _check(self.path)
        self._engine = make_engine(self.path)
        self._writer = threading.Lock()
        with self.read() as db:
            row = db.exec_driver_sql("SELECT key, settings, created FROM study").one()
            settings = stored(row[1])
        if problem := misfit(_Settings, settings):
            raise RunError(f"{self.path}: cannot be used (its settings: {problem})")
        self.key: str = row[0]
        self.created: str = row[2]
        self.settings: Mapping[str, Any] = settings

    @property
    def seed(self) -> int:
        """Seed of all that is shuffled."""
        return int(self.settings["seed"])

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state of the file."""
        with self._faults(), self._engine.connect() as db, db.begin():
            yield db

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is on the disk when the block ends without an error."""
        with self._faults(), self._writer, self._engine.connect() as db:
            db = db.execution_options(writes=True)
            with db.begin():
                yield db

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        from sqlalchemy.exc import DatabaseError

        try:
            yield
        except DatabaseError as problem:
            raise RunError(f"{self.path}: cannot be used ({problem.orig})") from None
        except JSONError as problem:
            raise RunError(f"{self.path}: cannot be used (a stored value: {problem})") from None

    def people(self) -> list[Person]:
        """All people, in the order in which they came; the adjudicator last."""
        with self.read() as db:
            rows = db.exec_driver_sql(
                "SELECT id, name, role, revoked, released FROM annotator ORDER BY role DESC, id"
            )
            return [Person(r[0], r[1], r[2], bool(r[3]), bool(r[4])) for r in rows]

    def person(self, name: str) -> Person:
        """Someone by name.

        Raises:
            InputError: If there is no one of that name.
        """
        people = self.people()
        for person in people:
            if person.name == name:
                return person
        names = [person.name for person in people]
        near = near_miss(name, names)
        raise InputError(f"{self.path}: no annotator {name!r}{near} (there is {', '.join(names)})")

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check(path: Path) -> None:
    from dfactscore._util.sqlite import open_sqlite
    from dfactscore.annotation.schema import SCHEMA

    if not path.is_file():
        raise InputError(f"{path}: no such study{near_file(path, '.db')}")
    try:
        with contextlib.closing(open_sqlite(path, read_only=True)) as db:
            schema = db.execute("SELECT schema FROM study").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            # Damage that leaves a readable file: empty cells where there must be a value.
            whole = db.execute("PRAGMA quick_check(1)").fetchone()[0]
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
    if whole != "ok":
        raise RunError(f"{path}: cannot be used ({whole})")
