"""Reads biographies from files and tables in any known format; skips and reports bad records."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from dfactscore._errors import InputError
from dfactscore._readers.chats import is_packed, unpacked
from dfactscore._readers.found_passages import answer_in
from dfactscore._readers.harness_logs import is_inspect_log, read_log, unpack_samples
from dfactscore._readers.joined import joined
from dfactscore._readers.record_fields import (
    FIELDS,
    BadRecord,
    Columns,
    RecordError,
    at,
    field_of,
    paths_of,
    reader_of,
)
from dfactscore._readers.records import biography_from_record
from dfactscore._readers.shown_text import Cuts, TextChoice
from dfactscore._records import QUESTIONS, Biography
from dfactscore._util.bounded_memory import KeyTable
from dfactscore._util.files import open_bytes, read_bytes
from dfactscore._util.json_rows import BrokenItem, Rows, iter_array, iter_lines
from dfactscore._util.message_text import folder_content, message_line, near_file
from dfactscore._util.numbers import counted
from dfactscore._util.objects import as_fields, typed
from dfactscore._util.tables import TABLES, Unreadable, is_table, kind_of, read_table, rows_of

_BLANK = b" \t\r\n\x00\xef\xbb\xbf"
_WHOLE = (".json", ".xlsx")
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".eval", *TABLES)


class FindsOwners(Protocol):
    """Determines the people that passages are about (see `dfactscore._evidence.owners`)."""

    def __call__(self, biography: Biography) -> Biography:
        """Returns the biography, using the owner of each passage as the passage's title."""

    def __iter__(self) -> Iterator[str]:
        """Yields messages for the user about the owners."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Records read from a file."""

    biographies: Sequence[Biography]  # biographies of the valid records, in order
    bad: tuple[BadRecord, ...]
    # `n`, `of` and `seed` of the random sample, if the records are one.
    drawn: Mapping[str, int] | None = None
    cuts: Cuts = field(default_factory=Cuts, compare=False)
    owners: FindsOwners | None = field(default=None, compare=False)

    @property
    def notes(self) -> Iterator[str]:
        """Messages about the input, one line each."""
        yield from self.cuts
        yield from self.owners or ()


class BiographyStore(Sequence[Biography]):
    """A sequence that stores biographies as they are read."""

    @abstractmethod
    def append(self, biography: Biography) -> None:
        """Adds a biography."""


def read_biographies(
    path: str | Path,
    *,
    limit: int | None = None,
    columns: Columns | None = None,
    into: BiographyStore | None = None,
    text: TextChoice = "answer",
    owners: FindsOwners | None = None,
    reader: Callable[[Any], Any] | None = None,
) -> Reading:
    """Reads biographies from a file.

    - ``.json``: ALCE's ``{"data": [{question, output, docs}]}`` or a plain list of records
    - ``.jsonl``: our own records, FActScore's (``topic``, ``output``, ``annotations``), or the
      samples that lm-eval logs
    - ``.eval`` and ``.json``: Inspect logs, if Inspect is installed
    - ``.csv``, ``.tsv``, ``.parquet``, ``.xlsx``: tables whose header includes at least a name and
      a text column, in lower or upper case

    Text formats may be compressed (``.gz``).

    Args:
        path: The file.
        limit: The maximum number of records to read.
        columns: The columns chosen by the user.
        into: The container of the biographies; a tuple by default.
        text: The part of each text to score: only the answer, or ``"raw"``.
        owners: Object that determines and reports the owner of each passage.
        reader: A function that turns a record into a `Biography`, a dict in the JSONL format, or a
            list of these, and replaces all rules for fields.

    Raises:
        InputError: If the file cannot be read at all, is empty or contains no usable record.
        MissingExtraError: If the library needed for Parquet, XLSX or Inspect logs is not installed.
    """
    path = Path(path)
    _check_kind(path)
    columns = columns or Columns(reader=reader)
    return gather(
        _items(path, columns),
        where=path,
        limit=limit,
        columns=columns,
        into=into,
        text=text,
        owners=owners,
    )


def _check_kind(path: Path) -> None:
    """Raises an error that lists the known formats if the file is in none of them."""
    accepted = f"give one file of texts: {', '.join(_SUFFIXES)}"
    if kind_of(path) in _SUFFIXES:
        return
    if str(path) == "-":
        raise InputError(f"-: standard input is not read; {accepted}")
    texts = path / "biographies.jsonl"
    if texts.is_file() and (path / "manifest.json").is_file():
        raise InputError(
            f"{path}: is a run: {texts} holds its texts, 'dfactscore rescore {path}' prints its "
            "scores"
        )
    if path.is_dir():
        raise InputError(f"{path}: is a folder; {accepted}{folder_content(path, *_SUFFIXES)}")
    if not path.exists():
        raise InputError(f"{path}: no such file; {accepted}{near_file(path, *_SUFFIXES)}")
    raise InputError(f"{path}: unknown format {path.suffix!r}; {accepted}")


