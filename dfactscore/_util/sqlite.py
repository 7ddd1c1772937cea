"""Opens SQLite files in a consistent way and reports errors on one line."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dfactscore._util.files import check_regular
from dfactscore._util.reporting import MakeError

BUSY_SECONDS = 60.0
_PAUSE_SECONDS = 0.01
# Messages about damaged files may not be valid UTF-8.
_FAULTS = (sqlite3.Error, UnicodeError, OverflowError)


@contextlib.contextmanager
def sqlite_errors(path: Path, what: str, *, error: MakeError) -> Iterator[None]:
    """Turns SQLite errors (a damaged, full or locked file) into the caller's error."""
    # `what`: what failed, in words (`"cannot be read"`, for example).
    try:
        yield
    except _FAULTS as problem:
        raise error(f"{path}: {what} ({problem})") from None


def open_sqlite(
    path: Path,  # file; created if missing, unless read-only
    *pragmas: str,  # pragmas to set, such as `"journal_mode=WAL"`
    read_only: bool = False,
    any_thread: bool = False,
    wait: float = BUSY_SECONDS,
) -> sqlite3.Connection:
    """Opens an SQLite file in autocommit mode and checks that it is readable."""
    if not read_only:
        return _connect(path, "mode=rwc", pragmas, any_thread, wait)
    try:
        return _connect(path, "mode=ro", pragmas, any_thread, wait)
    except sqlite3.OperationalError:
        # Reading in WAL mode creates files next to this one, which a read-only disk does not allow.
        # As no process can write there, the file cannot change.
        if os.access(path.parent, os.W_OK):
            raise
        changes = path.with_name(f"{path.name}-wal")
        if changes.exists() and changes.stat().st_size:
            raise sqlite3.DatabaseError(
                f"its last changes are in {changes.name}, which cannot be read on a read-only "
                "disk: copy both files to a folder that can be written"
            ) from None
        return _connect(path, "mode=ro&immutable=1", pragmas, any_thread, wait)


def refuse_other_tables(path: Path, schema: str, *, wait: float = BUSY_SECONDS) -> None:
    """Rejects a file that has unknown tables or lacks columns; whole tables may be missing."""
    if not path.exists() or not path.stat().st_size:
        return
    with contextlib.closing(sqlite3.connect(":memory:")) as blank:
        blank.executescript(schema)
        expected = _columns(blank)
    with contextlib.closing(open_sqlite(path, read_only=True, wait=wait)) as db:
        existing = _columns(db)
    for table, columns in existing.items():
        if table not in expected:
            raise sqlite3.DatabaseError(f"it has a table {table!r} and so is another database")
        if missing := sorted(expected[table] - columns):
            raise sqlite3.DatabaseError(f"its {table} have no {', '.join(missing)}")


def _columns(db: sqlite3.Connection) -> dict[str, set[str]]:
    """Returns the columns of each table."""
    columns: dict[str, set[str]] = {}
    for table, column in db.execute(
        "SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p "
        "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ):
        columns.setdefault(str(table), set()).add(str(column))
    return columns


def _connect(
    path: Path, mode: str, pragmas: tuple[str, ...], any_thread: bool, wait: float
) -> sqlite3.Connection:
    check_regular(path, error=sqlite3.DatabaseError)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=not any_thread,
    )
    try:
        for pragma in pragmas:
            _set(connection, pragma, wait)
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _set(connection: sqlite3.Connection, pragma: str, wait: float) -> None:
    """Sets a pragma; unlike SQLite, waits while another process sets the journal mode."""
    until = time.monotonic() + wait
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
            return
        except sqlite3.OperationalError as problem:
            if "locked" not in str(problem) or time.monotonic() >= until:
                raise
            time.sleep(_PAUSE_SECONDS)


def set_change_counter(path: Path, value: int) -> None:
    """Sets the change counter of a closed file, which would otherwise depend on interruptions.

    The header contains the counter twice, at bytes 24 and 92
    (https://www.sqlite.org/fileformat.html, 1.3.7).
    """
    with path.open("r+b") as file:
        for place in (24, 92):
            file.seek(place)
            file.write((value % 2**32).to_bytes(4, "big"))
        file.flush()
        os.fsync(file.fileno())


class SQLiteReader:
    """Reads an SQLite file; threads and processes can share the reader."""

    def __init__(
        self, path: Path, *pragmas: str, what: str = "cannot be read", error: MakeError
    ) -> None:
        self.path = path
        self._what = what
        self._pragmas = pragmas
        self._error = error
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []

    @property
    def _connection(self) -> sqlite3.Connection:
        # A connection belongs to one thread and must not be used after a fork.
        if getattr(self._local, "pid", None) != os.getpid():
            db = open_sqlite(self.path, *self._pragmas, read_only=True, any_thread=True)
            self._local.db, self._local.pid = db, os.getpid()
            self._open.append(db)
        connection: sqlite3.Connection = self._local.db
        return connection

    def rows(self, sql: str, *values: object) -> list[Any]:
        """Returns the rows of a query; none if a value contains half a surrogate pair."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeEncodeError:
            return []
        except _FAULTS as problem:
            raise self._error(f"{self.path}: {self._what} ({problem})") from None

    def each(self, sql: str, *values: object) -> Iterator[Any]:
        """Yields the rows of a query; see `rows`."""
        with sqlite_errors(self.path, self._what, error=self._error):
            # Not `yield from`: closing the generator would close the cursor, which raises an
            # error if the connection is already closed.
            for row in self._connection.execute(sql, values):  # noqa: UP028
                yield row

    def close(self) -> None:
        """Closes the connections of all threads."""
        while self._open:
            self._open.pop().close()
        self._local = threading.local()
