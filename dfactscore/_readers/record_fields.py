"""Fields of records in other tools' formats: column names, and contexts as passages."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._records import QUESTIONS
from dfactscore._util.message_text import message_line, near_miss
from dfactscore._util.objects import ShapeError, as_fields
from dfactscore._util.tables import parsed
from dfactscore.retrieval import Passage, _shapes


class RecordError(ValueError):
    """Raised if a record cannot be used."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"field {field!r}: {reason}" if field else reason)


class NamelessError(RecordError):
    """Raised if neither a record nor its text names anyone."""


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


#: The names that formats use for each field; the first one present in a record is read. Names in
#: capitals, camel case, with spaces or dashes are read, too.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "text": (
        "text", "output", "response", "generation", "biography", "actual_output",  # deepeval
        # Of an answer, before the names of the reference in the same record.
        "gen_answer", "generated_answer", "model_answer", "llm_answer", "final_answer",
        "prediction", "pred", "predicted_answer", "hypothesis",
        "generated_text", "generated_texts", "generated_response", "output_text",  # AutoRAG
        "model_output", "model_response", "llm_output", "llm_response", "system_output",
        "agent_response", "assistant_response", "bot_response", "text_response",  # AnythingLLM
        "completion", "responses", "generations", "sampled",  # OpenAI Evals
        "answer", "answer_text", "result", "data",  # ragas and Haystack
        "article", "content",  # FreshWiki, llama.cpp
    ),
    "name": ("name", "topic", "entity", *QUESTIONS, "person", "subject", "page_title"),
    "passages": (
        "passages", "docs", "documents",
        "retrieved_contexts", "retrieved_context", "retrieval_context", "contexts", "context",
        "source_documents", "source_nodes", "context_docs", "context_documents",
        "context_document", "reference_documents",  # FACTS Grounding
        "ctxs", "retrieved_docs", "retrieved_documents", "retrieved_passages", "search_results",
        "retrieved_contents", "retrieved_chunks", "retrieval_results", "retrieval_result",
        "wikipedia_text",  # uqlm
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
#: Names that some tools use for passages, and others for addresses, notes or labels: read only if
#: they hold texts and no other field holds passages.
WEAK_PASSAGES = (
    "evidence", "evidences", "sources", "snippets", "chunks", "knowledge", "retrieved", "document",
    "references",
)  # fmt: skip
#: Fields with lists or mappings, which tables store as text.
LISTS = frozenset(
    {*FIELDS["passages"], "facts", "groups", "links", "verdicts", "annotations", "candidates"}
)
_KNOWN = frozenset({*WEAK_PASSAGES, *(name for names in FIELDS.values() for name in names)})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s-]+")


def field_of(name: str) -> str:
    """Normalizes case, humps, spaces and dashes in known field names; leaves others unchanged.

    Example:
        >>> [field_of(name) for name in (" Text", "retrievalContext", "User input", "Born")]
        ['text', 'retrieval_context', 'user_input', 'Born']
    """
    plain = name.strip().strip("\ufeff")
    if (lower := plain.casefold()) in _KNOWN:
        return lower
    joined = _HUMP.sub("_", plain).casefold()
    return joined if joined in _KNOWN else name


def at(record: Any, path: str) -> Any:
    """Returns the value at a dotted path; None if there is none.

    Example:
        >>> at({"outputs": {"docs": [{"text": "a"}]}}, "outputs.docs.0.text")
        'a'
    """
    value = as_fields(record)
    if isinstance(value, Mapping) and path in value:
        return value[path]
    for name in path.split("."):
        value = as_fields(parsed(value))
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, (list, tuple)) and name.lstrip("-").isdigit():
            value = value[int(name)] if -len(value) <= int(name) < len(value) else None
        elif isinstance(value, (list, tuple)):
            value = [at(row, name) for row in value]
        else:
            return None
    return value


def paths_of(record: Any, most: int = 100) -> list[str]:
    """Lists the paths of a record's values, the outer ones first."""
    found: list[str] = []
    level: list[tuple[str, Any]] = [("", record)]
    while level and len(found) < most:
        inner: list[tuple[str, Any]] = []
        for path, value in level:
            value = as_fields(parsed(value))
            if isinstance(value, (list, tuple)):
                value = dict(enumerate(value[:1]))
            rows = value.items() if isinstance(value, Mapping) else ()
            inner += [(f"{path}.{name}" if path else str(name), part) for name, part in rows]
        found += [path for path, _ in inner]
        level = inner
    return found[:most]


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the fields of a record stand, as chosen by the user; None for the usual places."""

    text: str | None = None
    name: str | None = None
    id: str | None = None
    passages: str | None = None
    model: str | None = None
    sheet: str | None = None  # of a workbook
    join: Path | None = None  # a file with further fields, or with passages
    on: str | None = None  # the field by which rows are joined, or `OWN=OTHER`
    # Replaces all rules for fields: a function, or `module:function`.
    reader: Callable[[Any], Any] | str | None = None

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
        nested = {p: v for p in chosen if p not in record and (v := at(record, p)) is not None}
        record = {**record, **nested}
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


def reader_of(choice: Callable[[Any], Any] | str) -> Callable[[Any], Any]:
    """Returns the function that a user chose, also from a module in the current folder.

    Example:
        >>> reader_of("json:loads")('{"a": 1}')
        {'a': 1}
    """
    if not isinstance(choice, str):
        return choice
    module_name, _, name = choice.partition(":")
    if not name or not all(part.isidentifier() for part in (*module_name.split("."), name)):
        raise InputError(f"--reader {choice}: give module:function, such as my_readers:biography")
    sys.path.insert(0, os.getcwd())
    try:
        module = import_module(module_name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name in (
            module_name,
            module_name.partition(".")[0],
        ):
            here = [file.stem for file in Path.cwd().glob("*.py")]
            raise InputError(
                f"--reader {choice}: no module {module_name!r} in the current folder or among the "
                f"installed packages{near_miss(module_name, here)}"
            ) from None
        raise InputError(
            f"--reader {choice}: importing {module_name!r} raised {type(error).__name__}: "
            f"{message_line(error)}"
        ) from None
    finally:
        sys.path.pop(0)
    function = getattr(module, name, None)
    if callable(function):
        found: Callable[[Any], Any] = function
        return found
    known = [n for n, f in vars(module).items() if getattr(f, "__module__", "") == module_name]
    is_what = "is missing" if function is None else f"is {type(function).__name__}, not a function"
    raise InputError(
        f"--reader {choice}: {name!r} {is_what}; {module_name} has "
        f"{', '.join(known[:8]) or 'no function'}{near_miss(name, known)}"
    )


def passages_of(value: Any, field: str = "passages") -> tuple[Passage, ...]:
    """Reads passages in any shape that `dfactscore.retrieval._shapes` knows, best first."""
    try:
        return _shapes.passages_of(value, field)
    except ShapeError as error:
        raise RecordError(error.where, error.reason) from None
