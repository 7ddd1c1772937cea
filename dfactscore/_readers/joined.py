"""Joins the rows that belong to one text: of two files, of one table, or of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers.chats import rows_in, unpacked
from dfactscore._readers.record_fields import FIELDS, Columns, at, paths_of
from dfactscore._util.json_rows import BrokenItem
from dfactscore._util.message_text import near_miss, short_repr
from dfactscore._util.objects import as_fields, keys_of
from dfactscore.retrieval._shapes import TEXTS

Items = Iterable[tuple[int, Any]]
# Columns that rows of one text share, in files whose rows hold a passage or a step each: of
# OpenInference and LangSmith, and of Open RAG Eval.
_SHARED = (
    (("context.trace_id",), ("parent_id",)),
    (("trace_id",), ("span_id", "parent_run_id", "span_kind")),
    (("traceId",), ("spanId",)),
    (("query_id", "query_run"), ("passage_id",)),
    (("query_id",), ("passage_id",)),
)
_PARENTS = ("parent_id", "parent_run_id", "parent_span_id", "parentSpanId")
_PASSAGE_ID = ("passage_id", "doc_id", "document_id", "chunk_id")
_RANKS = ("rank", "position")


def joined(items: Items, columns: Columns, others: Items | None) -> Iterator[tuple[int, Any]]:
    """Yields records with the rows that share their key, which are in the same file or another."""
    if others is not None:
        yield from _with_others(items, columns, others)
        return
    rows = (row for line, item in items for row in _spans(line, item))
    first = next(rows, None)
    if first is None:
        return
    keys = (columns.on,) if columns.on else _shared_by(as_fields(first[1]))
    items = chain([first], rows)
    yield from _in_groups(items, keys) if keys else items


def _spans(line: int, item: Any) -> Iterator[tuple[int, Any]]:
    """Yields the spans of an export of OpenTelemetry, with their attributes by name; other rows."""
    if not isinstance(item, Mapping) or "resourceSpans" not in item:
        yield line, item
        return
    scopes = [s for r in rows_in(item["resourceSpans"]) for s in rows_in(r.get("scopeSpans"))]
    for span in (span for scope in scopes for span in rows_in(scope.get("spans"))):
        values = {
            f"attributes.{one.get('key')}": next(
                iter(as_fields(one.get("value") or {}).values()), ""
            )
            for one in rows_in(span.get("attributes"))
        }
        yield line, {**span, **_listed(values), "parentSpanId": span.get("parentSpanId")}


def _listed(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Collects attributes numbered by their names, such as ``retrieval.documents.0.content``."""
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        start, documents, rest = name.partition("retrieval.documents.")
        number, _, field = rest.partition(".")
        if not documents or not number.isdigit():
            found[name] = value
            continue
        rows = found.setdefault(f"{start}retrieval.documents", {})
        rows.setdefault(int(number), {})[field] = value
    return {k: [*v.values()] if isinstance(v, dict) else v for k, v in found.items()}


def _shared_by(row: Any) -> tuple[str, ...]:
    """Returns the columns that rows of one text share; none if each row is a text of its own."""
    if not isinstance(row, Mapping):
        return ()
    return next(
        (
            keys
            for keys, others in _SHARED
            if all(key in row for key in keys) and any(name in row for name in others)
        ),
        (),
    )


def _in_groups(items: Items, keys: Sequence[str]) -> Iterator[tuple[int, Any]]:
    groups: dict[str, tuple[int, list[Mapping[str, Any]]]] = {}
    broken = []
    for line, item in items:
        row = as_fields(item)
        values = [at(row, key) for key in keys] if isinstance(row, Mapping) else [None]
        if None in values:
            broken.append((line, _missing(keys, row) if isinstance(row, Mapping) else item))
        else:
            groups.setdefault(repr(values), (line, []))[1].append(row)
    yield from ((line, _one_of(rows)) for line, rows in groups.values())
    yield from broken


def _one_of(rows: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Makes one record of the rows of a text: steps of a trace, or a passage each."""
    parent = next((name for name in _PARENTS if any(name in row for row in rows)), None)
    if parent is not None:
        root = next((row for row in rows if not row.get(parent)), rows[0])
        record = dict(unpacked(root))
        steps = [unpacked(row).get("documents") for row in rows if row is not root]
        found = [part for documents in steps if isinstance(documents, list) for part in documents]
        return record if record.get("documents") or not found else {**record, "documents": found}
    if (rank := next((name for name in _RANKS if name in rows[0]), None)) is not None:
        numbers = [row.get(rank) for row in rows]
        if all(isinstance(number, (int, float)) for number in numbers):
            rows = sorted(rows, key=lambda row: row[rank])
    filled = {k: next((row[k] for row in rows if row.get(k)), None) for k in rows[0]}
    shared = {k: v for k, v in filled.items() if all(row.get(k) in (v, None, "") for row in rows)}
    own = [name for name in rows[0] if name not in shared]
    if len(rows) == 1:
        own = [n for n in rows[0] if n in {*TEXTS, *_PASSAGE_ID} and n not in FIELDS["text"]]
    if not own:
        return rows[0]
    passages = [{_field(name): row.get(name) for name in own} for row in rows]
    return {**{k: v for k, v in shared.items() if k not in own}, "passages": passages}


def _field(name: str) -> str:
    return "id" if name in _PASSAGE_ID else name


def _with_others(items: Items, columns: Columns, others: Items) -> Iterator[tuple[int, Any]]:
    """Adds to each record the fields, or the passages, of the rows with the same key."""
    own, _, other = (columns.on or "id").partition("=")
    other = other or own
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for _, item in others:
        row = as_fields(item)
        key = at(row, other) if isinstance(row, Mapping) else None
        if key is None:
            found = keys_of(row) if isinstance(row, Mapping) else short_repr(row)
            near = near_miss(other, paths_of(row)) if isinstance(row, Mapping) else ""
            raise InputError(f"{columns.join}: no field {other!r} for --on; found {found}{near}")
        rows.setdefault(str(key), []).append(row)
    single = all(len(group) == 1 for group in rows.values())
    for line, item in items:
        record = as_fields(item)
        if not isinstance(record, Mapping):
            yield line, item
            continue
        group = rows.get(str(at(record, own)))
        yield (
            line,
            _missing((own,), record, columns.join)
            if group is None
            else _added(record, group, other, single=single),
        )


def _added(
    record: Mapping[str, Any], rows: list[Mapping[str, Any]], key: str, *, single: bool
) -> Mapping[str, Any]:
    listed = any(name in rows[0] for name in FIELDS["passages"])
    if single and (listed or not any(isinstance(rows[0].get(name), str) for name in TEXTS)):
        return {**rows[0], **record}
    passages = [{k: v for k, v in row.items() if k != key} for row in rows]
    return {**record, "passages": passages}


def _missing(keys: Sequence[str], row: Mapping[str, Any], file: object = None) -> BrokenItem:
    """Returns a record without the value by which rows are joined."""
    value = at(row, keys[0])
    if file is not None and value is not None:
        return BrokenItem(f"{keys[0]} {short_repr(value)} is not in {file}")
    near = near_miss(keys[0], paths_of(row))
    return BrokenItem(
        f"no value in {' or '.join(keys)}, by which rows are joined; found {keys_of(row)}{near}"
    )
