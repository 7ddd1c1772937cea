"""Streams pages and passages from files in several formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from dfactscore._util.files import check_regular, open_bytes
from dfactscore._util.jsonl import iter_lines, read_json
from dfactscore._util.message_text import near_file
from dfactscore._util.tables import Unreadable, parsed, read_table
from dfactscore.retrieval._documents import Page, Passage
from dfactscore.retrieval._errors import MissingExtraError, RecordError, SourceError
from dfactscore.retrieval._factscore import FactScorePages, is_factscore_db
from dfactscore.retrieval._page_files import (
    EXTRACTED,
    as_page,
    extracted_records,
    folder_records,
    json_record,
    json_records,
    page_files,
)
from dfactscore.retrieval._shapes import TEXTS, TITLES
from dfactscore.retrieval._store import PageStore

#: Larger pages are rejected; Wikipedia articles have at most 2 MiB.
MAX_PAGE_BYTES = 4 * 2**20
OnError = Callable[[RecordError], None]
_OPTIONAL = ("id", "url", "revision", "timestamp", "license")
_FIELDS = frozenset({"title", "text", "redirects", *_OPTIONAL})
_SUFFIXES = (".parquet", ".arrow")
_STATE = "state.json"


def _kind(path: Path) -> str:
    """Returns the format of a file based on its name; raises a `SourceError` if it is unknown."""
    if not path.exists():
        raise SourceError(f"{path}: no such file{near_file(path)}")
    if path.is_dir():
        if arrow_files(path):
            return "parquet"
        if any(page_files(path)):
            return "folder"
        raise SourceError(
            f"{path}: this folder contains neither .txt nor .parquet, .arrow, .md, .html, "
            ".jsonl or .json files, nor files of wikiextractor (AA/wiki_00)"
        )
    name = path.name.removesuffix(".gz").removesuffix(".bz2")
    if EXTRACTED.fullmatch(name):
        return "extracted"
    for kind, suffixes in {
        "json": (".json",),
        "jsonl": (".jsonl", ".ndjson"),
        "tsv": (".tsv",),
        "table": (".csv", ".xlsx"),
        "parquet": (".parquet", ".arrow"),
        "store": (".sqlite", ".db", ".sqlite3"),
    }.items():
        if name.endswith(suffixes):
            return "table" if kind == "tsv" and _has_header(path) else kind
    raise SourceError(
        f"{path}: unknown kind of file '{path.suffix}'; give .jsonl, .csv, .tsv "
        "(also DPR's), .json, .parquet, .arrow, .xlsx, a page store (.sqlite) or a folder of .txt "
        "files"
    )


def _has_header(path: Path) -> bool:
    """Whether a .tsv file has a page header other than DPR's (id, text, title)."""
    with open_bytes(path, error=SourceError) as file:
        first = file.readline(10_000).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    names = [cell.strip().strip('"').casefold() for cell in first.split("\t")]
    return names != ["id", "text", "title"] and {"title", "text"} <= set(map(_page_field, names))


def _page_field(name: str) -> str:
    """Returns the page field for a column name, ignoring case, or the name itself if unknown."""
    plain = name.strip().casefold()
    if plain in _FIELDS:
        return plain
    return "title" if plain in (*TITLES, "entity", "page") else "text" if plain in TEXTS else name


