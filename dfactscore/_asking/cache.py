"""The answer cache: an SQLite file that several processes can share, written by a thread."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import secrets
import socket
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dfactscore._asking.messages import Answer, CacheError
from dfactscore._util.files import cache_folder, dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.sqlite import BUSY_SECONDS, open_sqlite, refuse_other_tables, sqlite_errors

_LOG = logging.getLogger(__name__)

# The shortest and longest delay in seconds between checks for another process's answer.
_FIRST_LOOK, _LAST_LOOK = 0.05, 1.0
_SILENCE = 5.0  # seconds to wait for another process before logging a message

SCHEMA = """
CREATE TABLE IF NOT EXISTS claims (
    key BLOB PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;
"""


Awaited = dict[str, tuple[float, float]]
"""Since when this process waits for each other process, and the latest expiry of that one's claims.
"""


def take(
    db: sqlite3.Connection, key: bytes, seconds: float, awaited: Awaited, *, waited: float = 0.0
) -> bool:
    """Tries to claim a key and returns whether this process has the claim."""
    # `waited`: seconds already spent waiting for another process's claim; after `seconds`, that
    # claim is taken over regardless of its expiry, since the other process's clock may have been
    # wrong.
    now, this = time.time(), _owner(os.getpid())
    sql = "INSERT OR IGNORE INTO claims VALUES (?, ?, ?)"
    if db.execute(sql, (key, this, now + seconds)).rowcount:
        return True
    row = db.execute("SELECT owner, until FROM claims WHERE key = ?", (key,)).fetchone()
    if row is None:  # just released
        return bool(db.execute(sql, (key, this, now + seconds)).rowcount)
    owner, until = row
    is_valid = isinstance(until, float) and until > now and waited <= seconds
    if is_valid and _lives(str(owner)) and not _is_silent(db, str(owner), seconds, awaited):
        return False
    sql = "UPDATE claims SET owner = ?, until = ? WHERE key = ? AND owner IS ? AND until IS ?"
    return bool(db.execute(sql, (this, now + seconds, key, owner, until)).rowcount)


def _is_silent(db: sqlite3.Connection, owner: str, seconds: float, awaited: Awaited) -> bool:
    """Whether a process made no new claim while this one waited for it as long as a claim lasts."""
    (latest,) = db.execute("SELECT MAX(until) FROM claims WHERE owner = ?", (owner,)).fetchone()
    since, before = awaited.get(owner, (0.0, float("-inf")))
    if not isinstance(latest, float) or latest > before:
        awaited[owner] = time.monotonic(), latest if isinstance(latest, float) else before
        return False
    return time.monotonic() - since > seconds


def release(db: sqlite3.Connection, key: bytes) -> None:
    """Releases this process's claim on a key."""
    db.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, _owner(os.getpid())))


@cache
def _owner(pid: int) -> str:
    """Identifies this process by its number, its start time, a random word and the host.

    The number alone is not enough, since the first process in every container has number 1.
    """
    return f"{pid} {_start(pid)} {secrets.token_hex(8)}@{socket.gethostname()}"


def _start(pid: int) -> str:
    """Returns the start time of a process in clock ticks since boot, or ``-`` if unknown."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "-"


def _lives(owner: str) -> bool:
    """Whether a process may still be running; always true for processes on other hosts."""
    process, _, host = owner.partition("@")
    pid, start, *_ = (*process.split(), "", "")
    if os.name != "posix" or host != socket.gethostname() or not pid.isdecimal():
        return True
    if int(pid) == os.getpid():
        return owner == _owner(os.getpid())
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return start in ("", "-") or _start(int(pid)) in ("-", start)


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
    """Returns ``$DFACTSCORE_CACHE`` or, if unset, ``llm.sqlite`` in the user's cache folder."""
    path = os.environ.get("DFACTSCORE_CACHE")
    return Path(path) if path else cache_folder() / "llm.sqlite"


