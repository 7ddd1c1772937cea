"""Requests in progress, in the answer cache's file: parallel processes pay once.

A claim ends when the answer is stored or was not had, when its process is gone, when its time is
over, or when it was waited for as long as a claim may last, whichever comes first.
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
    """Claims a key; says whether it is ours.

    Args:
        db: The cache's file, in autocommit mode.
        key: Of the answer.
        seconds: The longest duration of the claim.
        waited: For how long another's claim was waited for; after `seconds` it counts no more,
            whatever end it names: that clock may have been wrong.
    """
    now, me = time.time(), _owner(os.getpid())
    sql = "INSERT OR IGNORE INTO claims VALUES (?, ?, ?)"
    if db.execute(sql, (key, me, now + seconds)).rowcount:
        return True
    row = db.execute("SELECT owner, until FROM claims WHERE key = ?", (key,)).fetchone()
    if row is None:  # given back in this moment
        return bool(db.execute(sql, (key, me, now + seconds)).rowcount)
    owner, until = row
    holds = isinstance(until, float) and until > now and waited <= seconds
    if holds and _lives(str(owner)):
        return False
    sql = "UPDATE claims SET owner = ?, until = ? WHERE key = ? AND owner IS ? AND until IS ?"
    return bool(db.execute(sql, (me, now + seconds, key, owner, until)).rowcount)


def release(db: sqlite3.Connection, key: bytes) -> None:
    """Gives a key back that was claimed by this process."""
    db.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, _owner(os.getpid())))


@cache
def _owner(pid: int) -> str:
    """This process: its number, when it began, a random word, and its machine.

    The number alone is not enough: in a container each first process has number 1.
    """
    return f"{pid} {_begun(pid)} {secrets.token_hex(8)}@{socket.gethostname()}"


def _begun(pid: int) -> str:
    """The start of a process, in ticks since the machine's; ``-`` if unknown."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "-"


def _lives(owner: str) -> bool:
    """Whether a process may still be there; of other machines nothing is known."""
    process, _, host = owner.partition("@")
    pid, begun, *_ = (*process.split(), "", "")
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
    return begun in ("", "-") or _begun(int(pid)) in ("-", begun)
