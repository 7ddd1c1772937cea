"""Who is asking what right now, in the answer cache's file: processes beside each other pay once.

A claim ends when the answer is stored or was not had, when its process is gone, or when its time
is over, whichever comes first.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time

__all__ = ["SCHEMA", "release", "take"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS claims (
    key BLOB PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;
"""


def take(db: sqlite3.Connection, key: bytes, seconds: float) -> bool:
    """Claims a key; says whether it is ours.

    Args:
        db: The cache's file, in autocommit mode.
        key: Of the answer.
        seconds: How long the claim holds, at most.
    """
    now, me = time.time(), _owner()
    sql = "INSERT OR IGNORE INTO claims VALUES (?, ?, ?)"
    if db.execute(sql, (key, me, now + seconds)).rowcount:
        return True
    row = db.execute("SELECT owner, until FROM claims WHERE key = ?", (key,)).fetchone()
    if row is None:  # given back in this moment
        return bool(db.execute(sql, (key, me, now + seconds)).rowcount)
    owner, until = row
    if isinstance(until, float) and until > now and _lives(str(owner)):
        return False
    sql = "UPDATE claims SET owner = ?, until = ? WHERE key = ? AND owner IS ? AND until IS ?"
    return bool(db.execute(sql, (me, now + seconds, key, owner, until)).rowcount)


def release(db: sqlite3.Connection, key: bytes) -> None:
    """Gives a key back that was claimed by this process."""
    db.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, _owner()))


def _owner() -> str:
    return f"{os.getpid()}@{socket.gethostname()}"


def _lives(owner: str) -> bool:
    """Whether a process may still be there; of other machines nothing is known."""
    pid, _, host = owner.partition("@")
    if os.name != "posix" or host != socket.gethostname() or not pid.isdecimal():
        return True
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
