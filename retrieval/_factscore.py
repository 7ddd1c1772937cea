"""Reads and writes page databases in the layout of the ``factscore`` package."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._util.files import atomic_path
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.sqlite import SQLiteReader, open_sqlite, sqlite_errors
from dfactscore.retrieval._documents import Page, split_text
from dfactscore.retrieval._errors import SourceError, StoreError
from dfactscore.retrieval._normalize import normalize_title
from dfactscore.retrieval._stored_titles import StoredTitles, TitledFile

#: Separator between the passages of a page.
SEPARATOR = "####SPECIAL####SEPARATOR####"
_MARKERS = re.compile(r"</?s>")
_TABLE = "CREATE TABLE documents (title PRIMARY KEY, text)"
_WHAT = "cannot be read as a page database"


def is_factscore_db(path: Path) -> bool:
    """Whether an SQLite file has the table that this layout requires."""
    file = SQLiteReader(path, what=_WHAT, error=StoreError)
    try:
        return _columns(file) >= {"title", "text"}
    finally:
        file.close()


def _columns(file: SQLiteReader) -> set[str]:
    return {str(row[1]) for row in file.rows("PRAGMA table_info(documents)")}


def passages_of(text: str) -> list[str]:
    """Splits a stored page into passages, replacing markers with spaces and collapsing whitespace.

    Example:
        >>> passages_of("<s>Ann rows.</s><s>She won.</s>" + SEPARATOR + "<s> </s>")
        ['Ann rows. She won.']
    """
    parts = (" ".join(_MARKERS.sub(" ", part).split()) for part in text.split(SEPARATOR))
    return [part for part in parts if part]


def read_redirects(path: str | Path) -> dict[str, str]:
    """Reads ``{title, target}`` from JSON lines; if a title is repeated, the first line is used."""
    redirects: dict[str, str] = {}
    for where, record in read_jsonl(Path(path), error=SourceError):
        pair = [record.get(k) for k in ("title", "target")] if isinstance(record, Mapping) else []
        if len(pair) != 2 or not all(isinstance(value, str) and value for value in pair):
            raise SourceError(f"{where}: expected {{title, target}}, found {record!r:.60}")
        redirects.setdefault(str(pair[0]), str(pair[1]))
    return redirects


class FactScorePages(TitledFile):
    """A page database in this layout; each passage is a document of its page.

    The file is never modified and never scanned in full: the file for English Wikipedia has
    millions of rows.
    """

    _table = "documents"

    def __init__(self, path: str | Path, *, redirects: Mapping[str, str] | None = None) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{self.path}: no such page database")
        self._file = SQLiteReader(self.path, what=_WHAT, error=StoreError)
        if not _columns(self._file) >= {"title", "text"}:
            tables = self._file.rows("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 5")
            found = ", ".join(str(row[0]) for row in tables) or "none"
            raise StoreError(
                f"{self.path}: has no table documents(title, text); its tables are: {found}"
            )
        self._redirects = dict(redirects or {})
        version = int(self._file.rows("PRAGMA user_version")[0][0])
        # The beginning of the source's digest; empty if unknown.
        self.source_hash = f"{version:07x}" if 0 < version < 16**7 else ""
        rows = self._file.rows("SELECT max(rowid) FROM documents")
        self._titles = StoredTitles(
            self._file,
            "SELECT title, title FROM documents",
            int(rows[0][0] or 0),
            self._redirects.items(),
        )

    def _text(self, title: str) -> str | None:
        rows = self._file.rows("SELECT text FROM documents WHERE title = ?", title)
        if not rows:
            return None
        text = rows[0][0]
        if not isinstance(text, str):
            raise StoreError(
                f"{self.path}: damaged: the text of {title!r} is {type(text).__name__}"
            )
        return text

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns the passages of a page, in order; empty if there is no such page.

        Looks up the exact title, then treats it as a redirect, then tries its normal form. A page
        without text has one empty document.
        """
        names: dict[str, None] = {}
        form = normalize_title(title)
        for name in (title, self._redirects.get(title), form, self._redirects.get(form)):
            if name is not None and name not in names:
                names[name] = None
                if (text := self._text(name)) is not None:
                    return tuple(Page(name, part) for part in passages_of(text) or [""])
        return ()

    def pages(self) -> Iterator[Page]:
        """Yields every page that has a text, by title; its passages become lines."""
        query = "SELECT title FROM documents WHERE title > ? ORDER BY title LIMIT 1000"
        last = ""
        while rows := self._file.rows(query, last):
            for (title,) in rows:
                text = "\n".join(page.text for page in self.documents(title))
                if text.strip():
                    yield Page(title, text)
            last = rows[-1][0]

    def describe(self) -> dict[str, Any]:
        """Returns the manifest entry: kind, path and number of redirects."""
        return {"kind": "factscore", "path": str(self.path), "redirects": len(self._redirects)}


def write_factscore_db(
    pages: Iterable[tuple[str, Sequence[str]]], path: Path, *, source_hash: str = ""
) -> int:
    """Writes a page database in this layout atomically."""
    with (
        atomic_path(path, error=StoreError) as temporary,
        sqlite_errors(path, "cannot be written", error=StoreError),
        contextlib.closing(open_sqlite(temporary, "synchronous=OFF")) as db,
    ):
        db.execute("BEGIN")
        db.execute(_TABLE)
        count = db.executemany("INSERT OR IGNORE INTO documents VALUES (?, ?)", _rows(pages))
        db.execute("COMMIT")
        db.execute(f"PRAGMA user_version={int(source_hash[:7] or '0', 16)}")
        return max(0, count.rowcount)


def _rows(pages: Iterable[tuple[str, Sequence[str]]]) -> Iterator[tuple[str, str]]:
    for title, elements in pages:
        passages: list[list[str]] = [[]]
        words = 0
        for element in (e for e in elements if e.strip()):
            for part in split_text(element):
                size = part.count(" ") + 1
                if passages[-1] and words + size > 100:
                    passages.append([])
                    words = 0
                passages[-1].append(part)
                words += size
        stored = ("".join(f"<s>{e}</s>" for e in passage) for passage in passages if passage)
        yield title, SEPARATOR.join(stored)
