"""Fields of records in other tools' formats: column names, and contexts as passages."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dfactscore._errors import InputError
from dfactscore._text.clean_text import clean
from dfactscore._util.message_text import near_miss, short_repr
from dfactscore._util.tables import columns_as_rows, parsed
from dfactscore.retrieval import Passage


class RecordError(ValueError):
    """Raised if a record cannot be used."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"field {field!r}: {reason}" if field else reason)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that was skipped."""

    file: str
    line: int  # 1-based line on which the record starts, or on which its JSON is invalid
    id: str
    reason: str

    def __str__(self) -> str:
        if not self.file:
            return f"record {self.line} (id {self.id}): {self.reason}"
        return f"{self.file}:{self.line}: record {self.id}: {self.reason}"


def typed(value: object) -> str:
    """Formats a value and its type for a message.

    Example:
        >>> typed(3)
        'int 3'
    """
    return f"{type(value).__name__} {short_repr(value)}"


#: Fields that contain a question with a name in it.
QUESTIONS = ("question", "input", "prompt", "user_input", "query")
#: The names that formats use for each field; the first one present in a record is read.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "text": (
        "text", "output", "response", "generation", "biography",
        "actual_output", "actualoutput", "answer", "result", "data",
    ),
    "name": ("name", "topic", "entity", *QUESTIONS),
    "passages": (
        "passages", "docs", "documents",
        "retrieved_contexts", "retrieval_context", "retrievalcontext", "contexts", "context",
        "source_documents", "source_nodes",
    ),
    "id": ("id",),
    "model": ("model",),
    "facts": ("facts",),
    "groups": ("groups",),
    "links": ("links",),
    "verdicts": ("verdicts",),
    "annotations": ("annotations",),
    "candidates": ("candidates",),
}  # fmt: skip
#: Fields with lists or mappings, which tables store as text.
LISTS = frozenset(
    {*FIELDS["passages"], "facts", "groups", "links", "verdicts", "annotations", "candidates"}
)
_KNOWN = frozenset(name for names in FIELDS.values() for name in names)


