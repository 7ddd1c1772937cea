"""The page store, an SQLite file of pages by title that many readers can share."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from dfactscore._util.files import WriteLock, why
from dfactscore._util.jsonl import parse_json
from dfactscore._util.reporting import StepProgress
from dfactscore._util.sqlite import SQLiteReader, open_sqlite, set_change_counter, sqlite_errors
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._errors import StoreError
from dfactscore.retrieval._normalize import normalize_title
from dfactscore.retrieval._stored_titles import StoredTitles, TitledFile

_FORMAT = 2
# The application id stored in SQLite's header ("dfst").
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
# A redirect never has the same title as a page (see `_resolve_redirects`), so one query finds
# either.
_BY_TITLE = (
    f"{_ROWS} coalesce((SELECT target FROM redirects WHERE title = ?1), ?1) ORDER BY position"
)


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """Summary of the contents of a finished store."""

    pages: int
    redirects: int
    dropped_redirects: int
    snapshot: str  # date of the texts; empty if unknown
    source: str


def _meta(db: sqlite3.Connection) -> dict[str, str]:
    return dict(db.execute("SELECT key, value FROM meta"))


def _set(db: sqlite3.Connection, **values: object) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)", [(k, str(v)) for k, v in values.items()]
    )


def _finished(path: Path, source: str, snapshot: str, source_hash: str) -> StoreInfo | None:
    """Returns a summary of the store if the same call has already built it, else None."""
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
    """Opens or creates the unfinished store next to `path`; also returns its number of pages."""
    part = path.with_name(path.name + ".partial")
    # The journal rolls back a transaction that was interrupted. An fsync before the file gets its
    # final name protects against power failures.
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
    expected = {"source": source, "batch": str(batch)}
    if snapshot or "pages" not in meta:  # otherwise it already has the date of the latest page
        expected["snapshot"] = snapshot
    expected |= {"source_hash": source_hash} if source_hash else {}
    for name, value in expected.items():
        if meta.get(name) != value:
            db.close()
            raise StoreError(
                f"{part}: was started with {name} '{meta.get(name)}', not '{value}'; "
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
    """Follows chains of redirects; drops those that lead to no page or share a page's title."""
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
    remaining = db.execute("SELECT count(*) FROM redirects").fetchone()[0]
    return remaining, total - remaining


def _finish(db: sqlite3.Connection, consumed: int, redirects: Iterable[tuple[str, str]]) -> None:
    db.execute("BEGIN")
    # Redirects in a separate stream come after the last batch.
    db.executemany("INSERT INTO redirects VALUES (?, ?)", redirects)
    db.execute("CREATE INDEX pages_title ON pages(title)")
    remaining, dropped = _resolve_redirects(db)
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
    _set(db, pages=consumed, redirects=remaining, dropped_redirects=dropped)
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
    """Builds a page store from a stream of pages.

    Writes the pages to ``<path>.partial``, one batch per transaction, and renames the file at the
    end. If interrupted, the same call resumes after the last complete batch, reading the stream
    from the start, and produces a byte-identical file.
    """
    path = Path(path)
    if (info := _finished(path, source, snapshot, source_hash)) is not None:
        return info
    if not path.parent.is_dir():
        raise StoreError(f"{path.parent}: no such folder; create it first (mkdir -p {path.parent})")
    with WriteLock(path.with_name(f".{path.name}.lock"), str(path), error=StoreError):
        if (info := _finished(path, source, snapshot, source_hash)) is not None:
            return info  # another process has finished it
        part = path.with_name(path.name + ".partial")
        db, consumed = _partial(path, source, snapshot, batch, source_hash)
        try:
            with contextlib.closing(db):
                meta = _build(db, path, pages, source, redirects, batch, consumed, progress)
        except Exception:
            _forget_empty(part)
            raise
        try:
            set_change_counter(part, 1)
            os.replace(part, path)
        except OSError as problem:
            raise StoreError(
                f"{path}: cannot be written ({why(problem)}); the same command resumes"
            ) from None
    return _info(meta)


def _forget_empty(part: Path) -> None:
    """Removes an unfinished store that has no pages and would block a build from other pages."""
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
                f"{path}.partial: was started from other pages (page {consumed} was "
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
    """A page store opened for reading; threads and processes may share it."""

    _table = "pages"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            partial = self.path.with_name(self.path.name + ".partial").exists()
            hint = "; it is unfinished: run the build again to resume" if partial else ""
            raise StoreError(f"{self.path}: no such page store{hint}")
        failure = "cannot be read as a page store"
        self._file = SQLiteReader(
            self.path, "mmap_size=1099511627776", what=failure, error=StoreError
        )
        if self._file.rows("PRAGMA application_id")[0][0] != _APPLICATION:
            raise StoreError(
                f"{self.path}: an SQLite file, but not a page store; "
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
        """The date of the texts (ISO 8601), or empty if unknown."""
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
        # If two pages have the same normal form, neither is chosen.
        rows = self._file.rows(
            "SELECT title FROM pages WHERE title = ?1 UNION SELECT target FROM redirects"
            " WHERE title = ?1 UNION SELECT title FROM forms WHERE form = ?1 LIMIT 2",
            form,
        )
        return str(rows[0][0]) if len(rows) == 1 else None

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document with the given title, in order; empty if the title is missing."""
        pages = self._rows(title)
        if not pages:
            form_title = self._by_form(title)
            pages = self._rows(form_title) if form_title is not None else []
        return tuple(pages)

    def titles(self) -> Iterator[str]:
        """Yields the titles, sorted."""
        for row in self._file.each("SELECT DISTINCT title FROM pages ORDER BY 1"):
            yield str(row[0])

    def pages(self) -> Iterator[Page]:
        """Streams all pages in the order they were stored, without redirects."""
        for row in self._file.each(f"SELECT {_COLUMNS}, '[]' FROM pages ORDER BY position"):
            yield self._page(row)

    def describe(self) -> dict[str, Any]:
        """Returns the manifest entry: kind, path, source, snapshot and counts."""
        return {
            "kind": "store",
            "path": str(self.path),
            "source": self.info.source,
            "snapshot": self.info.snapshot,
            "pages": self.info.pages,
            "redirects": self.info.redirects,
        }
