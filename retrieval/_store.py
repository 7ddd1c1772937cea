"""The page store: an SQLite file of pages by title, safe for many readers at once."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import StepProgress
from dfactscore._util.jsonl import parse_json
from dfactscore._util.lock import WriteLock
from dfactscore._util.sqlite import SQLiteReader, open_sqlite, set_change_counter, sqlite_errors
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._errors import StoreError
from dfactscore.retrieval._normalize import normalize_title
from dfactscore.retrieval._stored_titles import StoredTitles, TitledFile

_FORMAT = 2
# Marks the file as ours in SQLite's header ("dfst").
_APPLICATION = 0x64667374
_SCHEMA = """
CREATE TABLE pages (position INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL,
    id TEXT NOT NULL, url TEXT NOT NULL, revision TEXT NOT NULL, timestamp TEXT NOT NULL,
    license TEXT NOT NULL);
CREATE TABLE redirects (title TEXT NOT NULL, target TEXT NOT NULL);
CREATE TABLE forms (form TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_COLUMNS = "title, text, id, url, revision, timestamp, license"
_INSERT = f"INSERT INTO pages ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_ROWS = (
    f"SELECT {_COLUMNS}, (SELECT json_group_array(r.title) FROM redirects r"
    " WHERE r.target = p.title) FROM pages p WHERE p.title = "
)
# A redirect never has the title of a page (`_resolve_redirects`), so one question finds either.
_BY_TITLE = (
    f"{_ROWS} coalesce((SELECT target FROM redirects WHERE title = ?1), ?1) ORDER BY position"
)


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """The contents of a finished store.

    Attributes:
        pages: Number of pages.
        redirects: Number of redirects that lead to one of them.
        dropped_redirects: Redirects that led nowhere and were left out.
        snapshot: Date of the texts, or empty.
        source: Their source.
    """

    pages: int
    redirects: int
    dropped_redirects: int
    snapshot: str
    source: str


def _meta(db: sqlite3.Connection) -> dict[str, str]:
    return dict(db.execute("SELECT key, value FROM meta"))


def _set(db: sqlite3.Connection, **values: object) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)", [(k, str(v)) for k, v in values.items()]
    )


def _finished(path: Path, source: str, snapshot: str, source_hash: str) -> StoreInfo | None:
    """Contents of a file that the same call has finished; None if there is no file.

    Raises:
        StoreError: If the file is something else.
    """
    if not path.exists():
        return None
    if source_hash:
        with contextlib.suppress(StoreError), PageStore(path) as store:
            same = store.info.source == source and snapshot in ("", store.info.snapshot)
            if same and store.source_hash == source_hash:
                return store.info
    raise StoreError(f"{path}: exists already; delete it or choose another name")


def _partial(
    path: Path, source: str, snapshot: str, batch: int, source_hash: str
) -> tuple[sqlite3.Connection, int]:
    """Opens or starts the unfinished store beside `path`; says how many pages it holds."""
    part = path.with_name(path.name + ".partial")
    # The journal makes a kill harmless: the open transaction is rolled back on the next start.
    # Power cuts are met by the fsync before the file gets its name.
    settings = "page_size=8192", "journal_mode=TRUNCATE", "synchronous=OFF", "cache_size=-65536"
    with sqlite_errors(part, "cannot be written", error=StoreError):
        db = open_sqlite(part, *settings)
        if not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            db.execute("BEGIN")
            for statement in _SCHEMA.split(";\n"):
                db.execute(statement)
            _set(db, format=_FORMAT, source=source, snapshot=snapshot, batch=batch, consumed=0)
            if source_hash:
                _set(db, source_hash=source_hash)
            db.execute(f"PRAGMA application_id={_APPLICATION}")
            db.execute("COMMIT")
        meta = _meta(db)
    wanted = {"source": source, "batch": str(batch)}
    if snapshot or "pages" not in meta:  # else the date is that of the latest page by now
        wanted["snapshot"] = snapshot
    wanted |= {"source_hash": source_hash} if source_hash else {}
    for name, value in wanted.items():
        if meta.get(name) != value:
            db.close()
            raise StoreError(
                f"{part}: was begun with {name} '{meta.get(name)}', not '{value}'; "
                "finish it with that, or delete the file to start again"
            )
    if not str(meta.get("consumed")).isdecimal():
        db.close()
        raise StoreError(f"{part}: damaged; delete the file to start again")
    return db, int(meta["consumed"])


def _row(page: Page) -> tuple[str, ...]:
    return page.title, page.text, page.id, page.url, page.revision, page.timestamp, page.license


def _fill(
    db: sqlite3.Connection,
    pages: Iterator[Page],
    consumed: int,
    batch: int,
    progress: StepProgress | None,
) -> int:
    while rows := list(islice(pages, batch)):
        db.execute("BEGIN")
        db.executemany(_INSERT, map(_row, rows))
        redirects = [(r, page.title) for page in rows if page.redirects for r in page.redirects]
        if redirects:
            db.executemany("INSERT INTO redirects VALUES (?, ?)", redirects)
        consumed += len(rows)
        _set(db, consumed=consumed)
        db.execute("COMMIT")
        if progress:
            progress("pages", consumed)
    return consumed