def field_of(name: str) -> str:
    """Normalizes case and outer spaces in known field names; leaves other names unchanged.

    Example:
        >>> field_of(" Text"), field_of("Docs"), field_of("Born")
        ('text', 'docs', 'Born')
    """
    plain = name.strip().strip("\ufeff").casefold()
    return plain if plain in _KNOWN else name


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns or fields chosen by the user; None for the default names."""

    text: str | None = None
    name: str | None = None
    id: str | None = None
    passages: str | None = None
    model: str | None = None

    def chosen(self) -> dict[str, str]:
        """Returns the field for each chosen column."""
        fields = ("text", "name", "id", "passages", "model")
        return {column: f for f in fields if (column := getattr(self, f)) is not None}

    def rename(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Returns a record with the default field names and with lists parsed from cells.

        If the user chose a column for a field, any other column that has the field's name is
        renamed.
        """
        chosen = self.chosen()
        reserved = {other for field in chosen.values() for other in FIELDS[field]}
        renamed: dict[str, Any] = {}
        exact: set[str] = set()
        for key, value in record.items():
            key = str(key)
            field = chosen.get(key) or field_of(key)
            if key not in chosen and field in reserved:
                field = f"column {key}"
            if field in exact and field != key:
                field = key
            if field == key or key in chosen:
                exact.add(field)
            renamed[field] = parsed(value) if field in LISTS else value
        return renamed

    def filled(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Returns a table row without its empty cells, but keeps an empty text or name."""
        chosen = self.chosen()
        filled = {column: cell for column, cell in row.items() if cell is not None}
        for field in ("text", "name"):
            chosen_columns = [column for column, of in chosen.items() if of == field]
            default_columns = [c for c in row if c not in chosen and field_of(c) in FIELDS[field]]
            columns = [column for column in chosen_columns or default_columns if column in row]
            if filled.keys().isdisjoint(columns):
                filled |= dict.fromkeys(columns[:1], "")
        return filled

    def check(self, known: Iterable[str], where: str) -> None:
        """Checks that the chosen columns exist."""
        columns = list(known)
        for column, field in self.chosen().items():
            if column not in columns:
                raise InputError(
                    f"{where}: no column {column!r} for the {field}; it has "
                    f"{', '.join(columns[:12]) or 'none'}{near_miss(column, columns)}"
                )


_TEXTS = ("text", "page_content", "content", "text_resource", "passage", "chunk", "body", "snippet")
_TITLES = ("title", "page_title", "document_title", "doc_title", "name", "header")
_METADATA = ("metadata", "meta", "extra_info")
# Keys that identify the document of a passage, best first.
_SOURCES = (
    "doc_id", "document_id", "ref_doc_id", "source_id", "parent_id", "source", "url", "link",
    "file_path", "file_name", "filename", "path",
)  # fmt: skip
_IDS = ("id", "id_", "node_id", "chunk_id")
_WRAPPED = ("node", "document")  # keys under which scored results hold a node or document
_SERIALIZED = {"init_parameters": "type", "kwargs": "lc"}  # by Haystack, by LangChain


def as_fields(value: Any) -> Any:
    """Converts a pydantic object, dataclass or named tuple to a mapping; keeps other values as is.

    Example:
        >>> @dataclasses.dataclass
        ... class Answer:
        ...     response: str
        >>> as_fields(Answer("Ann Lee sang.")), as_fields({"text": "x"}), as_fields(3)
        ({'response': 'Ann Lee sang.'}, {'text': 'x'}, 3)
    """
    if isinstance(value, Mapping):
        kind = next((k for k, mark in _SERIALIZED.items() if k in value and mark in value), None)
        return value if kind is None else as_fields(value[kind])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(declared := getattr(type(value), "model_fields", None), Mapping):
        return {name: getattr(value, name) for name in declared}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()
    return value


def text_of(value: Any) -> Any:
    """Returns the text of a message, even if split into blocks; leaves other values unchanged.

    Example:
        >>> text_of({"type": "ai", "content": [{"type": "text", "text": "Ann Lee sang."}]})
        'Ann Lee sang.'
    """
    fields = as_fields(value)
    if not isinstance(fields, Mapping):
        return value
    content = fields.get("content", fields.get("text"))
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = [part if isinstance(part, str) else text_of(part) for part in content]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else value


def passages_of(value: Any, field: str = "passages") -> tuple[Passage, ...]:
    """Reads passages, best first. A passage without a title gets an empty title.

    Example:
        >>> rows = ["Ann Lee sang.", {"page_content": "x", "metadata": {"source": "a.pdf"}}]
        >>> [(passage.text, passage.source) for passage in passages_of(rows)]
        [('Ann Lee sang.', ''), ('x', 'a.pdf')]
    """
    # `value`: a list of strings, of `{title, text}`, or of documents from LangChain
    # (`page_content`, `metadata`), LlamaIndex (nodes, with or without scores) or Haystack
    # (`content`, `meta`), as objects or mappings; a mapping of columns; or, in a contexts field, a
    # single text.
    if hasattr(value, "tolist"):
        value = value.tolist()
    rows = columns_as_rows(list(value) if isinstance(value, tuple) else value)
    if isinstance(rows, str) and rows.strip() and "context" in field:
        rows = rows.split("|") if field == "retrieval_context" else [rows]  # deepeval's tables
    if not isinstance(rows, list):
        raise RecordError(
            field, f"expected a list of texts or of {{title, text}}, found {typed(rows)}"
        )
    return tuple(_passage(row, f"{field}[{i}]") for i, row in enumerate(rows))


def _passage(row: Any, where: str) -> Passage:
    if isinstance(row, str):
        return Passage("", clean(row))
    if isinstance(row, (tuple, list)) and not hasattr(row, "_asdict") and row:
        return _passage(row[0], where)  # a document with its score
    fields = _unwrapped(as_fields(row))
    if not isinstance(fields, Mapping):
        raise RecordError(where, f"expected a text or {{title, text}}, found {typed(row)}")
    key = next((name for name in _TEXTS if fields.get(name) is not None), "text")
    text = text_of(fields.get(key))
    if not isinstance(text, str):
        raise RecordError(f"{where}.{key}", f"expected a text, found {typed(text)}")
    sources = [fields, *(as_fields(fields.get(name)) for name in _METADATA)]
    mappings = [part for part in sources if isinstance(part, Mapping)]
    title = _first(mappings, _TITLES[:1]) if "title" in fields else _first(mappings, _TITLES)
    if title is not None and not isinstance(title, str):
        raise RecordError(f"{where}.title", f"expected a text, found {typed(title)}")
    return Passage(
        clean(title or "").strip(),
        clean(text),
        str(_first(mappings[:1], _IDS) or ""),
        clean(str(_first(mappings, _SOURCES) or _parent(fields) or "")).strip(),
    )


def _unwrapped(fields: Any) -> Any:
    """Returns the node or document wrapped in an object that adds a score."""
    while isinstance(fields, Mapping) and not any(fields.get(n) is not None for n in _TEXTS):
        inner = next((fields[name] for name in _WRAPPED if fields.get(name) is not None), None)
        if not isinstance(inner := as_fields(inner), Mapping):
            break
        fields = inner
    return fields


def _first(parts: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Any:
    """Returns the value of the first name found in any part, searching outer parts first."""
    values = (part[name] for name in names for part in parts if part.get(name) not in (None, ""))
    return next(values, None)


def _parent(fields: Mapping[str, Any]) -> Any:
    """Returns the id of a LlamaIndex node's source document, which is its relationship "1"."""
    related = as_fields(fields.get("relationships"))
    if not isinstance(related, Mapping):
        return None
    by_kind = {str(getattr(kind, "value", kind)): other for kind, other in related.items()}
    source = as_fields(by_kind.get("1"))
    return source.get("node_id") if isinstance(source, Mapping) else None
