"""Converts a record in any known format to a biography."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from dfactscore._readers.chats import is_packed, rows_in, unpacked, without_label
from dfactscore._readers.found_passages import (
    answer_in,
    documents_in,
    is_remark,
    other_texts,
    question_in,
)
from dfactscore._readers.record_fields import (
    FIELDS,
    WEAK_PASSAGES,
    Columns,
    NamelessError,
    RecordError,
    field_of,
    passages_of,
)
from dfactscore._readers.shown_text import Cuts, TextChoice, shown_text
from dfactscore._records import QUESTIONS, Biography, Fact, FactGroup, Label, Verdict
from dfactscore._text.clean_text import clean
from dfactscore._text.names import may_be_one
from dfactscore._text.outputs import states_nothing
from dfactscore._text.person_names import read_name
from dfactscore._text.questions import (
    first_subject,
    is_request,
    name_of_question,
    shared_name,
    subjects,
)
from dfactscore._text.sentences import is_prose
from dfactscore._util.objects import ShapeError, as_fields, check_depth, keys_of, text_of, typed
from dfactscore._util.tables import parsed, spreadsheet_fault
from dfactscore.retrieval import Passage

_DEFAULT = Columns()
_TEXT, _NAME, _PASSAGES = FIELDS["text"], FIELDS["name"], FIELDS["passages"]
_READ = frozenset({*_TEXT, *_NAME})
_BY_FACT = ("groups", "links", "verdicts")  # name facts by number, so that none may be left out
_STAGES = {"id", "model", "facts", "groups", "links", "verdicts", "candidates"}
# Fields of Gemini's candidates, which are answers rather than titles of pages.
_OF_ANSWERS = frozenset(("content", "finishReason", "finish_reason", "groundingMetadata", "output"))


def biography_from_record(
    # A mapping, or an object (pydantic, dataclass), with the fields in `docs/formats.md` or those
    # of ALCE, FActScore, VeriScore, ragas, deepeval, LangChain, LlamaIndex or Haystack.
    record: Mapping[str, Any],
    *,
    default_id: str = "0",
    columns: Columns = _DEFAULT,
    # The part of the text to score: only the answer (see `shown_text`) or, with `"raw"`, everything
    # except markers such as `[1]`.
    text: TextChoice = "answer",
    cuts: Cuts | None = None,
) -> Biography:
    """Validates a record and converts it to a biography.

    The biography includes any facts, groups, links and verdicts in the record.

    Example:
        >>> biography_from_record({"topic": "Ann Lee", "output": "Ann Lee sang [1]."}).text
        'Ann Lee sang.'
    """
    record = known_fields(record, columns)
    raw = clean(_string(record, _TEXT))
    if raw.strip() in [str(record.get(field)).strip() for field in QUESTIONS] and raw.strip():
        raise RecordError(_present(record, _TEXT) or "text", "is the question, not its answer")
    name = _name(record, raw)
    passages, field = passages_in(record, f"{name} {raw}")
    titles = [passage.title for passage in passages]
    shown = shown_text(raw, name, titles, choice=text)
    if subject := _subject(record, name, shown.text):
        name = subject
        shown = shown_text(raw, name, titles, choice=text)
    if cuts is not None:
        cuts.add(shown, named=subject)
        cuts.leave_out_passages(sum(not passage.text.strip() for passage in passages))
        cuts.read_passages(field, [] if passages else other_texts(record, _READ))
    facts = _facts(record, len(shown.text))
    if facts is not None and not any(record.get(stage) for stage in _BY_FACT):
        stated = tuple(fact for fact in facts if not states_nothing(fact.text))
        if cuts is not None:
            cuts.leave_out([fact.text for fact in facts if states_nothing(fact.text)])
        facts = stated
    groups = _groups(record, facts)
    verdicts = _verdicts(record, facts)
    links = _links(record, groups)
    record_id = record.get("id")
    identity = (
        default_id
        if record_id is None or (isinstance(record_id, str) and not record_id)
        else record_id
    )
    if not isinstance(identity, (str, int)) or isinstance(identity, bool):
        raise RecordError("id", f"expected a text or a whole number, found {typed(identity)}")
    return Biography(
        id=clean(str(identity)),
        name=name,
        text=shown.text,
        citations=shown.citations,
        passages=passages,
        raw=raw,
        model=clean(str(record.get("model") or "")),
        facts=facts,
        groups=groups,
        links=links,
        verdicts=verdicts,
        candidates=_candidates(record),
        extra=_extra(record),
    )


def known_fields(record: Any, columns: Columns = _DEFAULT) -> dict[str, Any]:
    """Returns a record under the names of `FIELDS`, with what lies within its objects."""
    record = as_fields(record)
    if not isinstance(record, Mapping):
        raise RecordError("", f"expected an object, found {typed(record)}")
    try:
        check_depth(record)
    except ShapeError as error:
        raise RecordError("", error.reason) from None
    if columns.name is None:
        record = without_label(record)
    if is_packed(record):
        record = _opened(record, columns)
    fields = columns.rename(record)
    if _present(fields, _TEXT) is None and (answer := answer_in(fields)) is not None:
        fields["text"] = fields.pop(answer)
    if _present(fields, _NAME) is None and (question := question_in(fields)) is not None:
        fields["question"] = fields[question]
    return fields


def _opened(record: Mapping[str, Any], columns: Columns) -> Mapping[str, Any]:
    """Returns a record with what lies within its objects; if it has a text, only passages."""
    fields = columns.rename(record)
    found = columns.rename(unpacked(record))
    for names in (_TEXT, _NAME):
        name = _present(fields, names)
        if isinstance(fields.get(name or ""), str):
            continue
        # An object under one of the names does not hide what is in it.
        values = {n: _only(found.get(n)) for n in names}
        inner = next((n for n in names if isinstance(values[n], str) and values[n]), None)
        if inner is not None:
            for other in names[: names.index(inner)]:
                found.pop(other, None)
            record = {k: v for k, v in record.items() if field_of(str(k)) not in names}
            record = {**record, inner: values[inner]}
    if any(not _OF_ANSWERS.isdisjoint(row) for row in rows_in(record.get("candidates"))):
        record = {k: v for k, v in record.items() if k != "candidates"}
    listed = next((n for n in ("documents", *_PASSAGES, *WEAK_PASSAGES) if found.get(n)), None)
    if _present(fields, _PASSAGES) is None and listed is not None:
        return {**record, listed: found[listed]}
    return record


def _extra(record: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a record that are not fields of a biography."""
    read_fields = {_present(record, names) for names in (_TEXT, _NAME, _PASSAGES)}
    read_fields -= set(QUESTIONS)  # stay, even if the name was read from them
    return {k: v for k, v in record.items() if k not in _STAGES and k not in read_fields}


