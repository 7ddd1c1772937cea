"""Good answers on disk: SQLite, safe for many processes, written off the event loop."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import re
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore.engines.llm.client.errors import CacheError
from dfactscore.engines.llm.client.messages import Answer

__all__ = ["AnswerCache", "CacheStats", "default_cache_path"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY,
    created INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    model TEXT NOT NULL,
    stage TEXT NOT NULL,
    version TEXT NOT NULL,
    sample INTEGER NOT NULL,
    request BLOB NOT NULL,
    answer TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_COLUMNS = set(re.findall(r"^    (\w+) ", _SCHEMA, re.MULTILINE))
_BATCH = 500


def default_cache_path() -> Path:
    """``$DFACTSCORE_CACHE``, else ``llm.sqlite`` in the user's cache folder."""
    named = os.environ.get("DFACTSCORE_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    folder = Path(base) if base else Path.home() / ".cache"
    return folder / "dfactscore" / "llm.sqlite"


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds.

    Attributes:
        path: The file.
        size: Its size in bytes.
        answers: Number of answers.
        by_model: Answers and tokens by endpoint, model and stage.
    """

    path: Path
    size: int
    answers: int
    by_model: tuple[tuple[str, str, str, int], ...]


@dataclass(frozen=True, slots=True)
class _Row:
    values: tuple[Any, ...]
    request: Mapping[str, Any]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class AnswerCache:
    """Answers by key; the key is the client's business and holds all that can change an answer.

    Args:
        path: The database; its folder is made where it is missing.

    Raises:
        CacheError: If the file is no such database or cannot be written.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._queue: queue.SimpleQueue[_Row | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._read = self._connect()
            self._read.executescript(_SCHEMA)
            columns = {row[1] for row in self._read.execute("PRAGMA table_info(answers)")}
            if missing := _COLUMNS - columns:
                raise sqlite3.DatabaseError(f"its answers have no {', '.join(sorted(missing))}")
        except (OSError, sqlite3.Error) as error:
            raise CacheError(
                f"{self.path}: cannot be used as the answer cache ({error}); "
                "name another file with --cache, or delete this one"
            ) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        # In WAL mode NORMAL survives a killed process; only a power cut can lose the last commits.
        connection.execute("PRAGMA synchronous=NORMAL")
        return connection

    def get(self, key: bytes) -> Answer | None:
        """The answer stored under a key, or None."""
        with self._used():
            row = self._read.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            with suppress(ValueError, TypeError):
                return Answer.from_json(row[0])
            with self._read:  # A damaged answer is none, and must not keep out a good one.
                self._read.execute("DELETE FROM answers WHERE key = ?", (key,))
        return None

    @contextmanager
    def _used(self) -> Iterator[None]:
        """Holds the reading connection; what the file cannot give is the user's to know."""
        try:
            with self._lock:
                yield
        except (sqlite3.Error, OSError, zlib.error) as error:
            raise CacheError(
                f"{self.path}: the answer cache cannot be read or changed ({error}); name another "
                "file with --cache, or delete this one"
            ) from error

    async def put(
        self,
        key: bytes,
        answer: Answer,
        request: Mapping[str, Any],
        *,
        endpoint: str,
        stage: str,
        version: str,
        sample: int,
    ) -> None:
        """Stores an answer; returns once it is committed. An answer already there stays."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        model = str(request.get("model", ""))
        values = (key, endpoint, model, stage, version, sample, answer.to_json())
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._write_all, daemon=True, name="llm-cache")
            self._thread.start()
        self._queue.put(_Row(values, request, done, loop))
        await done

    def _write_all(self) -> None:
        connection: sqlite3.Connection | None = None
        while (row := self._queue.get()) is not None:
            rows = [row]
            # Whatever came in during the last commit goes into the next one.
            while len(rows) < _BATCH and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._queue.put(None)
                    break
                rows.append(following)
            failure: CacheError | None = None
            try:
                connection = connection or self._connect()
                self._insert(connection, rows)
            except Exception as error:  # Who waits for this thread must hear of anything.
                failure = CacheError(f"{self.path}: the answers cannot be stored ({error})")
            for written in rows:
                _tell(written, failure)
        if connection is not None:
            connection.close()

    def _insert(self, connection: sqlite3.Connection, rows: list[_Row]) -> None:
        now = int(time.time())
        values = []
        for row in rows:
            key, endpoint, model, stage, version, sample, answer = row.values
            body = zlib.compress(json.dumps(row.request, ensure_ascii=False).encode(), 1)
            values.append((key, now, endpoint, model, stage, version, sample, body, answer))
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values
            )

    def note(self, key: str) -> str | None:
        """A remark kept beside the answers (what an endpoint can do, open batch jobs), or None."""
        with self._used():
            row = self._read.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def notes(self, prefix: str) -> dict[str, str]:
        """The remarks whose keys begin so, by the rest of the key."""
        with self._used():
            rows = self._read.execute(
                "SELECT key, value FROM notes WHERE substr(key, 1, ?) = ? ORDER BY rowid",
                (len(prefix), prefix),
            ).fetchall()
        return {str(key)[len(prefix) :]: str(value) for key, value in rows}

    def set_note(self, key: str, value: str | None) -> None:
        """Writes a remark at once; None removes it."""
        with self._used(), self._read:
            if value is None:
                self._read.execute("DELETE FROM notes WHERE key = ?", (key,))
            else:
                self._read.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))

    def stats(self) -> CacheStats:
        """Counts what is stored."""
        with self._used():
            rows = self._read.execute(
                "SELECT endpoint, model, stage, COUNT(*) FROM answers"
                " GROUP BY endpoint, model, stage ORDER BY 1, 2, 3"
            ).fetchall()
        size = sum(
            file.stat().st_size
            for file in (self.path, self.path.with_name(self.path.name + "-wal"))
            if file.exists()
        )
        return CacheStats(self.path, size, sum(row[3] for row in rows), tuple(rows))

    def clear(self, *, model: str | None = None) -> int:
        """Deletes the answers, all or one model's, and returns how many."""
        with self._used(), self._read:
            if model is None:
                count = self._read.execute("DELETE FROM answers").rowcount
                self._read.execute("DELETE FROM notes")
            else:
                count = self._read.execute("DELETE FROM answers WHERE model = ?", (model,)).rowcount
        with self._used():
            self._read.execute("VACUUM")
        return count

    def records(self) -> Iterator[dict[str, Any]]:
        """All answers with their requests, oldest first."""
        with self._used():
            rows = self._read.execute(
                "SELECT created, endpoint, stage, version, sample, request, answer"
                " FROM answers ORDER BY created, key"
            )
            for created, endpoint, stage, version, sample, request, answer in rows:
                try:
                    said, asked = Answer.from_json(answer), json.loads(zlib.decompress(request))
                except (ValueError, TypeError, zlib.error):
                    continue  # Damaged; it would be asked anew.
                yield {
                    "created": created,
                    "endpoint": endpoint,
                    "stage": stage,
                    "prompt_version": version,
                    "sample": sample,
                    "request": asked,
                    "answer": said.text,
                    "model": said.model,
                    "prompt_tokens": said.prompt_tokens,
                    "completion_tokens": said.completion_tokens,
                }

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        if self._thread is not None and self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        self._read.close()


def _tell(row: _Row, failure: CacheError | None) -> None:
    def settle() -> None:
        if row.done.done():
            return
        if failure is not None:
            row.done.set_exception(failure)
        else:
            row.done.set_result(None)

    # A closed loop means that the run was stopped, and nobody waits any more.
    with suppress(RuntimeError):
        row.loop.call_soon_threadsafe(settle)