def page_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Renames the columns of a table row to page fields, and parses lists in cells."""
    fields: dict[str, Any] = {}
    for key, value in record.items():
        field = _page_field(str(key))
        exact = field == key
        if exact or field not in fields:
            fields[field] = _cell(field, value)
    return fields


def _cell(field: str, value: Any) -> Any:
    if field in ("text", "redirects"):
        listed = parsed(value)
        return listed if isinstance(listed, list) and all(map(_is_text, listed)) else value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return str(value) if number and field == "title" else value  # a title can be a year


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _table_records(path: Path) -> Iterator[tuple[str, object]]:
    for row in read_table(path, error=SourceError):
        where = f"{path}:{row.line}"
        yield where, row.cells if isinstance(row.cells, Unreadable) else page_record(row.cells)


def _string(record: dict[str, Any], field: str, where: str) -> str:
    value = record.get(field)
    if value is None:
        return ""
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    raise RecordError(where, f"'{field}' must be a string, not {type(value).__name__}")


def page_from_record(record: object, where: str, *, max_bytes: int = MAX_PAGE_BYTES) -> list[Page]:
    """Converts a ``{title, text}`` record to pages."""
    # `record`: a mapping with `title` and `text` (a string, or a list of strings for several
    # documents about one entity), and optionally `id`, `url`, `revision`, `timestamp`, `license`
    # and `redirects`.
    if isinstance(record, Unreadable):
        raise RecordError(where, str(record))
    if not isinstance(record, dict):
        raise RecordError(where, f"expected an object with title and text, not {record!r:.60}")
    if set(record) == {"index"}:
        return []  # a line of a Cirrus dump that announces the next
    record = as_page(record)
    if "title" not in record or "text" not in record:
        record = page_record(record)
    title = record.get("title")
    if not isinstance(title, str) or not title.strip():
        wrong = f"is {title!r}, not a text" if "title" in record else "is missing"
        raise RecordError(
            where,
            f"'title' {wrong} ({_fields_of(record)}); a page is "
            '{"title": …, "text": …}, and namesakes have different titles',
        )
    if "text" not in record:
        raise RecordError(where, f"'text' of '{title}' is missing ({_fields_of(record)})")
    texts = _texts(record["text"], title, where, max_bytes)
    redirects = record.get("redirects") or ()
    if not isinstance(redirects, (list, tuple)) or not all(isinstance(r, str) for r in redirects):
        raise RecordError(where, f"'redirects' of '{title}' must be a list of titles")
    optional: dict[str, Any] = {field: _string(record, field, where) for field in _OPTIONAL}
    return [
        Page(
            title=title.strip(), text=text, redirects=tuple(redirects) if not n else (), **optional
        )
        for n, text in enumerate(texts)
    ]


def _fields_of(record: Mapping[Any, Any]) -> str:
    return f"fields here: {', '.join(map(str, list(record)[:6])) or 'none'}"


def _texts(value: object, title: str, where: str, max_bytes: int) -> list[str]:
    """Returns the nonempty texts of a page."""
    texts: list[str] = []
    for text in value if isinstance(value, list) else [value]:
        if not isinstance(text, str):
            wrong = "is missing" if text is None else f"is of type {type(text).__name__}"
            raise RecordError(
                where, f"'text' of '{title}' {wrong}: give a string or a list of strings"
            )
        if text.strip():
            texts.append(text)
    if not texts:
        raise RecordError(where, f"'text' of '{title}' is empty")
    for text in texts:
        try:
            size = len(text) if text.isascii() else len(text.encode())
        except UnicodeEncodeError as error:
            raise RecordError(
                where, f"'text' of '{title!r}' contains half a surrogate pair at {error.start}"
            ) from None
        if size > max_bytes:
            raise RecordError(
                where,
                f"the page '{title}' has {size:,} bytes, more than {max_bytes:,}; "
                "split it, or raise the limit (max_bytes, --max-page-bytes)",
            )
    return texts


def _skip_bad(
    items: Iterable[tuple[str, object]],
    parse: Callable[[object, str], Any],
    on_error: OnError | None,
) -> Iterator[Any]:
    for where, item in items:
        try:
            yield parse(item, where)
        except RecordError as error:
            if on_error is None:
                raise
            on_error(error)


def _lines(path: Path) -> Iterator[tuple[str, object]]:
    for line in iter_lines(path, error=SourceError):
        yield line.where, line.raw


def _tsv_passage(line: object, where: str) -> Passage:
    assert isinstance(line, bytes)
    try:
        row = line.decode("utf-8-sig").rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise RecordError(
            where, f"not UTF-8 (byte {error.start}); convert it first (iconv -t utf-8)"
        ) from None
    if len(row) != 3:
        raise RecordError(where, f"{len(row)} columns where DPR's format has 3: id, text, title")
    id_, text, title = (_unquote(cell) for cell in row)
    if not id_.strip():
        raise RecordError(where, "the id is empty")
    if not title.strip():
        raise RecordError(where, f"the title of passage {id_} is empty")
    if not text.strip():
        raise RecordError(where, f"the text of passage {id_} ('{title}') is empty")
    return Passage(title=title, text=text, id=id_)


def _unquote(cell: str) -> str:
    """Removes CSV quoting from a cell of DPR's file; quotes inside a cell are doubled."""
    if len(cell) > 1 and cell[0] == '"' == cell[-1]:
        return cell[1:-1].replace('""', '"')
    return cell


