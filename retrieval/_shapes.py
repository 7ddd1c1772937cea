"""Reads passages from the shapes in which programs and vector stores hold documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._text.clean_text import clean
from dfactscore._text.sentences import is_address, is_id, is_prose, is_title
from dfactscore._util.message_text import short_repr
from dfactscore._util.objects import ShapeError, as_fields, check_depth, keys_of, text_of, typed
from dfactscore._util.tables import columns_as_rows, parsed
from dfactscore.retrieval._documents import Passage

#: The names of the text of a document, best first.
TEXTS = (
    "text", "page_content", "content", "document.content",  # LangChain, Haystack, OpenInference
    "contents", "text_resource", "passage", "passage_text", "chunk", "chunk_text",  # pyserini
    "body", "snippet", "page_text", "extract", "context", "segment", "texts",
    "document_text", "chunk_content", "paragraph_text", "page_snippet", "wiki_text", "sentences",
)  # fmt: skip
TITLES = (
    "title",
    "page_title",
    "document_title",
    "doc_title",
    "name",
    "header",
    "headline",
    "wikipedia_title",
    "wiki_title",
    "page_name",
)
_METADATA = (
    "metadata", "meta", "extra_info", "document.metadata", "struct_data", "structData",
    "attributes", "document_metadata",
)  # fmt: skip
# Keys that identify the document of a passage, best first.
_SOURCES = (
    "doc_id", "document_id", "ref_doc_id", "source_id", "parent_id", "source", "url", "link",
    "file_path", "file_name", "filename", "path", "source_uri", "uri",
)  # fmt: skip
_IDS = ("id", "id_", "node_id", "chunk_id", "_id", "document.id", "file_id", "uuid")
# Keys under which results hold a node or document: of LlamaIndex, of LangChain and Vertex, of
# Qdrant, Elasticsearch, Milvus and Weaviate, and of Pinecone, whose metadata hold the text.
_WRAPPED = (
    "node", "document", "payload", "_source", "entity", "properties", "fields", "metadata",
    "structData", "struct_data", "derivedStructData", "derived_struct_data", "__data__",
    "chunkInfo", "chunk_info", "retrievedContext",
)  # fmt: skip
#: Keys under which answers of vector stores and services list their results.
LISTS = (
    "results", "documents", "docs", "passages", "contexts", "hits", "matches", "points", "objects",
    "nodes", "source_nodes", "source_documents", "retrievalResults", "retrieval_results",
    "retrieved_documents", "chunks", "chunk_search_results", "citations", "data",
)  # fmt: skip
_DEEPEST = 64
_PARTS = ("extractive_segments", "extractive_answers", "extractiveSegments", "snippets")  # Vertex


def passages_of(value: Any, field: str = "passages") -> tuple[Passage, ...]:
    """Reads passages, best first; a null one is an empty passage, which keeps the others' numbers.

    Example:
        >>> rows = ["Ann Lee sang.", {"page_content": "x", "metadata": {"source": "a.pdf"}}]
        >>> [(passage.text, passage.source) for passage in passages_of(rows)]
        [('Ann Lee sang.', ''), ('x', 'a.pdf')]
    """
    check_depth(value, field)
    rows = _listed(value, field)
    columns = _text_column(rows)
    if columns is None and _in_turn(rows):
        raise ShapeError(
            field,
            "titles and texts seem to take turns; give each passage as {title, text} or "
            "[title, text]",
        )
    strings = [row for row in rows if isinstance(row, str)]
    title = next(filter(is_title, strings), None)
    if title and not any(map(is_prose, strings)):
        raise ShapeError(field, f"expected texts, found what seems a title: {short_repr(title)}")
    return tuple(_passage(row, f"{field}[{i}]", columns) for i, row in enumerate(rows))


def _listed(value: Any, field: str) -> list[Any]:
    """Returns the rows of a list, of columns, of a service's answer, of `{title: text}`."""
    for _ in range(_DEEPEST):
        value = as_fields(parsed(value))
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, tuple):
            value = [*value]
        if isinstance(value, str):
            return _parts_of(value, field)
        if isinstance(value, list):
            if len(value) == 1 and isinstance(value[0], list) and _nested(value[0]):
                value = value[0]  # the results of the only query
                continue
            return value
        if not isinstance(value, Mapping):
            break
        if (columns := _chroma(value)) is not None:
            return columns
        rows = columns_as_rows(value)
        if isinstance(rows, list) and {*map(str, value)} & {*TEXTS}:
            return rows
        if has_text(value):
            return [value]
        name = next((name for name in LISTS if _is_list(value.get(name))), None)
        if name is None:
            return _titled(value, field)
        value = value[name]
    raise ShapeError(field, f"expected a list of texts or of {{title, text}}, found {typed(value)}")


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, Mapping)) or hasattr(value, "tolist")


