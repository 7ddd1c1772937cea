"""Claims on answers in the cache file, so that parallel processes pay for each answer only once.

A claim ends when the answer is stored, when the request fails, when its process ends, when it
expires, or when another process has waited for the maximum duration of a claim.
"""

from __future__ import annotations

import os
import secrets
import socket
import sqlite3
import time
from functools import cache

SCHEMA = """
CREATE TABLE IF NOT EXISTS claims (
    key BLOB PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;
"""


def take(db: sqlite3.Connection, key: bytes, seconds: float, *, waited: float = 0.0) -> bool:
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
    if is_valid and _lives(str(owner)):
        return False
    sql = "UPDATE claims SET owner = ?, until = ? WHERE key = ? AND owner IS ? AND until IS ?"
    return bool(db.execute(sql, (this, now + seconds, key, owner, until)).rowcount)


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
