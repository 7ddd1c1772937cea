"""Answers on disk: what was answered once is not asked again, after a kill too."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore.ambigbio.errors import AmbigBioError

__all__ = ["ResponseCache"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, address TEXT NOT NULL, parameters TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID
"""


class ResponseCache:
    """Answers of a web service in one SQLite file, each committed before it is used.

    Args:
        path: The file; it is made where absent.

    Raises:
        AmbigBioError: The file cannot be opened or is not such a cache.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise AmbigBioError(
                f"cannot use {path} as a cache ({error}): give another file with --cache"
            ) from error

    @staticmethod
    def _key(address: str, parameters: Mapping[str, Any]) -> tuple[str, str]:
        text = json.dumps(dict(parameters), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(f"{address}\n{text}".encode()).hexdigest(), text

    def get(self, address: str, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
        """The kept answer to a request, or None."""
        key, _ = self._key(address, parameters)
        row = self._db.execute("SELECT body FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        answer: dict[str, Any] = json.loads(zlib.decompress(row[0]))
        return answer

    def put(self, address: str, parameters: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Keeps the answer to a request.

        Raises:
            AmbigBioError: It cannot be written, as on a full disk.
        """
        key, text = self._key(address, parameters)
        body = zlib.compress(json.dumps(answer, ensure_ascii=False).encode(), 3)
        try:
            self._db.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", (key, address, text, body)
            )
        except sqlite3.Error as error:
            raise AmbigBioError(
                f"cannot write to {self.path} ({error}): make room and run the same command "
                f"again; the {len(self)} answers so far are kept"
            ) from error

    def __len__(self) -> int:
        count: int = self._db.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
        return count

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
