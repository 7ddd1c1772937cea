"""Good answers on disk: SQLite, safe for many processes, written off the event loop."""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._asking import cache_claims
from dfactscore._asking.errors import CacheError
from dfactscore._asking.messages import Answer
from dfactscore._util.files import cache_folder, dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.sqlite import open_sqlite, refuse_other_tables, sqlite_errors

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
_BATCH = 500


def default_cache_path() -> Path:
    """``$DFACTSCORE_CACHE``, else ``llm.sqlite`` in the user's cache folder."""
    named = os.environ.get("DFACTSCORE_CACHE")
    return Path(named) if named else cache_folder() / "llm.sqlite"


@dataclass(frozen=True, slots=True)
class CacheStats:
    """Contents of a cache.

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
class _Unwritten:
    values: tuple[Any, ...]
    request: Mapping[str, Any]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


def _other_file(problem: str) -> CacheError:
    return CacheError(f"{problem}; name another file with --cache, or delete this one")


class AnswerCache:
    """Answers by key; the key is the client's business and holds all that can change an answer.

    Args:
        path: The database; its folder is made if it is missing.
        read_only: Only look at what is there, and wait for no one who writes; the disk may be
            read-only.

    Raises:
        CacheError: If the file is not such a database or cannot be written.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._read_only = read_only
        self._queue: queue.SimpleQueue[_Unwritten | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        if read_only and not self.path.exists():
            raise CacheError(f"{self.path}: no such file")
        with sqlite_errors(self.path, "cannot be used as the answer cache", error=_other_file):
            refuse_other_tables(self.path, _SCHEMA + cache_claims.SCHEMA)
        if not read_only:
            self._make()
        with sqlite_errors(self.path, "cannot be used as the answer cache", error=_other_file):
            self._read = self._connect(read_only=read_only)
            try:
                self._prepare(read_only)
            except BaseException:
                self._read.close()  # no lock is left to the garbage collector
                raise

    def _make(self) -> None:
        """Makes folder and file for their owner alone: it holds all prompts."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise _other_file(f"{self.path}: cannot be written ({error.strerror})") from None

    def _prepare(self, read_only: bool) -> None:
        if not read_only:
            self._read.executescript(_SCHEMA + cache_claims.SCHEMA)
        self._read.execute("SELECT 1 FROM answers LIMIT 1")

    def _connect(self, *, read_only: bool = False) -> sqlite3.Connection:
        if read_only:
            return open_sqlite(self.path, read_only=True, any_thread=True, wait=0)
        # In WAL mode NORMAL survives a killed process; only a power cut can lose the last commits.
        return open_sqlite(self.path, "journal_mode=WAL", "synchronous=NORMAL", any_thread=True)

    def get(self, key: bytes) -> Answer | None:
        """The answer stored under a key, or None."""
        with self._used():
            row = self._read.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            with suppress(ValueError, TypeError):
                return Answer.from_json(row[0])
            # A damaged answer is none, and must not keep out a good one.
            if not self._read_only:
                self._read.execute("DELETE FROM answers WHERE key = ?", (key,))
        return None

    @contextmanager
    def _used(self) -> Iterator[None]:
        """Holds the reading connection; what the file cannot give is the user's to know."""
        with self._lock, sqlite_errors(self.path, "the answer cache fails", error=_other_file):
            yield

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
        self._queue.put(_Unwritten(values, request, done, loop))
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

    def _insert(self, connection: sqlite3.Connection, rows: list[_Unwritten]) -> None:
        now = int(time.time())
        values = []
        for row in rows:
            key, endpoint, model, stage, version, sample, answer = row.values
            body = zlib.compress(dump_json(row.request).encode(), 1)
            values.append((key, now, endpoint, model, stage, version, sample, body, answer))
        with connection:  # commits, or rolls back
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values
            )
            connection.executemany("DELETE FROM claims WHERE key = ?", [row[:1] for row in values])

    def claim(self, key: bytes, seconds: float, *, waited: float = 0.0) -> bool:
        """Claims a prompt for this process; false while another one is asking it.

        Args:
            key: The answer's key.
            seconds: The longest duration of the claim.
            waited: The time spent waiting for this claim; after `seconds` it is taken over.
        """
        with self._used():
            return cache_claims.take(self._read, key, seconds, waited=waited)

    def release(self, key: bytes) -> None:
        """Gives a claim back that led to no answer; storing an answer ends its claim."""
        with self._used():
            cache_claims.release(self._read, key)

    def note(self, key: str) -> str | None:
        """A remark kept beside the answers (what an endpoint can do), or None."""
        with self._used():
            row = self._read.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set_note(self, key: str, value: str | None) -> None:
        """Writes a remark at once; None removes it."""
        with self._used():
            if value is None:
                self._read.execute("DELETE FROM notes WHERE key = ?", (key,))
            else:
                self._read.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))

    def stats(self) -> CacheStats:
        """Counts the stored answers."""
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
        by_model = tuple((str(e), str(m), str(s), int(n)) for e, m, s, n in rows)
        return CacheStats(self.path, size, sum(row[3] for row in by_model), by_model)

    def clear(self, *, model: str | None = None) -> int:
        """Deletes the answers, all or one model's, and returns how many."""
        with self._used():
            if model is None:
                count = self._read.execute("DELETE FROM answers").rowcount
                self._read.execute("DELETE FROM notes")
            else:
                count = self._read.execute("DELETE FROM answers WHERE model = ?", (model,)).rowcount
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
                    said, asked = Answer.from_json(answer), parse_json(zlib.decompress(request))
                except (ValueError, TypeError, zlib.error):
                    continue  # Damaged; it would be asked again.
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
        """Writes the queued answers and closes the file."""
        if self._thread is not None and self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        self._read.close()


def _tell(row: _Unwritten, failure: CacheError | None) -> None:
    def settle() -> None:
        if row.done.done():
            return
        if failure is not None:
            row.done.set_exception(failure)
        else:
            row.done.set_result(None)

    # A closed loop means that the run was stopped, and no task waits any more.
    with suppress(RuntimeError):
        row.loop.call_soon_threadsafe(settle)
