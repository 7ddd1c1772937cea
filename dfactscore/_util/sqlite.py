"""Opens SQLite files consistently, with one-line errors."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import MakeError
from dfactscore._util.input_limits import check_regular

_BUSY_SECONDS = 60.0
_PAUSE_SECONDS = 0.01
# The message about a damaged file may itself not be UTF-8.
_FAULTS = (sqlite3.Error, UnicodeError, OverflowError)


@contextlib.contextmanager
def sqlite_errors(path: Path, what: str, *, error: MakeError) -> Iterator[None]:
    """Turns what SQLite says of a file that is damaged, full or locked into the caller's error.

    Args:
        path: The file.
        what: The failure, after the path (``"cannot be read"``).
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it fails.
    """
    try:
        yield
    except _FAULTS as problem:
        raise error(f"{path}: {what} ({problem})") from None


def open_sqlite(
    path: Path,
    *pragmas: str,
    read_only: bool = False,
    any_thread: bool = False,
    wait: float = _BUSY_SECONDS,
) -> sqlite3.Connection:
    """Opens an SQLite file; one that is damaged shows at once.

    Transactions begin where the caller begins them, and a lock is waited for.

    Args:
        path: The file; it is made where absent, unless it is only read.
        *pragmas: Settings, such as ``"journal_mode=WAL"``.
        read_only: Write nothing, not even a file beside it.
        any_thread: Threads other than this one may use the connection, one at a time.
        wait: Seconds for which a lock is waited for.

    Raises:
        sqlite3.Error: If it cannot be opened or is not an SQLite file; see `sqlite_errors`.
    """
    if not read_only:
        return _connect(path, "mode=rwc", pragmas, any_thread, wait)
    try:
        return _connect(path, "mode=ro", pragmas, any_thread, wait)
    except sqlite3.OperationalError:
        # Reading a file in WAL mode makes files beside it, which a read-only disk cannot take;
        # no one can be writing it there.
        if os.access(path.parent, os.W_OK):
            raise
        changes = path.with_name(f"{path.name}-wal")
        if changes.exists() and changes.stat().st_size:
            raise sqlite3.DatabaseError(
                f"its last changes stand in {changes.name}, which cannot be read on a read-only "
                "disk: copy both files to a folder that can be written"
            ) from None
        return _connect(path, "mode=ro&immutable=1", pragmas, any_thread, wait)


def refuse_other_tables(path: Path, schema: str) -> None:
    """Refuses a file with tables that are not of a schema, before anything is written to it.

    Args:
        path: The file; one that is absent or empty is not refused, nor one that lacks tables.
        schema: The statements that make the tables.

    Raises:
        sqlite3.Error: If it has others, or is not an SQLite file; see `sqlite_errors`.
    """
    if not path.exists() or not path.stat().st_size:
        return
    with contextlib.closing(sqlite3.connect(":memory:")) as blank:
        blank.executescript(schema)
        ours = _columns(blank)
    with contextlib.closing(open_sqlite(path, read_only=True)) as db:
        there = _columns(db)
    for table, columns in there.items():
        if table not in ours:
            raise sqlite3.DatabaseError(f"it has a table {table!r} and so is another database")
        if missing := sorted(ours[table] - columns):
            raise sqlite3.DatabaseError(f"its {table} have no {', '.join(missing)}")


def _columns(db: sqlite3.Connection) -> dict[str, set[str]]:
    """The columns of each table."""
    found: dict[str, set[str]] = {}
    for table, column in db.execute(
        "SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p "
        "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ):
        found.setdefault(str(table), set()).add(str(column))
    return found


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
    """Waits for what SQLite does not wait for: another process that sets the journal mode, too."""
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
    """Sets SQLite's count of changes in a closed file, for it depends on where a kill fell.

    The header has it twice, at bytes 24 and 92 (https://www.sqlite.org/fileformat.html, 1.3.7).
    """
    with path.open("r+b") as file:
        for place in (24, 92):
            file.seek(place)
            file.write((value % 2**32).to_bytes(4, "big"))
        file.flush()
        os.fsync(file.fileno())


class SQLiteReader:
    """A file to read from; threads and processes may share it.

    Args:
        path: The file.
        *pragmas: As in `open_sqlite`.
        what: The operation that fails on a damaged file, as in `sqlite_errors`.
        error: Makes the errors to raise.
    """

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
        # It belongs to one thread of one process: after a fork it must not be used.
        if getattr(self._local, "pid", None) != os.getpid():
            db = open_sqlite(self.path, *self._pragmas, read_only=True, any_thread=True)
            self._local.db, self._local.pid = db, os.getpid()
            self._open.append(db)
        connection: sqlite3.Connection = self._local.db
        return connection

    def rows(self, sql: str, *values: object) -> list[Any]:
        """All rows of a query; none if a value holds half a surrogate pair, as no file does.

        Raises:
            Exception: Made by `error`, if the file cannot be read.
        """
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeEncodeError:
            return []
        except _FAULTS as problem:
            raise self._error(f"{self.path}: {self._what} ({problem})") from None

    def each(self, sql: str, *values: object) -> Iterator[Any]:
        """The rows of a query, one by one; see `rows`."""
        with sqlite_errors(self.path, self._what, error=self._error):
            # Not `yield from`: a generator that is given up would close the cursor, which raises
            # where the file is closed already.
            for row in self._connection.execute(sql, values):  # noqa: UP028
                yield row

    def close(self) -> None:
        """Closes the connections of all threads."""
        while self._open:
            self._open.pop().close()
        self._local = threading.local()
