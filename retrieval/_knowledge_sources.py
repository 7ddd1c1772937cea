"""Knowledge sources in memory and on disk, and a function to open them."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from dfactscore._text.names import NameIndex
from dfactscore._util.json_rows import printed
from dfactscore._util.jsonl import iter_lines
from dfactscore._util.message_text import near_file
from dfactscore._util.objects import ShapeError
from dfactscore._util.roles import role_fault
from dfactscore._util.tables import is_table, rows_of
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._errors import RecordError, SourceError
from dfactscore.retrieval._factscore import FactScorePages, is_factscore_db, read_redirects
from dfactscore.retrieval._knowledge import KnowledgeSource, SortedSource
from dfactscore.retrieval._normalize import normalize_title, same_name_titles
from dfactscore.retrieval._page_files import PAGES, json_record
from dfactscore.retrieval._readers import page_from_record, page_record, read_page_parts
from dfactscore.retrieval._shapes import passages_of
from dfactscore.retrieval._store import PageStore

_LINES = frozenset({".jsonl", ".ndjson"})
_MOST_IN_MEMORY = 256 * 2**20


class _TitledSource(SortedSource):
    """A source that keeps its titles in memory; subclasses load the documents."""

    kind = ""

    def __init__(self, where: str, snapshot: str) -> None:
        self._where = where
        self._snapshot = snapshot
        self._keys: dict[str, list[Any]] = {}
        self._redirects: dict[str, str] = {}

    def _load(self, key: Any) -> Page:
        """Returns the document for a key; by default, the key is the document itself."""
        assert isinstance(key, Page)
        return key

    def _file(self, title: str, key: object, redirects: Sequence[str] = ()) -> None:
        self._keys.setdefault(title, []).append(key)
        for redirect in redirects:
            self._redirects.setdefault(redirect, title)

    @cached_property
    def _forms(self) -> dict[str, str | None]:
        """Maps each normal form to its title, or to None if two titles share the form."""
        forms: dict[str, str | None] = {}
        for name, title in (*((t, t) for t in self._keys), *self._redirects.items()):
            form = normalize_title(name)
            forms[form] = title if forms.get(form, title) == title else None
        return forms

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex((*((t, t) for t in self._keys), *self._redirects.items()))

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._keys)

    def _scan(self, prefix: str, count: int) -> list[str]:
        start = bisect.bisect_left(self._sorted, prefix)
        titles = self._sorted[start : start + count]
        return [title for title in titles if title.startswith(prefix)]

    def _resolve(self, title: str) -> str | None:
        if title in self._keys:
            return title
        return self._redirects.get(title) or self._forms.get(normalize_title(title))

    @property
    def snapshot(self) -> str:
        """The date of the texts (ISO 8601), or empty if unknown."""
        return self._snapshot

    def __len__(self) -> int:
        return len(self._keys)

    def titles(self) -> Iterator[str]:
        """Yields the titles in the order of the source."""
        yield from self._keys

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns every document with the given title, in order; empty if the title is missing."""
        resolved = self._resolve(title)
        return () if resolved is None else tuple(self._load(key) for key in self._keys[resolved])

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles of pages that bear a name, directly or through a redirect."""
        return same_name_titles(name, self._names.find(name), self._resolve(name))

    def describe(self) -> dict[str, Any]:
        """Returns the manifest entry: kind, path, snapshot and number of titles."""
        return {
            "kind": self.kind,
            "path": self._where,
            "snapshot": self._snapshot,
            "titles": len(self._keys),
        }


class MappingSource(_TitledSource):
    r"""A knowledge source in memory.

    Example:
        >>> source = MappingSource({"Ann Lee (painter)": ["Ann Lee paints.", "Born in 1901."]})
        >>> source.lookup("ann_Lee (painter)").text
        'Ann Lee paints.\n\nBorn in 1901.'
        >>> source.lookup("Ann Lee").near
        ('Ann Lee (painter)',)
    """

    kind = "mapping"

    def __init__(
        self,
        pages: Mapping[str, str | Page | Sequence[str | Page]],
        *,
        snapshot: str = "",
    ) -> None:
        super().__init__("", snapshot)
        for title, value in pages.items():
            several: list[Any] = list(value) if isinstance(value, (list, tuple)) else [value]
            texts = [page.text if isinstance(page, Page) else page for page in several]
            page_from_record({"title": title, "text": texts}, "pages", max_bytes=2**31)
            for item in several:
                page = item if isinstance(item, Page) else Page(title=title, text=item)
                if page.text.strip():
                    self._file(title, page, page.redirects)


class JsonlSource(_TitledSource):
    """A JSONL file of ``{title, text}``; only titles and offsets are kept in memory."""

    kind = "jsonl"

    def __init__(self, path: str | Path, *, snapshot: str = "") -> None:
        path = Path(path)
        super().__init__(str(path), snapshot)
        for line in iter_lines(path, error=SourceError):
            pages = page_from_record(json_record(line.raw, line.where), line.where)
            for part, page in enumerate(pages):
                self._file(page.title, (line.start, len(line.raw), part), page.redirects)
        if not self._keys:
            raise SourceError(f"{path}: contains no pages")

    def _load(self, key: Any) -> Page:
        offset, size, part = key
        try:
            with open(self._where, "rb") as file:
                file.seek(offset)
                record = json_record(file.read(size), self._where)
            page: Page = page_from_record(record, self._where)[part]
            return page
        except (OSError, RecordError, IndexError):
            raise SourceError(
                f"{self._where}: changed since it was opened; open it again"
            ) from None


class FolderSource(_TitledSource):
    """A folder of text files: ``Title.txt``, or ``Title/any.txt`` for several documents.

    In file names, an underscore stands for a space and ``%2F`` for a slash.
    """

    kind = "folder"

    def __init__(self, path: str | Path, *, snapshot: str = "") -> None:
        super().__init__(str(path), snapshot)
        for pages in read_page_parts(path):
            for page in pages:
                self._file(page.title, page)


class TableSource(_TitledSource):
    """A table of pages in memory: a CSV, TSV, Parquet or XLSX file, a data frame, or records."""

    # `table`: a file, a data frame, a Hugging Face `Dataset`, a mapping of columns, or a list of
    # mappings, with a title and a text in each row.

    kind = "table"

    def __init__(self, table: Any, *, snapshot: str = "") -> None:
        path = Path(table) if isinstance(table, (str, Path)) else None
        super().__init__("" if path is None else str(path), snapshot)
        parts = _in_memory(table) if path is None else read_page_parts(path)
        for pages in parts:
            for page in pages:
                self._file(page.title, page, page.redirects)
        if not self._keys:
            raise SourceError(f"{path or 'pages'}: contains no pages")


def _in_memory(table: Any) -> Iterator[list[Page]]:
    rows = rows_of(table) if is_table(table) else _pages_of(table)
    for number, row in enumerate(rows, start=1):
        record = page_record(row) if isinstance(row, Mapping) else row
        yield page_from_record(record, f"pages, record {number}")


def _pages_of(rows: Sequence[Any]) -> Iterator[Any]:
    """Yields rows of fields as they are, and rows of other shapes as passages are read."""
    if all(isinstance(row, Mapping) for row in rows):
        yield from rows
        return
    try:
        passages = passages_of(rows, "pages")
    except ShapeError as error:
        raise RecordError(error.where, error.reason) from None
    yield from ({"title": p.title, "text": p.text, "id": p.id} for p in passages)


def _is_columns(pages: Mapping[Any, Any]) -> bool:
    """Whether the keys of a mapping are table columns rather than titles."""
    names = {str(key).strip().casefold() for key in pages}
    return {"title", "text"} <= names and is_table(pages)


_DATABASES = frozenset({".sqlite", ".db", ".sqlite3"})


def _takes_redirects(source: object) -> bool:
    """Whether a source is a page database of the factscore package, judging by the table in it."""
    if not isinstance(source, (str, Path)):
        return False
    path = Path(source)
    if path.suffix not in _DATABASES or not path.is_file():
        return False

    return is_factscore_db(path)


def open_source(
    # A mapping from title to text(s), a `.jsonl` file, a folder of `.txt` files, a table (`.csv`,
    # `.tsv`, `.parquet`, `.xlsx`, a data frame, a list of mappings), a page store (`.sqlite`,
    # `.db`), a page database of the `factscore` package, or a source that is already open.
    source: Any,
    *,
    snapshot: str = "",
    # JSON lines file of `{title, target}`, for a page database.
    redirects: str | Path | None = None,
) -> KnowledgeSource:
    """Opens a knowledge source."""
    if redirects is not None and not _takes_redirects(source):
        raise SourceError(
            f"{redirects}: redirects can be added to a page database of the factscore package "
            "only; other sources have their own"
        )
    if isinstance(source, Mapping) and not _is_columns(source):
        return MappingSource(source, snapshot=snapshot)
    if is_table(source) or isinstance(source, (list, tuple)):
        return TableSource(source, snapshot=snapshot)
    if not isinstance(source, (str, Path)):
        fault = role_fault(source, KnowledgeSource)
        if fault is None:
            opened: KnowledgeSource = source
            return opened
        raise SourceError(f"pages must be a mapping, a table, a path or a KnowledgeSource: {fault}")
    return _open_path(Path(source), snapshot, redirects)


def _open_path(path: Path, snapshot: str, redirects: str | Path | None) -> KnowledgeSource:
    if path.suffix in _DATABASES:
        if _takes_redirects(path):
            return FactScorePages(path, redirects=read_redirects(redirects) if redirects else None)

        return PageStore(path)
    if path.suffix in _LINES and path.is_file() and printed(path, PAGES) is None:
        return JsonlSource(path, snapshot=snapshot)
    if path.is_dir() and any(path.rglob("*.txt")):
        return FolderSource(path, snapshot=snapshot)
    if not path.exists():
        raise SourceError(f"{path}: no such file or folder{near_file(path)}")
    if path.is_file() and path.stat().st_size > _MOST_IN_MEMORY:
        raise SourceError(
            f"{path}: has {path.stat().st_size / 2**20:,.0f} MiB, too many to hold in memory; "
            f"build a store first: dfactscore index pages {path} --out pages.sqlite"
        )
    return TableSource(path, snapshot=snapshot)