def _nested(row: list[Any]) -> bool:
    """Whether a list holds results rather than the cells of one row."""
    return bool(row) and all(isinstance(as_fields(cell), (Mapping, list, tuple)) for cell in row)


def _chroma(value: Mapping[str, Any]) -> list[Any] | None:
    """Returns the rows of Chroma's columns, which hold a list per query or of all documents."""
    texts = value.get("documents")
    if "ids" not in value or not isinstance(texts, list):
        return None
    names = {"documents": "text", "metadatas": "metadata", "ids": "id"}
    columns = {new: value[old] for old, new in names.items() if isinstance(value.get(old), list)}
    if all(len(column) == 1 and isinstance(column[0], list) for column in columns.values()):
        columns = {name: column[0] for name, column in columns.items()}
    if len({len(column) for column in columns.values()}) != 1:
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


_NUMBERED = re.compile(
    r"^[ \t]*(?:(?:passage|document|doc|context|source|evidence)\s*(?:no\.?\s*)?\[?(\d{1,3})\]?"
    r"\s*[:.)\]]|\[(\d{1,3})\])[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)


def _parts_of(text: str, field: str) -> list[Any]:
    """Splits a single text at the numbers of its passages; a table of deepeval, at its bars."""
    if field == "retrieval_context" and "|" in text:
        return [*text.split("|")]
    marks = list(_NUMBERED.finditer(text))
    if [int(mark[1] or mark[2]) for mark in marks] == [*range(1, len(marks) + 1)] and marks:
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        head = text[: marks[0].start()].strip()  # perhaps of a prompt, which ends with a colon
        parts = [text[m.end() : end].strip() for m, end in zip(marks, ends, strict=True)]
        if all(parts) and (not head or (len(parts) > 1 and head.endswith(":"))):
            return [*parts]
    if not text.strip() or not ("context" in field or is_prose(text)):
        raise ShapeError(
            field, f"expected a list of texts or of {{title, text}}, found {typed(text)}"
        )
    return [text]


# Fields of records, which are not titles of pages.
_OTHERS = frozenset({
    "question", "query", "prompt", "input", "output", "answer", "response", "name", "topic",
    "entity", "score", "scores", "model", "role", "system", "user", "assistant", "label", "labels",
    "status", "error", "message", "messages", "reasoning", "summary", "description", "id", "title",
    *TEXTS, *_WRAPPED, *_METADATA, *LISTS,
})  # fmt: skip


def _titled(value: Mapping[Any, Any], field: str) -> list[Any]:
    """Returns the rows of `{title: text}` or `{title: [texts]}`; refuses other mappings."""
    rows: list[Any] = []
    for title, texts in value.items():
        for text in [texts] if isinstance(texts, str) else texts if _texts(texts) else [None]:
            known = not isinstance(title, str) or title.casefold() in _OTHERS
            if known or not text or not is_prose(text):
                raise ShapeError(
                    field,
                    f"expected a list of texts or of {{title, text}}, found {typed(value)}",
                )
            rows.append(text if is_prose(title) else (title, text))  # a claim, or a title
    return rows


def _texts(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(part, str) for part in value)
    )


def _cells(row: Any) -> Sequence[Any] | None:
    """Returns the cells of a row that is a list of texts and numbers, not of fields."""
    if isinstance(row, (tuple, list)) and not hasattr(row, "_asdict"):
        return row
    return None


def _text_column(rows: Sequence[Any]) -> int | None:
    """Returns the column that holds the text in all rows of a table; None if there is none."""
    tables = [_cells(row) for row in rows]
    if not rows or any(row is None or len(row) != len(tables[0] or ()) for row in tables):
        return None
    lists = [row for row in tables if row is not None]
    told = [_told(row) for row in lists]
    columns = {column for column in told if column is not None}
    if len(columns) != 1:
        return None
    (column,) = columns
    # The other rows show the column of a short text, if no other cell of its row is a sentence.
    fit = all(
        isinstance(row[column], str)
        and not is_id(row[column])
        and not any(isinstance(cell, str) and is_prose(cell) for cell in _without(row, column))
        for row in lists
    )
    return column if fit else None


