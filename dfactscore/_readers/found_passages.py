"""Finds the passages of a record by what their field names and by what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._text.sentences import is_prose
from dfactscore._util.objects import ShapeError, as_fields
from dfactscore._util.tables import parsed
from dfactscore.retrieval import Passage
from dfactscore.retrieval._shapes import passages_of


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words in the names of fields that hold what was retrieved, cited or searched.
_DOCUMENTS = _set(
    "article articles children chunk chunks citation citations context contexts ctxs doc docs "
    "document documents evidence evidences excerpt excerpts grounding hit hits item items "
    "knowledge match matches node nodes object objects organic paragraph paragraphs passage "
    "passages reference references result results retrieval retrieved retriever search searched "
    "snippet snippets source sources supporting"
)
# Words in the names of fields that hold anything else: questions, answers, keys, judgments.
_OTHERS = _set(
    "annotation annotations answer answers atom atoms bad candidate candidates choice choices "
    "comment comments completion completions demonstrations description distractor distractors "
    "example examples expected explanation fact facts feedback fewshot generation generations "
    "gold golden ground gt history ideal incorrect input inputs instruction instructions "
    "judgment label labels message messages metric metrics negative negatives note notes output "
    "prediction predictions prompt query queries question questions rationale reason reasoning "
    "reasons replies response responses score scores segment segments summary supports target "
    "targets text thought thoughts truth truths verdict verdicts wrong"
)
# Of these, fields that hold whole steps or claims, each with documents of its own.
_OPENED = _set(
    "answer answers atom atoms candidate candidates facts generation message output response "
    "summary"
)
# Words in the names of the fields of a step that say what it does, and what it found.
_KINDS = _set("type kind name stack")
_FOUND = _set("outputs output rets returns result results documents")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DEEPEST = 8


def readable(value: Any) -> list[Passage]:
    """Returns the passages in a value; none if it holds anything else."""
    try:
        return [passage for passage in passages_of(value) if passage.text]
    except ShapeError:
        return []


def documents_in(record: Mapping[str, Any]) -> tuple[list[Passage], str]:
    """Returns the passages in fields whose names are those of documents, and the path of these.

    Example:
        >>> row = {"metadata": {"retrieved_items": [{"title": "Ann", "body": "Ann Lee sang."}]}}
        >>> passages, path = documents_in(row)
        >>> passages[0].text, path
        ('Ann Lee sang.', 'metadata.retrieved_items')
    """
    groups: dict[frozenset[str], tuple[dict[str, Passage], str]] = {}
    for name, value in record.items():
        words = words_of(name)
        about = " ".join(v for k, v in record.items() if isinstance(v, str) and k != name)
        for passages, path in _found(as_fields(parsed(value)), str(name), 0, words=words):
            # Columns that differ by a number only, such as "source 1", hold one list.
            texts, _ = groups.setdefault(frozenset(words), ({}, path))
            for passage in passages:
                if not is_remark(passage.text, about) and passage.text not in about:
                    texts.setdefault(passage.text, passage)
    # What an answer cites is a part of what was retrieved.
    texts, path = max(groups.values(), key=lambda group: len(group[0]), default=({}, ""))
    return [*texts.values()], path if texts else ""


def words_of(name: object) -> set[str]:
    """Returns the words in the name of a field."""
    return {word.casefold() for word in _WORD.findall(str(name))}


def _found(
    value: Any, path: str, depth: int, *, words: set[str], named: bool = False
) -> Iterator[tuple[list[Passage], str]]:
    """Yields lists of passages, each with its path."""
    named = named or not (words.isdisjoint(_DOCUMENTS) or not words.isdisjoint(_OTHERS))
    if isinstance(value, str):
        if named and is_prose(value):
            yield readable([value]), path
        return
    if depth > _DEEPEST or not isinstance(value, (Mapping, list, tuple)):
        return
    listed = named or (words.isdisjoint(_OTHERS) and _is_list_of_pages(value))
    if listed and (passages := _documents(value)):
        yield passages, path
        return
    if not words.isdisjoint(_OTHERS - _OPENED):
        return
    if isinstance(value, (list, tuple)):
        for number, row in enumerate(value):
            if not isinstance(row, str):
                yield from _found(as_fields(row), f"{path}.{number}", depth + 1, words=set())
        return
    retrieves = _is_retriever(value)
    for name, part in value.items():
        inner, place = as_fields(parsed(part)), f"{path}.{name}"
        words = words_of(str(name).rpartition(".")[2])
        if retrieves and not words.isdisjoint(_FOUND) and (passages := readable(_only(inner))):
            yield passages, place
        elif retrieves and name == "attributes" and isinstance(inner, Mapping):
            yield from _found({**inner, "kind": "retriever"}, place, depth + 1, words=set())
        elif is_prose(str(name)):  # a claim, for which passages were found
            yield from _found(inner, place, depth + 1, words=set(), named=named)
        else:
            yield from _found(inner, place, depth + 1, words=words_of(name))


_OF_PAGES = frozenset({"title", "url", "link", "uri", "document_id", "doc_id", "filename"})


def _is_list_of_pages(value: Any) -> bool:
    """Whether a list holds objects with titles or addresses, whatever its name."""
    rows = [as_fields(row) for row in value] if isinstance(value, (list, tuple)) else []
    return bool(rows) and all(
        isinstance(row, Mapping) and "role" not in row and not _OF_PAGES.isdisjoint(row)
        for row in rows
    )


def _only(value: Any) -> Any:
    """Returns the value of an object's only field."""
    while isinstance(value, Mapping) and len(value) == 1:
        (value,) = map(as_fields, value.values())
    return value


