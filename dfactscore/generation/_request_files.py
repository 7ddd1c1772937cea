"""Reads files of names and files of passages, and retrieves passages for names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._readers.files import file_rows
from dfactscore._readers.record_fields import FIELDS, RecordError, passages_of
from dfactscore._readers.records import known_fields, passages_in
from dfactscore._text.clean_text import clean
from dfactscore._text.name_lists import LISTS, listed_names
from dfactscore._text.questions import name_of_question
from dfactscore._util.message_text import short_repr
from dfactscore._util.tables import kind_of
from dfactscore.generation._request import Request
from dfactscore.retrieval import Passage
from dfactscore.retrieval._retriever import Retriever

if TYPE_CHECKING:
    from dfactscore.generation._config import NamesSettings


_NAME = (*FIELDS["name"], "title")
_LIST = FIELDS["passages"]
# Fields of generated biographies and of AmbigBio, which are not copied to the output.
_NOT_CARRIED = {
    *_NAME, *_LIST, *FIELDS["text"], "id", "model", "facts",
    "groups", "links", "verdicts", "citations", "people", "key",
}  # fmt: skip


def read_names(path: str | Path) -> list[Request]:
    """Reads names without passages.

    ``.txt``: one name per line. ``.csv``, ``.tsv`` or a text with tabs: the column ``name`` or
    ``topic``, or else the first column. ``.jsonl``: objects with ``name``, such as an AmbigBio file
    or generated biographies. The name is extracted from queries ("Tell me a bio of …") and lists
    (``['…']``), without "(disambiguation)". A repeated name is read only once.

    Raises:
        InputError: If the file cannot be read or contains no names.
    """
    source = Path(path)
    rows: Iterable[tuple[str, Mapping[str, Any]]]
    if kind_of(source) in (".json", ".jsonl", ".ndjson"):
        rows = _json_names(source)
    elif kind_of(source) in LISTS:
        rows = ((name, {}) for name in listed_names(source, error=InputError))
    else:
        raise InputError(
            f"{source}: unknown format {source.suffix!r}; known: {', '.join(LISTS)}, .jsonl"
        )
    found: dict[str, Request] = {}
    for raw, extra in rows:
        name = name_of_question(clean(raw))
        if name and name not in found:
            found[name] = Request(name, name, (), extra)
    if not found:
        raise InputError(f"{source}: contains no names")
    return list(found.values())


def read_requests(path: str | Path) -> list[Request]:
    """Reads names with their passages.

    A file of any format that texts are read from: either one record per name,
    ``{"name": ..., "passages": [{title, text}]}``, or one per passage,
    ``{"name": ..., "rank": 1, "title": ..., "text": ...}``.

    Raises:
        InputError: If the file cannot be read or a line has neither format; the message names the
            line and the field.
    """
    source = Path(path)
    requests: dict[str, Request] = {}
    ranked: dict[str, list[tuple[float, Passage]]] = {}
    for where, record in file_rows(source):
        fields, passages = _fields_and_passages(record, where)
        field = next((f for f in _NAME[:-1] if isinstance(fields.get(f), str)), None)
        if field is None:
            keys = ", ".join(map(str, list(record)[:8]))
            raise InputError(f'{where}: no field "name"; found {keys}')
        name = name_of_question(clean(fields[field]))
        if not name:
            raise InputError(f'{where}, field "{field}": expected a name, found an empty text')
        if not passages and not any(fields.get(name) is not None for name in _LIST):
            passage = _passage(record, where)
            rank = record.get("rank", len(ranked.get(name, ())))
            if isinstance(rank, bool) or not isinstance(rank, (int, float)):
                raise InputError(f'{where}, field "rank": {short_repr(rank)} is not a number')
            ranked.setdefault(name, []).append((rank, passage))
            continue
        if name in requests:
            raise InputError(f"{where}: {name!r} is repeated")
        extra = {k: v for k, v in record.items() if k not in _NOT_CARRIED}
        requests[name] = Request(str(record.get("id", name)), name, passages, extra)
    for name, rows in ranked.items():
        if name in requests:
            raise InputError(f"{source}: {name!r} has both a list of passages and single passages")
        rows.sort(key=lambda row: row[0])
        requests[name] = Request(name, name, tuple(p for _, p in rows))
    if not requests:
        raise InputError(f"{source}: contains no passages")
    return list(requests.values())


def _passage(record: Mapping[str, Any], where: str) -> Passage:
    """Returns the passage of a line that holds one."""
    try:
        (passage,) = passages_of([record])
    except RecordError as error:
        raise InputError(f"{where}, {str(error).replace('passages[0].', '')}") from None
    if not passage.title:
        found = short_repr(record.get("title"))
        raise InputError(f'{where}, field "title": expected text, found {found}')
    return passage


def _fields_and_passages(
    record: Mapping[str, Any], where: str
) -> tuple[Mapping[str, Any], tuple[Passage, ...]]:
    """Returns the fields of a record, by the names of `FIELDS`, and its list of passages."""
    try:
        fields = known_fields(record)
        return fields, passages_in(fields, str(fields.get("text") or ""))[0]
    except RecordError as error:
        raise InputError(f"{where}, {error}") from None


def _json_names(source: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for where, row in file_rows(source):
        field = next((f for f in _NAME if isinstance(row.get(f), str)), None)
        if field is None:
            if "schema_version" in row:  # the first line of an AmbigBio file
                continue
            raise InputError(
                f'{where}: no field "name"; found {", ".join(map(str, list(row)[:8]))}'
            )
        ambigbio = "people" in row
        yield row[field], {k: v for k, v in row.items() if not ambigbio and k not in _NOT_CARRIED}


def load_requests(settings: NamesSettings) -> list[Request]:
    """Loads names with their passages, from a file or an index."""
    names, top = settings.names, settings.top
    if settings.index is not None:
        if names is None:
            raise InputError("generate: --index needs --names FILE")
        return retrieve(read_names(names)[: settings.limit], settings.index, top=top)
    if settings.passages is None:
        raise InputError("generate: give --index DIR with --names FILE, or --passages FILE")
    requests = {
        r.name: replace(r, passages=r.passages[:top]) for r in read_requests(settings.passages)
    }
    if names is None:
        return list(requests.values())[: settings.limit]
    return [requests.get(r.name, r) for r in read_names(names)][: settings.limit]


def retrieve(requests: Sequence[Request], index: str | Path, *, top: int = 5) -> list[Request]:
    """Finds the passages for each name.

    Args:
        requests: The names.
        index: An index folder created by ``dfactscore index build``.
        top: The number of passages per name; the paper uses five.

    Returns:
        The requests with their passages, best first.

    Raises:
        RetrievalError: If the folder cannot be searched.
    """
    retriever = Retriever(index)
    try:
        results = retriever.search_names([r.name for r in requests], top)
    finally:
        retriever.close()
    return [
        replace(request, passages=tuple(hit.passage for hit in hits))
        for request, hits in zip(requests, results, strict=True)
    ]