def _without(row: Sequence[Any], column: int) -> list[Any]:
    return [cell for n, cell in enumerate(row) if n != column]


def _told(row: Sequence[Any]) -> int | None:
    """Returns the only cell of a row that is a text rather than a title, an id or a number."""
    prose = [n for n, cell in enumerate(row) if isinstance(cell, str) and is_prose(cell)]
    if len(prose) == 1:
        return prose[0]
    # A title may end like a sentence ("Who was Ann Lee?"): then the text is the far longer one.
    longest = max(prose, key=lambda n: len(row[n]), default=None)
    others = [len(row[n].split()) for n in prose if n != longest]
    if longest and others and max(others) <= 8 and len(row[longest].split()) > 4 * max(others):
        return longest
    return None


def _in_turn(rows: Sequence[Any]) -> bool:
    """Whether texts in a flat list are titles and texts in turn."""
    if len(rows) < 2 or len(rows) % 2 or not all(isinstance(row, str) for row in rows):
        return False
    heads, texts = rows[::2], rows[1::2]
    return (
        all(map(is_prose, texts)) and not any(map(is_prose, heads)) and all(map(str.strip, heads))
    )


def _pair(row: Sequence[Any], where: str, column: int | None) -> Passage:
    """Reads a document with its score, or a text with its title, its id or both."""
    inner = [cell for cell in row if isinstance(as_fields(cell), Mapping)]
    others = [cell for cell in row if not isinstance(as_fields(cell), Mapping)]
    if len(inner) == 1 and all(isinstance(cell, (int, float)) or cell is None for cell in others):
        return _passage(inner[0], where, None)
    if len(row) == 2 and isinstance(row[0], str) and not inner and _texts(row[1]):
        text = " ".join(part.strip() for part in row[1])  # HotpotQA: the sentences of a page
        return _pair((row[0], text), where, column)
    column = _told(row) if column is None else column
    texts = [cell for cell in row if isinstance(cell, str)]
    if inner or column is None or not all(_is_cell(cell) for cell in row):
        kinds = ", ".join(type(cell).__name__ for cell in row[:6])
        shown = short_repr(texts[0]) if texts else "no text"
        raise ShapeError(
            where,
            f"cannot tell the text from its title or id in a list of {len(row)} ({kinds}; "
            f"{shown}); give {{title, text}}",
        )
    rest = [cell for cell in _without(row, column) if isinstance(cell, str) and cell.strip()]
    titles = [cell for cell in rest if not is_id(cell)]
    ids = [cell for cell in rest if is_id(cell)]
    if len(titles) > 1:
        raise ShapeError(
            where,
            f"cannot tell the title among {len(titles)} texts ({short_repr(titles[0])}, "
            f"{short_repr(titles[1])}); give {{title, text}}",
        )
    if not ids and len(row) > 1 and isinstance(row[0], int) and column:
        ids = [str(row[0])]
    addresses = [cell for cell in ids if is_address(cell)]
    return Passage(
        clean("".join(titles)).strip(),
        clean(row[column]),
        next((cell for cell in ids if cell not in addresses), ""),
        "".join(addresses[:1]),
    )


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float)) or hasattr(value, "dtype")