@dataclass(frozen=True, slots=True)
class CacheStats:
    """Statistics about the contents of a cache."""

    path: Path
    size: int  # size of the file in bytes
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
    """Stores answers by key, which is computed from everything that can affect an answer."""

    # `read_only`: whether to open the file for reading only, without waiting for writers; this also
    # works on a read-only disk.

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._read_only = read_only
        self._queue: queue.SimpleQueue[_Unwritten | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._awaited: Awaited = {}
        self._said_waiting = False
        if read_only and not self.path.exists():
            raise CacheError(f"{self.path}: no such file")
        with sqlite_errors(self.path, "cannot be used as the answer cache", error=_other_file):
            wait = 0 if read_only else BUSY_SECONDS  # a dry run reports a locked file at once
            refuse_other_tables(self.path, _SCHEMA + SCHEMA, wait=wait)
        if not read_only:
            self._make()
        with sqlite_errors(self.path, "cannot be used as the answer cache", error=_other_file):
            self._read = self._connect(read_only=read_only)
            try:
                self._prepare(read_only)
            except BaseException:
                self._read.close()  # releases its lock now rather than at garbage collection
                raise

    def _make(self) -> None:
        """Creates the folder and the file so that only the owner can read the prompts in them."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise _other_file(f"{self.path}: cannot be written ({error.strerror})") from None

    def _prepare(self, read_only: bool) -> None:
        if not read_only:
            self._read.executescript(_SCHEMA + SCHEMA)
        self._read.execute("SELECT 1 FROM answers LIMIT 1")

    def _connect(self, *, read_only: bool = False) -> sqlite3.Connection:
        if read_only:
            return open_sqlite(self.path, read_only=True, any_thread=True, wait=0)
        # In WAL mode, NORMAL loses commits only on a power failure, not when the process is killed.
        return open_sqlite(self.path, "journal_mode=WAL", "synchronous=NORMAL", any_thread=True)

    def get(self, key: bytes) -> Answer | None:
        """Returns the answer stored under a key, or None."""
        with self._used():
            row = self._read.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            with suppress(ValueError, TypeError):
                return Answer.from_json(row[0])
            # A damaged answer must not prevent a good one from being stored.
            if not self._read_only:
                self._read.execute("DELETE FROM answers WHERE key = ?", (key,))
        return None

    @contextmanager
    def _used(self) -> Iterator[None]:
        """Locks the reading connection and turns SQLite errors into `CacheError`."""
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
        """Stores an answer unless the key already has one; returns after the commit."""
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
            # All answers that arrived during the last commit go into the next one.
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
            except Exception as error:  # tasks wait for this thread
                failure = CacheError(f"{self.path}: the answers cannot be stored ({error})")
            for stored in rows:
                _report(stored, failure)
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
        """Claims a request for this process; returns False if another process has the claim."""
        with self._used():
            return take(self._read, key, seconds, self._awaited, waited=waited)

    async def wait_for_claim(self, key: bytes, longest: float, until: Callable[[], bool]) -> bool:
        """Waits for the claim on a request or for another process's answer."""
        pause, start = _FIRST_LOOK, time.monotonic()
        while not self.claim(key, longest, waited=(waited := time.monotonic() - start)):
            if waited >= _SILENCE and not self._said_waiting:
                self._said_waiting = True
                _LOG.info(
                    f"waiting for a prompt that another process is asking, for {longest:g} s at "
                    f"most ({self.path})"
                )
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LAST_LOOK)
            if until():
                return False
        return True

    def release(self, key: bytes) -> None:
        """Releases a claim when there is no answer to store; storing an answer releases it, too."""
        with self._used():
            release(self._read, key)

    def note(self, key: str) -> str | None:
        """Returns a note, such as the capabilities of an endpoint, or None."""
        with self._used():
            row = self._read.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set_note(self, key: str, value: str | None) -> None:
        """Writes a note immediately; a value of None removes it."""
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
        """Deletes all answers, or those of one model, and returns the number deleted."""
        with self._used():
            if model is None:
                count = self._read.execute("DELETE FROM answers").rowcount
                self._read.execute("DELETE FROM notes")
            else:
                count = self._read.execute("DELETE FROM answers WHERE model = ?", (model,)).rowcount
            self._read.execute("VACUUM")
        return count

    def records(self) -> Iterator[dict[str, Any]]:
        """Yields all answers together with their requests, oldest first."""
        with self._used():
            rows = self._read.execute(
                "SELECT created, endpoint, stage, version, sample, request, answer"
                " FROM answers ORDER BY created, key"
            )
            for created, endpoint, stage, version, sample, request, answer in rows:
                try:
                    reply, body = Answer.from_json(answer), parse_json(zlib.decompress(request))
                except (ValueError, TypeError, zlib.error):
                    continue  # damaged, so a client would send it again
                yield {
                    "created": created,
                    "endpoint": endpoint,
                    "stage": stage,
                    "prompt_version": version,
                    "sample": sample,
                    "request": body,
                    "answer": reply.text,
                    "model": reply.model,
                    "prompt_tokens": reply.prompt_tokens,
                    "completion_tokens": reply.completion_tokens,
                }

    def close(self) -> None:
        """Writes the queued answers and closes the file."""
        if self._thread is not None and self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        self._read.close()


def _report(row: _Unwritten, failure: CacheError | None) -> None:
    def settle() -> None:
        if row.done.done():
            return
        if failure is not None:
            row.done.set_exception(failure)
        else:
            row.done.set_result(None)

    # If the loop is closed, the run was stopped and no task waits.
    with suppress(RuntimeError):
        row.loop.call_soon_threadsafe(settle)