def _resolve_redirects(db: sqlite3.Connection) -> tuple[int, int]:
    """Follows chains to a page, and drops what leads nowhere or shadows a title."""
    db.execute("CREATE INDEX redirects_title ON redirects(title)")
    total = db.execute("SELECT count(*) FROM redirects").fetchone()[0]
    for _ in range(8):
        changed = db.execute(
            "UPDATE redirects AS r SET target = (SELECT t.target FROM redirects t"
            " WHERE t.title = r.target LIMIT 1)"
            " WHERE NOT EXISTS (SELECT 1 FROM pages p WHERE p.title = r.target)"
            " AND EXISTS (SELECT 1 FROM redirects t WHERE t.title = r.target)"
        ).rowcount
        if not changed:
            break
    db.execute(
        "DELETE FROM redirects WHERE NOT EXISTS (SELECT 1 FROM pages p WHERE p.title = target)"
        " OR EXISTS (SELECT 1 FROM pages p WHERE p.title = redirects.title)"
        " OR rowid NOT IN (SELECT min(rowid) FROM redirects GROUP BY title)"
    )
    kept = db.execute("SELECT count(*) FROM redirects").fetchone()[0]
    return kept, total - kept


def _finish(db: sqlite3.Connection, consumed: int, redirects: Iterable[tuple[str, str]]) -> None:
    db.execute("BEGIN")
    # A step after the last batch adds the redirects that come in a stream of their own.
    db.executemany("INSERT INTO redirects VALUES (?, ?)", redirects)
    db.execute("CREATE INDEX pages_title ON pages(title)")
    kept, dropped = _resolve_redirects(db)
    db.execute("CREATE INDEX redirects_target ON redirects(target, title)")
    forms = db.cursor()
    forms.execute(
        "SELECT title, title FROM pages UNION SELECT title, target FROM redirects ORDER BY 1, 2"
    )
    db.executemany(
        "INSERT INTO forms VALUES (?, ?)",
        ((form, target) for name, target in forms if (form := normalize_title(name)) != name),
    )
    db.execute("CREATE INDEX forms_form ON forms(form)")
    if not _meta(db)["snapshot"]:
        (latest,) = db.execute("SELECT max(timestamp) FROM pages").fetchone()
        _set(db, snapshot=latest[:10])
    _set(db, pages=consumed, redirects=kept, dropped_redirects=dropped)
    db.execute("COMMIT")


def build_store(
    pages: Iterable[Page],
    path: str | Path,
    *,
    source: str = "",
    snapshot: str = "",
    redirects: Iterable[tuple[str, str]] = (),
    batch: int = 2000,
    progress: StepProgress | None = None,
    source_hash: str = "",
) -> StoreInfo:
    """Builds a page store from a stream.

    The pages go into ``<path>.partial``, a batch a transaction, and the file gets its name at
    the end. Killed at any moment, the same call resumes after the last whole batch (the stream is
    read again from its start) and ends with the same bytes.

    Args:
        pages: The pages, in a fixed order; several with one title are several documents.
        path: File to write; must not exist.
        source: The source of the pages; recorded.
        snapshot: Date of the texts (ISO 8601); recorded. Empty for that of the latest page.
        redirects: Pairs of a title and the title it leads to, besides `Page.redirects`.
        batch: Pages in a transaction.
        progress: Called with the step and how many are done.
        source_hash: Hash of what the pages come from; with it a store that is finished is
            recognized when it is asked for again.

    Returns:
        The contents of the store.

    Raises:
        StoreError: If the file exists, cannot be written, was begun from another source, or the
            stream contains no pages.
    """
    path = Path(path)
    if (done := _finished(path, source, snapshot, source_hash)) is not None:
        return done
    if not path.parent.is_dir():
        raise StoreError(f"{path.parent}: no such folder; create it first (mkdir -p {path.parent})")
    with WriteLock(path.with_name(f".{path.name}.lock"), str(path), error=StoreError):
        if (done := _finished(path, source, snapshot, source_hash)) is not None:
            return done  # another process has finished it
        part = path.with_name(path.name + ".partial")
        db, consumed = _partial(path, source, snapshot, batch, source_hash)
        try:
            with contextlib.closing(db):
                meta = _build(db, path, pages, source, redirects, batch, consumed, progress)
        except Exception:
            _forget_empty(part)
            raise
        set_change_counter(part, 1)
        os.replace(part, path)
    return _info(meta)


def _forget_empty(part: Path) -> None:
    """Removes what was begun and has no page yet: it would block other pages."""
    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        with contextlib.closing(sqlite3.connect(part)) as db:
            consumed = int(_meta(db).get("consumed", "1"))
        if not consumed:
            part.unlink()
            part.with_name(f"{part.name}-journal").unlink(missing_ok=True)


