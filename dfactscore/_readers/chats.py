"""Finds the answer, the question and the documents in records of chats, services and traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from dfactscore._readers.found_passages import documents_in, readable, words_of
from dfactscore._records import QUESTIONS
from dfactscore._text.sentences import is_id, is_prose
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.objects import as_fields, text_of
from dfactscore._util.tables import parsed

_ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant",
    "gpt": "assistant", "bot": "assistant", "chatgpt": "assistant", "model": "assistant",
    "tool": "tool", "function": "tool", "aimessage": "assistant", "humanmessage": "user",
    "request": "user", "response": "assistant",  # PydanticAI
    "user_message": "user", "assistant_message": "assistant",  # Chainlit
}  # fmt: skip
_CHATS = (
    "messages", "conversations", "conversation", "user_input", "input", "prompt", "contents",
    "steps", "chat_history", "data",
)  # fmt: skip
# Parts of records that hold the answer or the question, outermost first: of LangSmith, batches of
# OpenAI, spans of OpenInference, and records whose input and output are objects.
_NESTED = (
    "outputs", "output", "response", "body", "request", "inputs", "input", "attributes", "data",
    "result", "results", "answer", "question", "message", "chat", "instance", "vars",
    "record_json",  # TruLens
)  # fmt: skip
# Names with a path, as in spans and frames of OpenInference, and of TruLens.
_PATHS = {
    "output.value": "text",
    "input.value": "question",
    "retrieval.documents": "documents",
    "main_output": "text",
    "main_input": "question",
    "custom_id": "id",
}
# Words in other names of such parts, as of Helicone's response_body.
_HOLDS = frozenset({
    "history", "fields", "request", "response", "body", "input", "inputs", "output", "outputs",
})  # fmt: skip
_KEPT = frozenset({*_NESTED, "candidates"})  # a field of ours, and one of Gemini's
_DEEPEST = 6


def unpacked(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Adds the fields that a record of a chat, a service or a trace holds within others.

    Example:
        >>> chat = {"messages": [{"role": "user", "content": "Who was Ann Lee?"},
        ...                      {"role": "assistant", "content": "Ann Lee sang."}]}
        >>> found = unpacked(chat)
        >>> found["question"], found["text"]
        ('Who was Ann Lee?', 'Ann Lee sang.')
    """
    found = dict(record)
    for part in _parts(_nested(record), 0):
        for shape in _SHAPES:
            for field, value in shape(part).items():
                if value not in (None, "", []) and _lacks(found, field):
                    found[field] = value
        for name, value in part.items():
            path = str(name).removeprefix("attributes.")
            field = _PATHS.get(path, path)
            kept = field in _KEPT and not isinstance(value, str)
            moved = (part is not record or field != name) and not kept
            if moved and _lacks(found, field):
                found[field] = _value(value)
    if _lacks(found, "documents"):
        found["documents"] = documents_in(record)[0]
    return found