def _passage(row: Any, where: str, column: int | None) -> Passage:
    if row is None or (isinstance(row, float) and row != row):
        return Passage("", "")
    if isinstance(row, str):
        if is_id(row) and row.strip():
            raise ShapeError(
                where, f"expected a text, found what seems an id or an address: {short_repr(row)}"
            )
        return Passage("", clean(row))
    if hasattr(row, "tolist"):
        row = row.tolist()
    cells = _cells(row)
    if cells and len(cells) == 1 and not (isinstance(cells[0], str) and not is_prose(cells[0])):
        return _passage(cells[0], where, None)
    if cells:
        return _pair(cells, where, column)
    outer = _in_lower_case(as_fields(row))
    fields = _in_lower_case(unwrapped(outer))
    if not isinstance(fields, Mapping):
        raise ShapeError(where, f"expected a text or {{title, text}}, found {typed(row)}")
    key = next((name for name in TEXTS if fields.get(name) is not None), None)
    if key is None and not any(name in fields for name in TEXTS):
        key = _only_text(fields)
    if key is None:
        if any(name in fields for name in TEXTS):
            return Passage("", "")  # a document whose text is null
        raise ShapeError(f"{where}.text", f"expected a text, found the keys {keys_of(fields)}")
    text = text_of({"content": fields[key]})
    if not isinstance(text, str):
        text = text_of(as_fields(fields[key]))
    if not isinstance(text, str):
        raise ShapeError(f"{where}.{key}", f"expected a text, found {typed(text)}")
    mappings = [part for part in _parts(fields, outer) if isinstance(part, Mapping)]
    title = _first(mappings, TITLES[:1]) if "title" in fields else _first(mappings, TITLES)
    if title is not None and not isinstance(title, str):
        raise ShapeError(f"{where}.title", f"expected a text, found {typed(title)}")
    if key == "contents" and not title:
        title, text = _with_title(text)
    return Passage(
        clean(title or "").strip(),
        clean(text),
        str(_first([fields, outer], _IDS) or ""),
        clean(str(_first(mappings, _SOURCES) or _parent(fields) or "")).strip(),
    )


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _in_lower_case(fields: Any) -> Any:
    """Adds the names of fields as they are written in lower case, such as document_title."""
    if not isinstance(fields, Mapping):
        return fields
    lower = {_HUMP.sub("_", str(name)).casefold(): value for name, value in fields.items()}
    return {**lower, **fields}


# Fields of a document that hold remarks on it, or what was asked.
_REMARKS = frozenset({
    "question", "query", "prompt", "input", "inputs", "instruction", "answer", "response", "output",
    "summary", "claim", "error", "message", "reason", "reasoning", "rationale", "explanation",
    "comment", "comments", "note", "notes", "feedback", "annotation", "critique", "analysis",
    "justification", "remark",
})  # fmt: skip


def _only_text(fields: Mapping[str, Any]) -> str | None:
    """Returns the name of the only field with a sentence or more, which is not a remark."""
    long = {
        value: str(name)
        for name, value in fields.items()
        if isinstance(value, str) and is_prose(value) and str(name).casefold() not in TITLES
    }
    names = [*long.values()]
    remarks = any(not _REMARKS.isdisjoint(re.split(r"[_ .-]", n.casefold())) for n in names)
    return names[0] if len(names) == 1 and not remarks else None


def _parts(fields: Mapping[str, Any], outer: Any) -> Iterator[Any]:
    yield fields
    for owner in (
        (fields, outer) if isinstance(outer, Mapping) and outer is not fields else (fields,)
    ):
        yield from (as_fields(parsed(owner.get(name))) for name in _METADATA)
    yield outer


def _with_title(contents: str) -> tuple[str, str]:
    """Splits the contents of a document of Pyserini or Anserini, which begin with the title."""
    first, _, rest = contents.partition("\n")
    if rest.strip() and not is_prose(first):
        return first.strip().strip('"'), rest.strip()
    return "", contents


def has_text(fields: Any) -> bool:
    fields = unwrapped(fields)
    return isinstance(fields, Mapping) and any(
        isinstance(fields.get(name), str) or isinstance(text_of({"content": fields.get(name)}), str)
        for name in TEXTS
    )


def unwrapped(fields: Any) -> Any:
    """Returns the node or document wrapped in an object that adds a score."""
    for _ in range(_DEEPEST):
        if not isinstance(fields, Mapping) or any(fields.get(n) is not None for n in TEXTS):
            break
        parts = next((fields[name] for name in _PARTS if isinstance(fields.get(name), list)), None)
        if parts:
            rows = [part if isinstance(part, Mapping) else {"content": part} for part in parts]
            texts = [str(part.get("content") or part.get("snippet") or "") for part in rows]
            return {**fields, "text": "\n".join(texts)}
        inner = next((fields[name] for name in _WRAPPED if fields.get(name) is not None), None)
        if inner is None and _only_text(fields) is None:  # as of Cohere's data
            others = [part for part in map(as_fields, fields.values()) if has_text(part)]
            inner = others[0] if len(others) == 1 else None
        if not isinstance(inner := as_fields(inner), Mapping):
            break
        fields = inner
    return fields


def _first(parts: Sequence[Any], names: Sequence[str]) -> Any:
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
