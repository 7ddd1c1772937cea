"""Entry links, sessions and additional annotators."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time
from collections import Counter
from typing import Literal

from dfactscore._errors import InputError
from dfactscore.annotation._creating import check_name
from dfactscore.annotation._study import Study, StudyMember

_BYTES = 32  # 256 random bits


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_link(study: Study, name: str, *, kind: Literal["serve", "token"] = "token") -> str:
    """Creates a secret for an entry link; the file stores only its hash."""
    # `kind`: the command that creates the link. Links from `serve` stay valid until revoked, even
    # after a restart; a new link from `token` revokes the previous one.
    person, token = study.person(name), secrets.token_urlsafe(_BYTES)
    with study.write() as db:
        if kind == "token":
            db.execute("DELETE FROM session WHERE annotator_id = ? AND kind = ?", (person.id, kind))
        _keep(db, person.id, kind, token)
        db.execute("UPDATE annotator SET revoked = 0 WHERE id = ?", (person.id,))
    return token


def _keep(db: sqlite3.Connection, person: int, kind: str, token: str) -> None:
    db.execute(
        "INSERT INTO session (annotator_id, kind, digest, created) VALUES (?, ?, ?, ?)",
        (person, kind, _digest(token), time.time()),
    )


def enter(study: Study, token: str) -> str | None:
    """Exchanges an entry link's secret for a session secret; None if it is invalid."""
    with study.write() as db:
        row = db.execute(
            "SELECT a.id FROM session s JOIN annotator a ON a.id = s.annotator_id "
            "WHERE s.digest = ? AND s.kind != 'cookie' AND NOT a.revoked",
            (_digest(token),),
        ).fetchone()
        if row is None:
            return None
        cookie = secrets.token_urlsafe(_BYTES)
        _keep(db, row[0], "cookie", cookie)
    return cookie


def session_person(study: Study, cookie: str) -> StudyMember | None:
    """The person whose session this is; None if the session is unknown or revoked."""
    with study.read() as db:
        row = db.execute(
            "SELECT a.id, a.name, a.role, a.revoked, a.released FROM session s "
            "JOIN annotator a ON a.id = s.annotator_id WHERE s.digest = ? AND s.kind = 'cookie'",
            (_digest(cookie),),
        ).fetchone()
    if row is None or row[3]:
        return None
    return StudyMember(row[0], row[1], row[2], False, bool(row[4]))


def csrf_token(cookie: str) -> str:
    """The secret included in a session's forms, which other sites cannot know."""
    return hmac.new(cookie.encode("utf-8", "replace"), b"csrf", hashlib.sha256).hexdigest()


def revoke(study: Study, name: str) -> int:
    """Revokes all of a person's links and sessions and returns their number; answers are kept."""
    person = study.person(name)
    with study.write() as db:
        ended = db.execute("DELETE FROM session WHERE annotator_id = ?", (person.id,)).rowcount
        db.execute("UPDATE annotator SET revoked = 1 WHERE id = ?", (person.id,))
    return ended


def add_annotator(study: Study, name: str) -> int:
    """Adds an annotator, who takes over an equal share of each model's untouched paragraphs."""
    name = check_name(name)
    if name.casefold() in {person.name.casefold() for person in study.people()}:
        raise InputError(f"{study.path}: there is an annotator {name!r} already")
    with study.write() as db:
        number = db.execute(
            "INSERT INTO annotator (name, role, revoked, released) VALUES (?, 'annotator', 0, 0)",
            (name,),
        ).lastrowid
        assert number is not None
        n_paragraphs = _take_over(db, number)
        db.execute(
            "INSERT INTO assignment (item_id, annotator_id, position) "
            "SELECT id, ?, id - 1000000 FROM item WHERE kind = 'qualify'",
            (number,),
        )
    return n_paragraphs


def _take_over(db: sqlite3.Connection, number: int) -> int:
    """Moves each model's untouched assignments from the people who have the most of them."""
    rows = db.execute(
        "SELECT s.id, s.item_id, s.annotator_id, i.stratum, EXISTS (SELECT 1 FROM answer a "
        "WHERE a.item_id = s.item_id AND a.annotator_id = s.annotator_id) "
        "FROM assignment s JOIN item i ON i.id = s.item_id WHERE i.kind = 'task' "
        "ORDER BY s.position DESC, s.id"
    ).fetchall()
    people = len({row[2] for row in rows}) + 1
    strata: dict[str, list[tuple[int, int, int]]] = {}
    for row, item, person, stratum, begun in rows:
        if not begun:
            strata.setdefault(stratum, []).append((row, item, person))
    moved: set[int] = set()
    for stratum in sorted(strata):
        free = strata[stratum]
        load = Counter(person for _, _, person in free)
        for _ in range(len(free) // people):
            able = [row for row in free if row[1] not in moved]
            if not able:
                break
            row, item, person = max(able, key=lambda assignment: load[assignment[2]])
            free.remove((row, item, person))
            load[person] -= 1
            moved.add(item)
            db.execute(
                "UPDATE assignment SET annotator_id = ?, position = ? WHERE id = ?",
                (number, len(moved), row),
            )
    return len(moved)