def _name(record: Mapping[str, Any], text: str) -> str:
    """Returns the name given in a record or its question; empty for contexts without a question."""
    if not any(name in record for name in _NAME) and _present(record, _PASSAGES):
        return ""
    name = name_of_question(clean(_string(record, _NAME)))
    if not name:
        raise RecordError(_present(record, _NAME) or "name", "is empty")
    if _present(record, _NAME) == "name" and not _is_written(name, text):
        # The name of a chat, a step or a test beside a question, which names a person.
        asked = (record[field] for field in QUESTIONS if isinstance(record.get(field), str))
        named = (name_of_question(clean(question)) for question in asked)
        return next((other for other in named if other and _is_written(other, text)), name)
    return name


def _is_written(name: str, text: str) -> bool:
    """Whether a text has any word of a name."""
    words = set(re.findall(r"\w{3,}", name.casefold()))
    return not words.isdisjoint(re.findall(r"\w{3,}", text.casefold()))


def _subject(record: Mapping[str, Any], name: str, text: str) -> str | None:
    """Returns the subject of a text that has contexts, if no question names it."""
    field = _present(record, _NAME)
    if _present(record, _PASSAGES) is None or (name and field not in QUESTIONS):
        return None
    if name and not is_request(name):
        return _other_subject(name, text)
    subject = (shared_name(name, text) if name else None) or first_subject(text)
    if subject is None and not name:
        raise NamelessError("name", "is missing, and the text names no person")
    return subject


def _other_subject(name: str, text: str) -> str | None:
    """Returns the subject of a text if the name in its question is not a subject of it."""
    found = subjects(text)
    asked = read_name(name)
    if any(may_be_one(read_name(subject), asked) for subject in found):
        return None
    # "Who was convicted of fraud?"; "Who runs Artex?", answered by "Bo Ray runs Artex." A text
    # that does not write the name of its question at all is about the wrong person.
    written = text.find(name)
    after = found and (written > text.find(found[0]) or (written < 0 and name.islower()))
    return found[0] if after else None