def _tsv_passages(path: Path, on_error: OnError | None) -> Iterator[Passage]:
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        raise SourceError(f"{path}: the file is empty")

    def rows() -> Iterator[tuple[str, object]]:
        header = first[1]
        assert isinstance(header, bytes)
        if header.removeprefix(b"\xef\xbb\xbf").split(b"\t")[0].strip() != b"id":
            yield first
        yield from lines

    yield from _skip_bad(rows(), _tsv_passage, on_error)


def _parquet_records(path: Path) -> Iterator[tuple[str, object]]:
    yield from arrow_records(path, set(_FIELDS))


def read_page_parts(
    path: str | Path, *, max_bytes: int = MAX_PAGE_BYTES, on_error: OnError | None = None
) -> Iterator[list[Page]]:
    """Streams records, each of which is one page or several documents with the same title.

    See `read_pages` for the arguments and errors.
    """
    path = Path(path)
    kind = _kind(path)
    if kind == "store" and is_factscore_db(path):
        yield from ([page] for page in FactScorePages(path).pages())
        return
    if kind == "store":
        with PageStore(path) as store:
            for page in store.pages():
                yield [page]
        return
    if kind == "tsv":
        for title, group in groupby(_tsv_passages(path, on_error), key=lambda p: p.title):
            yield [Page(title=title, text="\n".join(p.text for p in group))]
        return

    def parse(item: object, where: str) -> list[Page]:
        return page_from_record(item, where, max_bytes=max_bytes)

    readers: dict[str, Callable[[Path], Iterator[tuple[str, object]]]] = {
        "jsonl": json_records,
        "parquet": _parquet_records,
        "folder": folder_records,
        "json": json_records,
        "extracted": extracted_records,
        "table": _table_records,
    }
    records = readers[kind](path)
    yield from _skip_bad(records, parse, on_error)


def read_pages(
    path: str | Path, *, max_bytes: int = MAX_PAGE_BYTES, on_error: OnError | None = None
) -> Iterator[Page]:
    """Streams the pages of a file or folder, in order.

    Supported formats: JSONL and JSON of ``{title, text}`` (optionally compressed; `text` is a
    string or a list; other names as in `dfactscore.retrieval._shapes`); CSV, TSV and XLSX with
    these columns (in upper or lower case; ``name``, ``content`` and similar names are also
    accepted); Wikipedia as Parquet or Arrow (``id, url, title, text``; a file, a folder of files,
    or a folder from ``save_to_disk`` of `datasets`); DPR's ``psgs_w100.tsv`` (consecutive passages
    with the same title are joined); a page store or FActScore's database; a folder of ``.txt``,
    ``.md``, ``.html``, JSON or wikiextractor files.
    """
    for parts in read_page_parts(path, max_bytes=max_bytes, on_error=on_error):
        yield from parts


def _passage_record(record: object, where: str) -> Passage:
    pages = page_from_record(record, where)
    if not pages:
        raise RecordError(where, "contains no page")
    if len(pages) != 1:
        raise RecordError(where, f"'text' of '{pages[0].title}' is a list; a passage has one text")
    return Passage(title=pages[0].title, text=pages[0].text, id=pages[0].id)