def read_records(
    records: Any,  # biographies and mappings, or a table (see `dfactscore._util.tables.rows_of`)
    *,
    limit: int | None = None,
    columns: Columns | None = None,
    text: TextChoice = "answer",  # part of each text to score: only the answer, or `"raw"`
    owners: FindsOwners | None = None,
) -> Reading:
    """Reads biographies from memory."""
    columns = columns or Columns()
    if is_table(records):
        rows = rows_of(records)
        records = rows if columns.reader is not None else map(columns.filled, rows)
    elif isinstance(records, (str, bytes, Mapping)) or not isinstance(records, Iterable):
        hint = " (one record goes into a list: [record])" if isinstance(records, Mapping) else ""
        raise InputError(f"records must be a list of dicts, not {type(records).__name__}{hint}")
    items = enumerate(records, start=1)
    return gather(items, where=None, limit=limit, columns=columns, text=text, owners=owners)


def gather(
    items: Iterable[tuple[int, Any]],
    *,
    where: Path | None,  # file; None for records in memory, whose ids may repeat
    limit: int | None = None,
    columns: Columns | None = None,
    into: BiographyStore | None = None,
    text: TextChoice = "answer",
    owners: FindsOwners | None = None,
) -> Reading:
    """Converts records to biographies, skipping records that cannot be used."""
    columns = columns or Columns()
    good: list[Biography] | BiographyStore = [] if into is None else into
    bad: list[BadRecord] = []
    lines_by_id = KeyTable()  # lines by the digest of the id
    fields: dict[str, None] = {}
    cuts = Cuts()
    own = None if columns.reader is None else reader_of(columns.reader)
    if own is None:
        others = None if columns.join is None else _items(columns.join, Columns())
        items = joined(items, columns, others)
    for number, (line, item) in enumerate(items):
        if limit is not None and number >= limit:
            break
        identity = str(number)
        try:
            if isinstance(item, BrokenItem):
                raise RecordError("", item.reason)
            if own is None and not isinstance(item, Biography):
                item = as_fields(item)
                if isinstance(item, (list, tuple)) and all(map(str.isdigit, columns.chosen())):
                    item = {str(place): cell for place, cell in enumerate(item)} or item
            if isinstance(item, Mapping):
                fields.update(dict.fromkeys(map(str, item)))
                if missing := [c for c in columns.chosen() if c not in fields and "." in c]:
                    fields.update(dict.fromkeys(c for c in missing if at(item, c) is not None))
                    fields.update(dict.fromkeys(() if number else paths_of(item)))
                id = columns.rename(item).get("id")
                identity = (isinstance(id, (str, int)) and str(id)) or identity
            found = [item] if own is None else _own(own, columns.reader, item)
            biographies = [
                one
                if isinstance(one, Biography)
                else biography_from_record(
                    one,
                    default_id=identity if len(found) == 1 else f"{identity}.{place}",
                    columns=columns if own is None else Columns(),
                    text=text,
                    cuts=cuts,
                )
                for place, one in enumerate(found, start=1)
            ]
            for biography in biographies:
                digest = _digest(biography.id)
                if where is not None and (first_line := lines_by_id.get(digest)):
                    raise RecordError(
                        "id", f"{biography.id!r} is already the id of line {first_line[0]}"
                    )
                lines_by_id.put(digest, line)
        except RecordError as error:
            file = "" if where is None else where.name
            bad.append(BadRecord(file, line, identity, str(error)))
            continue
        for biography in biographies:
            good.append(biography if owners is None else owners(biography))
    if fields and own is None:
        columns.check(fields, str(where or "records"))
    place = "" if where is None else f"{where}: "
    if not good and bad:
        remainder = f" (and {counted(len(bad) - 1, 'more record')})" if len(bad) > 1 else ""
        raise InputError(f"{place}contains no usable record; {bad[0]}{remainder}")
    if not good and where is not None:
        raise InputError(f"{place}contains no records")
    return Reading(
        good if isinstance(good, BiographyStore) else tuple(good),
        tuple(bad),
        cuts=cuts,
        owners=owners,
    )