def _as_list(value: Any) -> Any:
    """Converts a tuple, or an array from a data frame, to a list."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _only(value: Any) -> Any:
    """Returns the only item of a list, such as the generations of a model that was asked once."""
    listed = _as_list(value)
    return listed[0] if isinstance(listed, list) and len(listed) == 1 else value


def _present(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    # Argilla keeps the answers of its annotators beside that of a model, in an object.
    present = [n for n in names if record.get(n) is not None and record[n] != {}]
    # Alpaca's records have an empty input beside the instruction.
    filled = (n for n in present if names is not _NAME or record[n] != "")
    return next(filled, present[0] if present else None)


def _string(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    field = _present(record, names)
    if field is None:
        if null := next((name for name in names if name in record), None):
            raise RecordError(null, "is empty")
        fields = keys_of(record) if record else "no field at all"
        raise RecordError(
            names[0],
            f"is missing (one of {', '.join(names[:6])} …); found {fields}; another field is read "
            f"with --field {names[0]}=FIELD",
        )
    value = text_of(_only(record[field]) if names is _TEXT else record[field])
    if isinstance(value, list) and value and all(isinstance(block, Mapping) for block in value):
        # the content blocks of a message
        value = text_of({"content": value})
    if not isinstance(value, str):
        raise RecordError(field, f"expected a text, found {typed(value)}")
    if fault := spreadsheet_fault(value):
        raise RecordError(field, fault)
    return value


def passages_in(record: Mapping[str, Any], about: str) -> tuple[tuple[Passage, ...], str]:
    """Returns the passages, and their field if its name alone does not say what it holds."""
    field = _present(record, _PASSAGES)
    if field is None:
        return _weak_passages(record, about)
    listed = _as_list(record[field])
    if field == "context" and isinstance(listed, list) and {*map(type, listed)} == {int}:
        return (), ""  # Ollama's tokens
    passages = passages_of(record[field], field)
    ids = _as_list(record.get("retrieved_context_ids"))  # ragas: the document of each context
    if isinstance(ids, list) and len(ids) == len(passages):
        passages = tuple(
            passage if passage.source or id is None else replace(passage, source=clean(str(id)))
            for passage, id in zip(passages, ids, strict=True)
        )
    return passages, ""


def _weak_passages(record: Mapping[str, Any], about: str) -> tuple[tuple[Passage, ...], str]:
    """Returns the passages under names that are also used for other things, if they are texts."""
    for field in WEAK_PASSAGES:
        if record.get(field):
            with suppress(RecordError):
                passages = passages_of(parsed(record[field]), field)
                if passages and all(
                    is_prose(passage.text) and not is_remark(passage.text, about)
                    for passage in passages
                ):
                    return passages, field
    found, field = documents_in(record)
    return tuple(found), field


def _candidates(record: Mapping[str, Any]) -> tuple[str, ...]:
    value = _as_list(record.get("candidates"))
    titles = [value] if isinstance(value, str) else value or []
    if not isinstance(titles, list) or not all(isinstance(title, str) for title in titles):
        raise RecordError("candidates", f"expected titles of pages, found {typed(value)}")
    return tuple(dict.fromkeys(clean(title).strip() for title in titles if title.strip()))


def _facts(record: Mapping[str, Any], length: int) -> tuple[Fact, ...] | None:
    if record.get("facts") is None:
        return _annotated_facts(record)
    facts = tuple(_validate(_adapter("facts"), _as_list(record["facts"]), "facts"))
    for i, fact in enumerate(facts):
        if not fact.text.strip():
            raise RecordError(f"facts[{i}].text", "is empty")
        if fact.span is not None and not 0 <= fact.span[0] <= fact.span[1] <= length:
            raise RecordError(
                f"facts[{i}].span",
                f"{list(fact.span)} is outside the text as it is shown (0..{length})",
            )
    return tuple(replace(fact, text=clean(fact.text)) for fact in facts)


def _annotated_facts(record: Mapping[str, Any]) -> tuple[Fact, ...] | None:
    """Returns the human-written facts from FActScore's labeled files, marking irrelevant ones."""
    sentences = record.get("annotations")
    if sentences is None:
        return None
    if not isinstance(sentences, list):
        raise RecordError("annotations", f"expected a list, found {typed(sentences)}")
    facts = []
    for i, sentence in enumerate(sentences):
        if not isinstance(sentence, Mapping):
            raise RecordError(f"annotations[{i}]", f"expected an object, found {typed(sentence)}")
        for row in sentence.get("human-atomic-facts") or []:
            if not isinstance(row, Mapping) or not isinstance(row.get("text"), str):
                raise RecordError(f"annotations[{i}]", f"expected {{text, label}}: {typed(row)}")
            irrelevant = row.get("label") == "IR"
            label: Label | None = "irrelevant" if irrelevant else None
            facts.append(Fact(clean(row["text"]), sentence=i, label=label))
    return tuple(facts) or None


