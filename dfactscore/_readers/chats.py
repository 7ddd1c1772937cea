"""Finds the answer, the question and the documents in records of chats, services and traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dfactscore._readers.record_fields import QUESTIONS
from dfactscore._text.sentences import is_id, is_prose
from dfactscore._util.tables import parsed
from dfactscore.retrieval._shapes import as_fields, text_of

_ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant",
    "gpt": "assistant", "bot": "assistant", "chatgpt": "assistant", "model": "assistant",
    "tool": "tool", "function": "tool", "aimessage": "assistant", "humanmessage": "user",
}  # fmt: skip
_CHATS = ("messages", "conversations", "conversation", "user_input", "input", "chat_history")
# Parts of records that hold the answer or the question, outermost first: of LangSmith, batches of
# OpenAI, spans of OpenInference, and records whose input and output are objects.
_NESTED = (
    "outputs", "output", "response", "body", "inputs", "input", "attributes", "data", "result",
)  # fmt: skip
# Names with a path, as in spans and frames of OpenInference, and of TruLens.
_PATHS = {
    "output.value": "text",
    "input.value": "question",
    "retrieval.documents": "documents",
    "main_output": "text",
    "main_input": "question",
    "retriever_resources": "documents",
    "retrieved_references": "documents",
    "custom_id": "id",
}
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
    for part in _parts(record, 0):
        for shape in _SHAPES:
            for field, value in shape(part).items():
                if value not in (None, "", []) and _lacks(found, field):
                    found[field] = value
        for name, value in part.items():
            path = str(name).removeprefix("attributes.")
            field = _PATHS.get(path, path)
            moved = (part is not record or field != name) and field not in _KEPT
            if moved and _lacks(found, field):
                found[field] = _value(value)
    return found


# Fields of spans, runs and traces, whose names are those of a step.
_OF_TRACES = frozenset({
    "run_type", "span_kind", "trace_id", "traceId", "context.trace_id", "span_id", "spanId",
    "observations", "child_runs", "dotted_order",
})  # fmt: skip
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
    for name in _NESTED:
        inner = as_fields(record.get(name))
        if isinstance(inner, Mapping) and depth < _DEEPEST:
            yield from _parts(inner, depth + 1)


def _rows(value: Any) -> list[Mapping[str, Any]]:
    """Returns the objects of a list; none if anything else is in it."""
    if not isinstance(value, (list, tuple)):
        return []
    rows = [as_fields(row) for row in value]
    return rows if all(isinstance(row, Mapping) for row in rows) else []


def _role(message: Mapping[str, Any]) -> str:
    role = message.get("role") or message.get("from") or message.get("type") or ""
    return _ROLES.get(str(getattr(role, "value", role)).casefold(), "")


def _content(message: Mapping[str, Any]) -> str:
    text = text_of(message)
    text = message.get("value") if not isinstance(text, str) else text  # ShareGPT
    return text if isinstance(text, str) else ""


def _chat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the last answer of a chat, what was asked last, and what tools found."""
    for name in _CHATS:
        rows = _rows(record.get(name))
        if not rows or not any(map(_role, rows)):
            continue
        last = {role: n for n, row in enumerate(rows) if (role := _role(row)) and _content(row)}
        answered = last.get("assistant", -1)
        question = last.get("user", -1)
        if answered >= 0 and question > answered:
            answered = -1  # the last question has no answer here
        tools = [_content(row) for row in rows if _role(row) == "tool"]
        found: dict[str, Any] = {"documents": [text for text in tools if is_prose(text)]}
        if answered >= 0:
            found["text"] = _content(rows[answered])
        if question >= 0:
            found["question"] = _content(rows[question])
        return found
    return {}


def _choices(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the first choice of a completion, or the first generation of LangChain."""
    for name in ("choices", "generations", "candidates", "replies"):
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
            if isinstance(text, str):
                return {"text": text}
    return {}


def _items(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the items of OpenAI's Responses API: messages, and results of searches in files."""
    rows = _rows(record.get("output"))
    messages = [_content(row) for row in rows if row.get("type") == "message"]
    if not messages:
        return {}
    results = [r for row in rows for r in _rows(row.get("results") or row.get("search_results"))]
    return {"text": messages[-1], "documents": results}


def _sentences(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads an answer that is a list of sentences with citations, as in TREC's RAG track."""
    for name in ("answer", "responses", "sentences"):
        rows = _rows(record.get(name))
        if rows and all(isinstance(row.get("text"), str) and "citations" in row for row in rows):
            return {"text": " ".join(map(_cited, rows)), "question": record.get("topic")}
    return {}


def _cited(row: Mapping[str, Any]) -> str:
    marks = [n + 1 for n in row["citations"] or () if isinstance(n, int)]
    return f"{row['text'].strip()} " + "".join(f"[{n}]" for n in marks)


def _values(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the nested form of a span of OpenInference."""
    names = {"input": ("value", "question"), "output": ("value", "text")}
    names["retrieval"] = ("documents", "documents")
    return {
        field: _value(inner.get(key))
        for name, (key, field) in names.items()
        if isinstance(inner := record.get(name), Mapping)
    }


def _references(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the passages that Bedrock's answers cite, and Dify's resources."""
    cited = [
        reference
        for row in _rows(record.get("citations"))
        for reference in _rows(row.get("retrievedReferences"))
    ]
    metadata = as_fields(record.get("metadata"))
    if isinstance(metadata, Mapping) and _rows(metadata.get("retriever_resources")):
        cited = _rows(metadata["retriever_resources"])
    return {"documents": cited}


def _steps(record: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the documents of a retriever within a trace, and the outputs of a pipeline's parts."""
    found: dict[str, Any] = {}
    for child in _rows(record.get("child_runs")):
        outputs = as_fields(child.get("outputs"))
        if child.get("run_type") == "retriever" and isinstance(outputs, Mapping):
            found["documents"] = outputs.get("documents") or outputs.get("output")
    for part in map(as_fields, record.values()):
        if isinstance(part, Mapping):
            if _rows(part.get("documents")) and "documents" not in found:
                found["documents"] = part["documents"]
            if "replies" in part:
                found |= _choices(part)
            for answer in _rows(part.get("answers"))[:1]:
                found |= {"text": answer.get("data"), "question": answer.get("query")}
                found["documents"] = answer.get("documents") or found.get("documents")
    return found


# Each shape, best first.
_SHAPES: Sequence[Callable[[Mapping[str, Any]], dict[str, Any]]] = (
    _items, _sentences, _chat, _choices, _values, _references, _steps,
)  # fmt: skip
_KEYS = frozenset({
    *_CHATS, *_NESTED, *_PATHS, "choices", "generations", "replies", "citations", "child_runs",
    "retriever", "llm", "answer_builder",
})  # fmt: skip


def is_packed(record: Mapping[str, Any]) -> bool:
    """Whether a record holds objects where its text, question and passages are expected."""
    return any(
        (not isinstance(value, (str, int, float)) and value is not None)
        or key in _PATHS
        or str(key).startswith("attributes.")
        for key, value in record.items()
        if key in _KEYS
        or str(key).startswith("attributes.")
        or isinstance(value, Mapping)
        or (key == "answer" and isinstance(value, list))
    )