def _is_retriever(step: Mapping[str, Any]) -> bool:
    """Whether a step of a trace is one that retrieves."""
    kinds = [v for k, v in step.items() if not _KINDS.isdisjoint(words_of(k))]
    return "retriev" in str([kind for kind in kinds if not isinstance(kind, Mapping)]).casefold()


def _documents(value: Any) -> list[Passage]:
    """Returns the passages of a list that holds nothing but texts of a sentence or more."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, Sequence) for v in value):
        value = [row for row in value if row]
    passages = readable(value)
    return passages if all(is_prose(passage.text) for passage in passages) else []


# Words in the names of answers, and of answers that others gave.
_ANSWERS = _set("answer answers completion generated generation output prediction reply response")
_KEYS = _set(
    "alternative bad best correct expected explanation false gold ground gt human hallucinated "
    "ideal error incorrect reason reasoning reference rejected right target true truth worst wrong"
)


_QUESTIONS = _set("input inputs question query prompt instruction problem message")


def answer_in(record: Mapping[str, Any]) -> str | None:
    """Returns the field of the only answer among the texts of a record, by its name.

    Example:
        >>> answer_in({"gpt_answer": "Ann Lee sang in Bath.", "gold_answer": "Ann Lee sang."})
        'gpt_answer'
    """
    return _only_field(record, _ANSWERS, _KEYS | _QUESTIONS)


def question_in(record: Mapping[str, Any]) -> str | None:
    """Returns the field of the only question of a record, by its name."""
    return _only_field(record, _QUESTIONS, _KEYS | _ANSWERS)


def _only_field(
    record: Mapping[str, Any], known: frozenset[str], others: frozenset[str]
) -> str | None:
    fields = [
        str(name)
        for name, value in record.items()
        if isinstance(value, str)
        and (is_prose(value) or known is _QUESTIONS)
        and not known.isdisjoint(words := words_of(name))
        and words.isdisjoint(others)
    ]
    return fields[0] if len(fields) == 1 else None


def other_texts(record: Mapping[str, Any], read: frozenset[str]) -> list[str]:
    """Lists the paths of long texts that might be passages, but are under names of other things."""
    found: dict[str, None] = {}
    level: list[tuple[str, Any]] = [(str(k), v) for k, v in record.items() if k not in read]
    for _ in range(_DEEPEST):
        inner: list[tuple[str, Any]] = []
        for path, value in level:
            value = as_fields(parsed(value))
            if not words_of(path.rpartition(".")[2]).isdisjoint(_OTHERS):
                continue
            rows = [*value] if isinstance(value, (list, tuple)) else [value]
            cells = [
                c for row in rows for c in (row.values() if isinstance(row, Mapping) else [row])
            ]
            several = len(rows) > 1 and all(
                isinstance(row, (str, Mapping)) and "role" not in row for row in rows
            )
            least = _SENTENCE if several else _LONG
            if (several or isinstance(value, str)) and any(
                isinstance(cell, str) and len(cell.split()) > least for cell in cells
            ):
                found[path] = None
            elif isinstance(value, Mapping):
                inner += [(f"{path}.{name}", part) for name, part in value.items()]
        level = inner
    return [*found]


_SENTENCE = 10  # words
_LONG = 40  # words


_TASK = re.compile(
    r"\b(?:the|this|that|these|an?|each|every|all|both|no)\s+(?:\w+\s+)?"
    r"(?:answers?|responses?|claims?|outputs?|model|statements?|contexts?|passages?|evidence|sources?|summary|biography|"
    r"generation|facts?|judge|citations?)\b|\bannotat\w+|\b(?:is|are|was|were|not|well) "
    r"(?:supported|grounded|verified|hallucinated|factual)\b|\bhallucinat\w+",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b[^\W\d_a-z][\w'’-]{2,}")
_STARTS = _set("the this that she her his they their its was born and but for with who")


def is_remark(text: str, about: str) -> bool:
    """Whether a text is a remark on an answer, or names nothing that the answer does.

    Example:
        >>> is_remark("The answer is supported.", "Ann Lee"), is_remark("Lee sang.", "Ann Lee")
        (True, False)
    """
    if len(text.split()) < _LONG and _TASK.search(text):
        return True
    names = {word.casefold() for word in _NAMED.findall(about)} - _STARTS
    return bool(names) and names.isdisjoint(word.casefold() for word in _NAMED.findall(text))