def _groups(
    record: Mapping[str, Any], facts: tuple[Fact, ...] | None
) -> tuple[FactGroup, ...] | None:
    if record.get("groups") is None:
        return None
    if facts is None:
        raise RecordError("groups", "needs 'facts' in the same record")
    rows = _as_list(record["groups"])
    if isinstance(rows, list):
        rows = [_as_list(row) for row in rows]
        rows = [{"facts": row} if isinstance(row, list) else row for row in rows]
    groups = tuple(_validate(_adapter("groups"), rows, "groups"))
    for i, group in enumerate(groups):
        if not group.facts:
            raise RecordError(f"groups[{i}]", "is empty")
    members = sorted(f for g in groups for f in g.facts)
    if members != list(range(len(facts))):
        raise RecordError(
            "groups", f"must hold each of the facts 0..{len(facts) - 1} once, found {members[:20]}"
        )
    return groups


def _links(
    record: Mapping[str, Any], groups: tuple[FactGroup, ...] | None
) -> tuple[str | None, ...] | None:
    links = _as_list(record.get("links"))
    if links is None:
        return None
    if groups is None or not isinstance(links, list) or len(links) != len(groups):
        raise RecordError("links", "expected one entity id or null for each of 'groups'")
    for i, link in enumerate(links):
        if link is not None and not isinstance(link, str):
            raise RecordError(f"links[{i}]", f"expected a text or null, found {typed(link)}")
    return tuple(links)


def _verdicts(
    record: Mapping[str, Any], facts: tuple[Fact, ...] | None
) -> Mapping[str, tuple[Verdict, ...]] | None:
    value = record.get("verdicts")
    if value is None:
        return None
    if facts is None:
        raise RecordError("verdicts", "needs 'facts' in the same record")
    if not isinstance(value, Mapping):
        raise RecordError("verdicts", f"expected {{entity id: [verdicts]}}, found {typed(value)}")
    verdicts = {}
    for entity, rows in value.items():
        rows, where = _as_list(rows), f"verdicts[{entity!r}]"
        if not isinstance(rows, list) or len(rows) != len(facts):
            raise RecordError(where, f"expected {len(facts)} verdicts, one per fact")
        rows = [
            {"status": "supported" if row else "not_supported"} if isinstance(row, bool) else row
            for row in rows
        ]
        verdicts[entity] = tuple(_validate(_adapter("verdicts"), rows, where))
        for i, verdict in enumerate(verdicts[entity]):
            if verdict.probability is not None and not 0 <= verdict.probability <= 1:
                raise RecordError(f"{where}[{i}].probability", f"{verdict.probability} not in 0..1")
    return verdicts


@cache
def _adapter(kind: str) -> Any:
    """Returns the validator for a field; pydantic is imported when first needed."""
    from pydantic import BeforeValidator, TypeAdapter

    def as_fact(value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value

    if kind == "facts":
        return TypeAdapter(list[Annotated[Fact, BeforeValidator(as_fact)]])
    return TypeAdapter(list[FactGroup] if kind == "groups" else list[Verdict])


def _validate(adapter: Any, value: Any, field: str) -> list[Any]:
    from pydantic import ValidationError

    try:
        return list(adapter.validate_python(value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in first["loc"])
        expected = re.sub(r" or an instance of \w+", "", first["msg"].lower())
        reason = f"{expected}, found {typed(first['input'])}"
        raise RecordError(field + path, reason) from None
