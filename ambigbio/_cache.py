"""On-disk cache of web responses that survives if the process is killed."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from dfactscore._util.files import dump_json, make_folder
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.sqlite import open_sqlite, refuse_other_tables, sqlite_errors
from dfactscore.ambigbio._errors import AmbigBioError

ONE = "#one"  # suffix for the addresses of partial responses, about one of several subjects
_COUNT = "SELECT COUNT(*) FROM answers WHERE address NOT LIKE ?"

SCHEMA = (  # of responses
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, address TEXT NOT NULL, "
    "parameters TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID"
)


def unusable_file(problem: str) -> AmbigBioError:
    """Returns the error to raise for an unusable cache file."""
    return AmbigBioError(f"{problem}: give another file with --cache")


class SqliteCache:
    """An SQLite cache of results that survives if the process is killed."""

    def __init__(self, path: Path, *schema: str) -> None:
        self.path = path
        make_folder(path.parent, error=AmbigBioError)
        with self._reading():
            refuse_other_tables(path, ";".join(schema))
            self._db = open_sqlite(path, "journal_mode=WAL", "synchronous=NORMAL")
            try:
                for statement in schema:
                    self._db.execute(statement)
            except BaseException:
                self.close()  # releases the lock now rather than at garbage collection
                raise

    def _reading(self) -> AbstractContextManager[None]:
        return sqlite_errors(self.path, "cannot be used as a cache", error=unusable_file)

    def rows(self, sql: str, *values: object) -> Iterator[Any]:
        """Yields the rows that a query returns."""
        with self._reading():
            # Not `yield from`, see `dfactscore._util.sqlite.SQLiteReader.each`.
            for row in self._db.execute(sql, values):  # noqa: UP028
                yield row

    @contextmanager
    def writing(self, kept: Callable[[], str]) -> Iterator[sqlite3.Connection]:
        """Context in which either all statements are committed or none."""
        # `kept`: returns the part of the error message that says which data survives if the disk is
        # full.

        def full(problem: str) -> AmbigBioError:
            return AmbigBioError(f"{problem}: make room and run the same command again; {kept()}")

        # Leaving the connection commits, or rolls back.
        with sqlite_errors(self.path, "cannot be written", error=full), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


class ResponseCache(SqliteCache):
    """Cache of responses from web services in an SQLite file; each is committed before use."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, SCHEMA)

    @staticmethod
    def _key(address: str, parameters: Mapping[str, Any]) -> tuple[str, str]:
        text = json.dumps(dict(parameters), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(f"{address}\n{text}".encode()).hexdigest(), text

    def get(self, address: str, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
        """Returns the cached response to a request, or None if it is absent or damaged."""
        key, _ = self._key(address, parameters)
        row = next(self.rows("SELECT body FROM answers WHERE key = ?", key), None)
        try:
            answer = None if row is None else parse_json(zlib.decompress(row[0]))
        except (zlib.error, TypeError, JSONError):
            return None
        return answer if isinstance(answer, dict) else None

    def put(self, address: str, parameters: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Caches the response to a request."""
        self.put_all(address, [(parameters, answer)])

    def put_all(
        self, address: str, answers: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
    ) -> None:
        """Caches several responses in one transaction, each with its parameters; see `put`."""
        rows = []
        for parameters, answer in answers:
            key, text = self._key(address, parameters)
            rows.append((key, address, text, zlib.compress(dump_json(answer).encode(), 3)))
        with self.writing(self._so_far) as db:
            db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)

    def drop(self, address: str, parameters: Mapping[str, Any]) -> None:
        """Removes the response to a request, so that the request is sent again."""
        key, _ = self._key(address, parameters)
        with self.writing(self._so_far) as db:
            db.execute("DELETE FROM answers WHERE key = ?", (key,))

    def _so_far(self) -> str:
        return f"the {len(self)} answers so far are kept"

    def __len__(self) -> int:
        """The number of cached responses, excluding partial ones."""
        count: int = next(self.rows(_COUNT, f"%{ONE}"))[0]
        return count