def _build(
    db: sqlite3.Connection,
    path: Path,
    pages: Iterable[Page],
    source: str,
    redirects: Iterable[tuple[str, str]],
    batch: int,
    consumed: int,
    progress: StepProgress | None,
) -> dict[str, str]:
    stream = iter(pages)
    if consumed:
        last = next(islice(stream, consumed - 1, None), None)
        row = db.execute("SELECT title FROM pages WHERE position = ?", [consumed]).fetchone()
        if last is None or row is None or row[0] != last.title:
            raise StoreError(
                f"{path}.partial: was begun from other pages (page {consumed} was "
                f"'{row[0] if row else ''}', is now '{last.title if last else 'missing'}'); "
                "delete it to start again"
            )
        if progress:
            progress("pages", consumed)
    with sqlite_errors(Path(f"{path}.partial"), "cannot be written", error=StoreError):
        consumed = _fill(db, stream, consumed, batch, progress)
        if not consumed:
            raise StoreError(f"{source or 'the source'}: contains no pages")
        if "pages" not in _meta(db):
            _finish(db, consumed, redirects)
        meta = _meta(db)
        db.execute("PRAGMA journal_mode=DELETE")
    return meta


def _info(meta: dict[str, str]) -> StoreInfo:
    return StoreInfo(
        pages=int(meta["pages"]),
        redirects=int(meta["redirects"]),
        dropped_redirects=int(meta["dropped_redirects"]),
        snapshot=meta["snapshot"],
        source=meta["source"],
    )


class PageStore(TitledFile):
    """A store to read from; threads and processes may share it.

    Args:
        path: A file made by `build_store`.

    Raises:
        StoreError: If it is missing, unfinished, damaged or not a page store.
    """

    _table = "pages"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            partial = self.path.with_name(self.path.name + ".partial").exists()
            hint = "; it is unfinished: run the build again to resume" if partial else ""
            raise StoreError(f"{self.path}: no such page store{hint}")
        what = "cannot be read as a page store"
        self._file = SQLiteReader(self.path, "mmap_size=1099511627776", what=what, error=StoreError)
        if self._file.rows("PRAGMA application_id")[0][0] != _APPLICATION:
            raise StoreError(
                f"{self.path}: an SQLite file, but no page store; "
                "build one with: dfactscore index pages PAGES --out pages.sqlite"
            )
        meta = dict(self._file.rows("SELECT key, value FROM meta"))
        if meta.get("format") != str(_FORMAT):
            raise StoreError(
                f"{self.path}: format {meta.get('format')}, this version reads {_FORMAT}"
            )
        if "pages" not in meta:
            raise StoreError(f"{self.path}: unfinished; run the build again to resume")
        try:
            self.info = _info(meta)
            self.source_hash = str(meta.get("source_hash") or "")
            self._titles = StoredTitles(
                self._file,
                "SELECT title, title FROM pages UNION SELECT title, target FROM redirects",
                self.info.pages + self.info.redirects,
            )
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{self.path}: damaged ({error!r}); build it again") from None

    @property
    def snapshot(self) -> str:
        """The date of what it holds (ISO 8601), or empty if unknown."""
        return self.info.snapshot

    def __len__(self) -> int:
        return self.info.pages

    def __enter__(self) -> PageStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _page(self, row: Sequence[Any]) -> Page:
        if any(type(field) is not str for field in row):
            raise StoreError(f"{self.path}: cannot be read (a page is damaged); build it again")
        t, x, i, u, r, s, c, a = row
        return Page(t, x, i, u, r, s, c, () if a == "[]" else tuple(sorted(parse_json(a))))

    def _rows(self, title: str) -> list[Page]:
        return [self._page(row) for row in self._file.rows(_BY_TITLE, title)]

    def _by_form(self, title: str) -> str | None:
        form = normalize_title(title)
        # Two pages with one normal form: to take either would be a guess.
        found = self._file.rows(
            "SELECT title FROM pages WHERE title = ?1 UNION SELECT target FROM redirects"
            " WHERE title = ?1 UNION SELECT title FROM forms WHERE form = ?1 LIMIT 2",
            form,
        )
        return str(found[0][0]) if len(found) == 1 else None

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document filed under a title, in order; none if it is missing."""
        pages = self._rows(title)
        if not pages:
            other = self._by_form(title)
            pages = self._rows(other) if other is not None else []
        return tuple(pages)

    def titles(self) -> Iterator[str]:
        """Gives the titles, sorted."""
        for row in self._file.each("SELECT DISTINCT title FROM pages ORDER BY 1"):
            yield str(row[0])

    def pages(self) -> Iterator[Page]:
        """Streams all pages in the order in which they were stored, without redirects."""
        for row in self._file.each(f"SELECT {_COLUMNS}, '[]' FROM pages ORDER BY position"):
            yield self._page(row)

    def describe(self) -> dict[str, Any]:
        """Returns what a manifest records: kind, path, source, snapshot, number of pages."""
        return {
            "kind": "store",
            "path": str(self.path),
            "source": self.info.source,
            "snapshot": self.info.snapshot,
            "pages": self.info.pages,
            "redirects": self.info.redirects,
        }