def read_passages(
    path: str | Path, *, first: int = 1, on_error: OnError | None = None
) -> Iterator[Passage]:
    """Streams passages from DPR's TSV (``id, text, title``) or records ``{id, title, text}``."""
    path = Path(path)
    kind = _kind(path)
    if kind == "tsv":
        yield from _tsv_passages(path, on_error)
        return
    if kind not in ("jsonl", "parquet"):
        raise SourceError(
            f"{path}: passages are read from .tsv (DPR), .jsonl, .parquet and .arrow files, and "
            "from folders of the latter"
        )
    numbered: bool | None = None
    number = first

    def parse(line: object, where: str) -> Passage:
        nonlocal numbered, number
        record = json_record(line, where) if kind == "jsonl" else line
        passage = _passage_record(record, where)
        if numbered is None:
            numbered = not passage.id
        if numbered == bool(passage.id):
            has = "has no id, others have one" if not numbered else "has an id, others have none"
            raise RecordError(where, f"the passage of '{passage.title}' {has}")
        if numbered:
            passage = replace(passage, id=str(number))
            number += 1
        return passage

    records = _lines(path) if kind == "jsonl" else _parquet_records(path)
    yield from _skip_bad(records, parse, on_error)


def arrow_files(path: Path) -> list[Path]:
    """Lists the files that make up a table: the file itself, or the files in a folder, in order.

    A folder comes from `datasets.save_to_disk` (its ``state.json`` lists the files in order; splits
    are sorted by name) or from the hub (Parquet files, possibly in subfolders), or simply contains
    such files.
    """
    if not path.is_dir():
        check_regular(path, error=SourceError)
        return [path]
    states = sorted(path.rglob(_STATE))
    if not states:
        return sorted(f for f in path.rglob("*") if f.suffix in _SUFFIXES and f.is_file())
    paths: list[Path] = []
    for state in states:
        try:
            listed = read_json(state, error=SourceError)["_data_files"]
            files = [state.parent / str(entry["filename"]) for entry in listed]
        except (KeyError, TypeError) as error:
            raise SourceError(
                f"{state}: not the state of a saved data set ({type(error).__name__}: {error})"
            ) from None
        for file in files:
            if not file.is_file() or not file.resolve().is_relative_to(path.resolve()):
                raise SourceError(f"{state}: names {file.name}, which is not in the folder")
        paths += files
    return paths


def arrow_records(path: Path, columns: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the rows of a table, each with its file and row number."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as _  # noqa: F401
    except ImportError:
        raise MissingExtraError("Reading Parquet and Arrow", "parquet") from None
    names = list(columns)
    for file in arrow_files(path):
        try:
            row = 0
            for batch in _batches(file, names):
                for record in batch.to_pylist():
                    row += 1
                    yield f"{file}:row {row}", record
        except (OSError, ValueError, pa.ArrowException) as error:
            if isinstance(error, SourceError):
                raise
            kind = "Arrow" if file.suffix == ".arrow" else "Parquet"
            raise SourceError(f"{file}: not readable as {kind} ({error})") from None


def _batches(file: Path, names: list[str]) -> Iterator[Any]:
    if file.suffix == ".arrow":
        yield from _arrow_batches(file, names)
        return
    import pyarrow.parquet as pq

    table = pq.ParquetFile(file)
    columns = _columns(file, table.schema_arrow.names, names)
    yield from table.iter_batches(batch_size=1024, columns=columns)


def _arrow_batches(file: Path, names: list[str]) -> Iterator[Any]:
    import pyarrow as pa

    with pa.memory_map(str(file)) as mapped:
        try:  # `datasets` writes streams; other programs write files, with a final index
            reader: Any = pa.ipc.open_stream(mapped)
            batches: Iterable[Any] = reader
        except pa.ArrowInvalid:
            mapped.seek(0)
            reader = pa.ipc.open_file(mapped)
            batches = (reader.get_batch(n) for n in range(reader.num_record_batches))
        columns = _columns(file, reader.schema.names, names)
        for batch in batches:
            for start in range(0, batch.num_rows, 1024):
                yield batch.slice(start, 1024).select(columns)


def _columns(file: Path, names: list[str], columns: list[str]) -> list[str]:
    if not {"title", "text"} <= set(names):
        raise SourceError(f"{file}: has the columns {', '.join(names)}; title and text are needed")
    return [name for name in names if name in columns]
