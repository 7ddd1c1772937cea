"""Answers on disk: what was answered once is not asked again, after a kill too."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dfactscore._util.files import dump_json, make_folder
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.sqlite import open_sqlite, sqlite_errors
from dfactscore.ambigbio.errors import AmbigBioError

__all__ = ["ONE", "ResponseCache"]

ONE = "#one"  # ends the address of what is kept about one thing, of an answer about many
_COUNT = "SELECT COUNT(*) FROM answers WHERE address NOT LIKE ?"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, address TEXT NOT NULL, parameters TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID
"""


def _other_file(problem: str) -> AmbigBioError:
    return AmbigBioError(f"{problem}: give another file with --cache")


class ResponseCache:
    """Answers of a web service in one SQLite file, each committed before it is used.

    Args:
        path: The file; it is made where absent.

    Raises:
        AmbigBioError: The file cannot be opened or is not such a cache.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        make_folder(path.parent, error=AmbigBioError)
        with sqlite_errors(path, "cannot be used as a cache", error=_other_file):
            self._db = open_sqlite(path, "journal_mode=WAL", "synchronous=NORMAL")
            self._db.execute(_SCHEMA)

    @staticmethod
    def _key(address: str, parameters: Mapping[str, Any]) -> tuple[str, str]:
        text = json.dumps(dict(parameters), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(f"{address}\n{text}".encode()).hexdigest(), text

    def get(self, address: str, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
        """The kept answer to a request, or None; one that is damaged is asked for again.

        Raises:
            AmbigBioError: The file cannot be read.
        """
        key, _ = self._key(address, parameters)
        with sqlite_errors(self.path, "cannot be used as a cache", error=_other_file):
            row = self._db.execute("SELECT body FROM answers WHERE key = ?", (key,)).fetchone()
        try:
            answer = None if row is None else parse_json(zlib.decompress(row[0]))
        except (zlib.error, TypeError, JSONError):
            return None
        return answer if isinstance(answer, dict) else None

    def put(self, address: str, parameters: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Keeps the answer to a request.

        Raises:
            AmbigBioError: It cannot be written, as on a full disk.
        """
        self.put_all(address, [(parameters, answer)])

    def put_all(
        self, address: str, answers: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
    ) -> None:
        """Keeps several answers with the parameters of each, all or none; see `put`."""
        rows = []
        for parameters, answer in answers:
            key, text = self._key(address, parameters)
            rows.append((key, address, text, zlib.compress(dump_json(answer).encode(), 3)))
        with sqlite_errors(self.path, "cannot be written", error=self._full):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def drop(self, address: str, parameters: Mapping[str, Any]) -> None:
        """Forgets the answer to a request, so that it is asked again."""
        key, _ = self._key(address, parameters)
        with sqlite_errors(self.path, "cannot be written", error=self._full):
            self._db.execute("DELETE FROM answers WHERE key = ?", (key,))

    def _full(self, problem: str) -> AmbigBioError:
        return AmbigBioError(
            f"{problem}: make room and run the same command again; the {len(self)} answers so far "
            "are kept"
        )

    def __len__(self) -> int:
        """How many answers of services are kept."""
        with sqlite_errors(self.path, "cannot be used as a cache", error=_other_file):
            count: int = self._db.execute(_COUNT, (f"%{ONE}",)).fetchone()[0]
        return count

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
