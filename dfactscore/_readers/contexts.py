"""Reads contexts from other tools: strings and LangChain, LlamaIndex or Haystack documents."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._readers.problems import RecordError, typed
from dfactscore._text.clean_text import clean
from dfactscore._util.tables import columns_as_rows
from dfactscore.retrieval import Passage

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