def _nested(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Adds the objects whose fields a table has as columns, such as ``inputs.query``."""
    found = dict(record)
    for column, value in record.items():
        *owners, field = str(column).split(".")
        if not owners or " " in str(column) or isinstance(record.get(owners[0]), (list, str)):
            continue
        place = found
        for owner in owners:
            inner = place.get(owner)
            place[owner] = dict(inner) if isinstance(inner, Mapping) else {}
            place = place[owner]
        place[field] = value
    return found


# Fields of spans, runs and traces, whose names are those of a step.
_OF_TRACES = frozenset({
    "run_type", "span_kind", "trace_id", "traceId", "context.trace_id", "span_id", "spanId",
    "observations", "child_runs", "dotted_order",
})  # fmt: skip
_SIDES = ("input", "inputs", "attributes")
_ASKED = (*QUESTIONS, "inputs", "attributes", "attributes.input.value", "messages")


def without_label(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leaves out the name of a span, a run or a test case, which is not that of a person.

    Example:
        >>> without_label({"name": "test_case_0", "input": "Who was Ann Lee?", "output": "A."})
        {'input': 'Who was Ann Lee?', 'output': 'A.'}
    """
    key = next((key for key in record if str(key).casefold() == "name"), None)
    name = None if key is None else record[key]
    if not isinstance(name, str):
        return record
    asked = any(isinstance(record.get(field), str) for field in QUESTIONS)
    traced = any(key in record for key in _OF_TRACES) and any(key in record for key in _ASKED)
    traced = traced or any(isinstance(record.get(key), Mapping) for key in _SIDES)
    traced = traced or any(map(_role, rows_in(record.get("steps"))))
    if (asked and is_id(name)) or traced:
        return {field: value for field, value in record.items() if field != key}
    return record


def _lacks(record: Mapping[str, Any], field: str) -> bool:
    """Whether a record has no value for a field; an object is a value of a text."""
    value = record.get(field)
    return value is None or value == ""


def _value(value: Any) -> Any:
    """Returns a value, or the question or answer in it if it is an object written as JSON."""
    opened = parsed(value)
    if isinstance(opened, Mapping):
        inner = unpacked(opened)
        names = ("text", "answer", "output", "response", "question", "query", "content")
        return next((inner[n] for n in names if isinstance(inner.get(n), str)), value)
    return value


def _parts(record: Mapping[str, Any], depth: int) -> Iterator[Mapping[str, Any]]:
    """Yields a record and the objects in it that hold an answer or a question."""
    yield record
    others = [n for n in record if n not in _NESTED and not _HOLDS.isdisjoint(words_of(n))]
    for name in (*_NESTED, *others):
        inner = as_fields(parsed(record.get(name)))
        if isinstance(inner, (list, tuple)) and len(inner) == 1 and name in _NESTED:
            inner = as_fields(inner[0])
        if isinstance(inner, Mapping) and depth < _DEEPEST and _role(inner) != "user":
            yield from _parts(inner, depth + 1)


def rows_in(value: Any) -> list[Mapping[str, Any]]:
    """Returns the objects of a list; none if anything else is in it."""
    value = parsed(value)
    if isinstance(value, Mapping) and all(
        isinstance(v, Mapping) and "role" in v for v in value.values()
    ):
        value = [*value.values()]  # by id, as of Open WebUI
    if not isinstance(value, (list, tuple)):
        return []
    rows = [as_fields(row) for row in value]
    return rows if all(isinstance(row, Mapping) for row in rows) else []


def _role(message: Mapping[str, Any]) -> str:
    roles = (message.get(name) for name in ("role", "from", "type", "source", "kind"))
    known = (_ROLES.get(str(getattr(role, "value", role)).casefold()) for role in roles)
    return next(filter(None, known), "")


def _content(message: Mapping[str, Any]) -> str:
    """Returns the text of a message without blocks of other kinds, such as results of tools."""
    # of LangChain's stored messages; of ShareGPT; of several frameworks
    for name in ("content", "text", "data", "value", "parts", "items", "output"):
        value = as_fields(message.get(name))
        if isinstance(value, Mapping):
            value = [value]
        if isinstance(value, (list, tuple)):
            value = [block for block in value if _is_text(as_fields(block))]
        text = text_of({"content": value}) if isinstance(value, (list, str)) else None
        if isinstance(text, str) and text:
            return text
    return ""


def _is_text(block: Any) -> bool:
    kind = block.get("type") if isinstance(block, Mapping) else None
    return not isinstance(kind, str) or kind in _ROLES or kind.endswith("text")


def _in_blocks(message: Mapping[str, Any]) -> list[Any]:
    """Returns the passages in the blocks of a message that are not its text."""
    found: list[Any] = []
    for block in (*rows_in(message.get("content")), *rows_in(message.get("parts"))):
        if _is_text(block):
            continue
        if any(not _is_text(row) for row in rows_in(block.get("content"))):
            found += _in_blocks(block)
            continue
        source = as_fields(block.get("source"))
        text = source.get("data") if isinstance(source, Mapping) else None  # of Anthropic
        block = {**block, "content": text} if isinstance(text, str) else block
        part = next((block[n] for n in ("output", "results", "result") if block.get(n)), [block])
        found += [row for row in readable(part) if is_prose(row.text)]
    return found


def _chat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the last answer of a chat, what was asked last, and what tools found."""
    found: dict[str, Any] = {}
    for name in (*_CHATS, *(name for name in record if name not in _CHATS)):
        rows = rows_in(record.get(name))
        asked = any(isinstance(record.get(field), str) for field in QUESTIONS)
        known = any if name in _CHATS else all
        if not rows or not known(map(_role, rows)) or (name == "chat_history" and asked):
            continue  # a history ends before the question
        if record.get("object") == "list":  # of OpenAI's threads, the last first
            rows = rows[::-1]
        # A span holds the messages of its input and of its output.
        found = {**_of_messages(rows), **found}
    if not found and _role(record) == "assistant" and isinstance(record.get("content"), list):
        return {"text": _content(record), "documents": _quoted(record["content"])}
    return found


def _of_messages(rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    last = {role: n for n, row in enumerate(rows) if (role := _role(row)) and _content(row)}
    answered = last.get("assistant", -1)
    question = last.get("user", -1)
    if question > answered:
        answered = -1  # the last question has no answer here
    documents = [part for row in rows if _role(row) == "tool" for part in _found_in(_content(row))]
    documents += [part for row in rows for part in _in_blocks(row)]
    documents += _sources(rows[answered]) if answered >= 0 else []
    found: dict[str, Any] = {"documents": documents} if documents else {}
    if answered >= 0:
        found["text"] = _content(rows[answered])
    if question >= 0:
        found["question"] = _content(rows[question])
    return found


def _found_in(text: str) -> list[Any]:
    """Returns the passages that a tool found, also as JSON; nothing if it returned other things."""
    value = parsed(text)
    if value is text:
        return [text] if is_prose(text) else []
    return readable(value)


def _sources(message: Mapping[str, Any]) -> list[Any]:
    """Returns the sources of an answer in a chat: documents, or lists of their parts."""
    parts = []
    context = as_fields(message.get("context"))
    if isinstance(context, Mapping):  # of Azure's answers on own data
        parts += readable(context.get("citations"))
    for row in rows_in(message.get("sources")):
        texts = row.get("document")
        parts += readable(texts if isinstance(texts, list) else [row])
    return parts


def _quoted(blocks: list[Any]) -> list[Any]:
    """Returns what the blocks of an answer of Anthropic's models cite."""
    cited = [
        {"title": row.get("document_title") or row.get("title"), "text": row["cited_text"]}
        for block in rows_in(blocks)
        for row in rows_in(block.get("citations"))
        if isinstance(row.get("cited_text"), str)
    ]
    return [row for n, row in enumerate(cited) if row not in cited[:n]]


def _choices(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the first choice of a completion, or the first generation of LangChain."""
    for name in ("choices", "generations", "candidates", "replies", "completions"):
        rows = record.get(name)
        while isinstance(rows, (list, tuple)) and rows:
            rows = rows[0]
        choice = as_fields(rows)
        if name == "replies" and isinstance(choice, str):
            return {"text": choice}
        if isinstance(choice, Mapping):
            message = as_fields(choice.get("message") or choice.get("content") or choice)
            text = message if isinstance(message, str) else text_of(message)
            if isinstance(message, Mapping) and isinstance(message.get("parts"), list):
                text = text_of({"content": message["parts"]})
            if isinstance(message, Mapping) and isinstance(message.get("turns"), list):
                text = text_of({"content": message["turns"]})  # of MT-bench
            if isinstance(text, str):
                inner = message if isinstance(message, Mapping) else {}
                return {"text": text, "documents": _sources(choice) + _sources(inner)}
    return {}


def _items(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the items of OpenAI's Responses API: messages, and results of searches in files."""
    rows = rows_in(record.get("output"))
    messages = [_content(row) for row in rows if row.get("type") == "message"]
    if not messages:
        return {}
    results = [r for row in rows for r in rows_in(row.get("results") or row.get("search_results"))]
    return {"text": messages[-1], "documents": results}


def _sentences(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads an answer that is a list of sentences with citations, as in TREC's RAG track."""
    for name in ("answer", "responses", "sentences"):
        rows = rows_in(record.get(name))
        if rows and all(isinstance(row.get("text"), str) and "citations" in row for row in rows):
            about = as_fields(record.get("metadata"))
            about = {**record, **about} if isinstance(about, Mapping) else record
            asked = (about.get(name) for name in ("topic", "narrative", "title"))
            return {
                "text": " ".join(map(_cited, rows)),
                "question": next(filter(None, asked), None),
            }
    return {}


def _cited(row: Mapping[str, Any]) -> str:
    marks = [n + 1 for n in row["citations"] or () if isinstance(n, int)]
    return f"{row['text'].strip()} " + "".join(f"[{n}]" for n in marks)


def _values(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the nested form of a span of OpenInference."""
    names = {"input": ("value", "question"), "output": ("value", "text")}
    names["retrieval"] = ("documents", "documents")
    found = {
        field: _value(inner.get(key))
        for name, (key, field) in names.items()
        if isinstance(inner := record.get(name), Mapping)
    }
    for name, field in _MESSAGES.items():
        message = as_fields(record.get(name))
        if isinstance(message, Mapping) and not found.get(field):
            inner = message.get(name)
            found[field] = inner if isinstance(inner, str) else _content(message)
    if isinstance(record.get("response"), str) and isinstance(record.get("spans"), list):  # MLflow
        found |= {"text": _decoded(record["response"]), "question": _decoded(record.get("request"))}
    return found


# Fields that hold a message, or an object with a field of the same name.
_MESSAGES = {
    "input": "question", "query": "question", "question": "question", "output": "text",
    "answer": "text", "message": "text", "response": "text", "result": "text",
}  # fmt: skip


def _decoded(value: Any) -> Any:
    """Returns the text within a text of JSON."""
    if isinstance(value, str) and value[:1] == value[-1:] == '"':
        with suppress(JSONError):
            return parse_json(value)
    return _value(value)


def _steps(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the outputs of a pipeline's parts."""
    found: dict[str, Any] = {}
    for part in map(as_fields, record.values()):
        if isinstance(part, Mapping):
            if "replies" in part:
                found |= _choices(part)
            for answer in rows_in(part.get("answers"))[:1]:
                found |= {"text": answer.get("data"), "question": answer.get("query")}
                found["documents"] = answer.get("documents") or found.get("documents")
    return found


# Each shape, best first.
_SHAPES: Sequence[Callable[[Mapping[str, Any]], dict[str, Any]]] = (
    _items, _sentences, _chat, _choices, _values, _steps,
)  # fmt: skip
_KEYS = frozenset({
    *_CHATS, *_NESTED, *_PATHS, "choices", "generations", "replies", "citations", "child_runs",
    "retriever", "llm", "answer_builder", "content", "observations", "spans", "claims", "atoms",
    "claim_search_results", "claim_snippets_dict",
})  # fmt: skip


def is_packed(record: Mapping[str, Any]) -> bool:
    """Whether a record holds objects where its text, question and passages are expected."""
    return any(
        (not isinstance(value, (str, int, float)) and value is not None)
        or key in _PATHS
        or key == "record_json"
        or "." in str(key)
        for key, value in record.items()
        if key in _KEYS
        or "." in str(key)
        or isinstance(value, Mapping)
        or (key in ("answer", "candidates") and bool(rows_in(value)))
    )
