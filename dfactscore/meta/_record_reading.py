"""Reads labeled records, skipping and reporting bad ones."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from dfactscore._errors import InputError
from dfactscore._readers.files import iter_items
from dfactscore._readers.json_items import object_of
from dfactscore._readers.problems import BadRecord, RecordError
from dfactscore._util.files import read_bytes
from dfactscore._util.printable import short_repr
from dfactscore.meta._data_sets import DataSet, Item, LabelLevel

_T = TypeVar("_T")
Notes = Counter[str]
_KINDS: Mapping[type, str] = {str: "a text", list: "a list", bool: "true or false"}


class Records:
    """The records in a file."""

    def __init__(self, digest: str) -> None:
        self.items: list[Item] = []  # items made from the good records, in order
        self.bad: list[BadRecord] = []
        self.notes: Notes = Counter()
        self.digest = digest

    def data(self, kind: str, path: Path, *levels: LabelLevel, **fields: Any) -> DataSet:
        """Returns the good records as a data set."""
        return DataSet(
            kind=kind,
            path=path,
            items=tuple(self.items),
            levels=levels,
            digest=self.digest,
            bad=tuple(self.bad),
            odd=tuple(f"{n} {note}" for note, n in self.notes.items()),
            **fields,
        )


def read_records(
    path: Path,
    make: Callable[[Mapping[str, Any], int, Notes], Item | None],
    *,
    identity: str = "id",  # name of the field that identifies a record; its values must be unique
) -> Records:
    """Converts the records of a JSONL, JSON, CSV or Parquet file into items."""
    data = read_bytes(path, error=InputError)
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        raise InputError(f"{path}: the file is empty")
    records = Records(hashlib.sha256(data).hexdigest())
    seen: dict[tuple[str, str], int] = {}
    for number, (line, value) in enumerate(iter_items(path, data, strict=False)):
        identifier = str(number)
        try:
            item = make(object_of(value), number, records.notes)
            if item is None:
                continue
            identifier = item.id
            if (first := seen.get((item.group, item.id))) is not None:
                raise RecordError(identity, f"{item.id!r} is on line {first} already")
        except RecordError as error:
            records.bad.append(BadRecord(str(path), line, identifier, str(error)))
            continue
        seen[item.group, item.id] = line
        records.items.append(item)
    if not records.items:
        if records.bad:
            suffix = f" (and {len(records.bad) - 1} more)" if len(records.bad) > 1 else ""
            raise InputError(f"{records.bad[0]}{suffix}; no usable record is left")
        raise InputError(f"{path}: contains no records")
    return records


def field_of(record: Mapping[str, Any], name: str, kind: type[_T]) -> _T:
    """Returns the value of a required field."""
    if name not in record:
        raise RecordError(name, f"is missing (the record has {', '.join(map(str, record))})")
    value = record[name]
    if not isinstance(value, kind):
        expected = _KINDS.get(kind, kind.__name__)
        raise RecordError(name, f"expected {expected}, found {short_repr(value)}")
    return value


def texts_of(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Returns the non-empty texts of a field that contains a text or a list of texts."""
    value = record.get(name)
    values = [value] if isinstance(value, str) else value or []
    if not isinstance(values, list) or not all(v is None or isinstance(v, str) for v in values):
        raise RecordError(name, f"expected a list of texts, found {short_repr(value)}")
    return tuple(v for v in values if v and v.strip())