def _own(read: Callable[[Any], Any], name: object, item: Any) -> list[Any]:
    """Returns what the user's function makes of a record: biographies, or records in our format."""
    shown = name if isinstance(name, str) else getattr(name, "__name__", repr(name))
    try:
        found = read(item)
        if isinstance(found, Iterator):
            found = [*found]
    except Exception as error:
        # Whatever a user's function raises says why this record cannot be read.
        raise RecordError(
            "", f"reader {shown} raised {type(error).__name__}: {message_line(error)}"
        ) from None
    rows = found if isinstance(found, (list, tuple)) and found else [found]
    for row in rows:
        if isinstance(row, Biography) and not (
            isinstance(row.text, str) and isinstance(row.name, str) and isinstance(row.id, str)
        ):
            raise RecordError(
                "", f"reader {shown} returned a Biography whose id, name or text is not a text"
            )
        if not isinstance(row, (Biography, Mapping)):
            raise RecordError(
                "", f"reader {shown} returned {typed(row)}, expected a Biography or a mapping"
            )
    return [*rows]


def _digest(id: str) -> str:
    return hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _items(path: Path, columns: Columns) -> Iterator[tuple[int, Any]]:
    """Yields the records of a file; only JSON lists and sheets are read into memory as a whole."""
    kind = kind_of(path)
    if columns.sheet is not None and kind != ".xlsx":
        raise InputError(f"{path}: --sheet {columns.sheet} is for workbooks (.xlsx)")
    if kind == ".eval":
        yield from read_log(path)
        return
    if kind not in _WHOLE:
        with open_bytes(path, error=InputError) as file:
            while (start := file.read(1 << 16)) and not start.strip(_BLANK):
                pass
        if not start:
            raise InputError(f"{path}: the file is empty")
        items = iter_items(path, columns=columns)
    else:
        data = read_bytes(path, error=InputError)
        if not data.strip(_BLANK):
            raise InputError(f"{path}: the file is empty")
        if kind == ".json" and is_inspect_log(data):
            yield from read_log(path)
            return
        items = iter_items(path, data, columns=columns)
    yield from items if columns.reader is not None else unpack_samples(items)


def iter_items(
    path: Path, data: bytes | None = None, *, columns: Columns | None = None
) -> Iterator[tuple[int, Any]]:
    """Yields each record and the line where it starts; an unreadable record is a `BrokenItem`."""
    kind = kind_of(path)
    whole = columns is not None and columns.reader is not None
    if kind in TABLES:
        yield from _rows(path, data, columns)
    elif kind == ".json":
        data = read_bytes(path, error=InputError) if data is None else data
        yield from iter_array(data, path, _RECORDS, whole=whole)
    else:
        yield from iter_lines(path if data is None else BytesIO(data), _RECORDS)


def file_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields the objects of a file of any format, each with its place; refuses all else."""
    _check_kind(path)
    for line, row in iter_items(path):
        where = f"{path}:{line}"
        if isinstance(row, BrokenItem):
            raise InputError(f"{where}: {row.reason}")
        if not isinstance(row, Mapping):
            raise InputError(f"{where}: expected an object, found {typed(row)}")
        yield where, row


def _is_record(value: Mapping[str, Any]) -> bool:
    """Whether an object of a file is a record itself rather than a list of records."""
    names, texts = map(field_of, map(str, value)), FIELDS["text"]
    known = {*names}
    if any(isinstance(value.get(name), str) for name in QUESTIONS) or answer_in(value):
        return True
    if not known.isdisjoint(texts):
        return not known.isdisjoint((*FIELDS["name"], *FIELDS["passages"])) or not any(
            isinstance(value.get(name), list) for name in _LISTS
        )
    if any(name in value for name in _LISTS):
        return False
    return is_packed(value) and not unpacked(value).keys().isdisjoint(texts)


def _is_row(value: Mapping[str, Any]) -> bool:
    return not {*map(field_of, map(str, value))}.isdisjoint(FIELDS["text"])


# Keys under which files list their records, if the whole is not a record itself: also of HELM,
# and of SAFE.
_LISTS = (
    "results", "records", "rows", "samples", "examples", "items", "biographies", "answers",
    "predictions", "test_cases", "testCases", "runs", "traces", "request_states", "per_prompt_data",
)  # fmt: skip
_RECORDS = Rows(_is_record, _is_row, _LISTS, InputError)


def _rows(path: Path, data: bytes | None, columns: Columns | None) -> Iterator[tuple[int, Any]]:
    sheet = None if columns is None else columns.sheet
    for row in read_table(path, data, error=InputError, sheet=sheet):
        if isinstance(row.cells, Unreadable):
            yield row.line, BrokenItem(str(row.cells))
        elif columns is not None and columns.reader is None:
            yield row.line, columns.filled(row.cells)
        else:
            yield row.line, {column: v for column, v in row.cells.items() if v is not None}
