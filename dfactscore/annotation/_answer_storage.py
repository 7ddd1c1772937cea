"""Validates and stores answers, and logs every change as an event."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from dfactscore.annotation._answers import LABELS, Step
from dfactscore.annotation._assigned_paragraphs import (
    MOST_BIOGRAPHIES,
    STEPS,
    ItemPage,
    State,
    StudyParagraph,
    load_state,
)
from dfactscore.annotation._study import Study, StudyMember

_LONGEST = 10_000  # maximum number of characters in a comment or a reason
_LAST_COUNTER = 2**53  # the largest integer that browsers represent exactly
_OPEN = "open"  # withdraws an answer
_FLAGS = ("unsure", "not_in_paragraph")


class Refused(ValueError):
    """Raised for a field or value that the annotation pages do not send."""


class Locked(ValueError):
    """Raised for an answer that does not belong to the current step."""


class Saved(NamedTuple):
    """The result of a save request."""

    applied: bool  # whether the request was stored; False if it was repeated or arrived late
    counter: int
    state: State
    missing: tuple[str, ...] = ()  # parts that must be answered before the step can be confirmed


class _Change(NamedTuple):
    part: str
    question: str
    value: Any


def save(
    study: Study,
    person: StudyMember,
    item: StudyParagraph,
    # Names and values of the form fields: `fact.3.biography` (a number), `biography.1.page` and
    # `fact.3.found_in` (the page's number in this person's order, 0 for none; `open` withdraws an
    # answer), `fact.3.label`, `fact.3.evidence` (`page:start:end`), `fact.3.comment`,
    # `fact.3.unsure`, `fact.3.not_in_paragraph`, `flag` (`yes`, `no`), `confirm` and `reopen` (a
    # step), `again` (the reason for reopening step A), `skip` (a reason), `resume` (`yes`).
    fields: Sequence[tuple[str, str]],
    counter: int,
) -> Saved:
    """Saves all fields of a form in one transaction."""
    if not 0 < counter <= _LAST_COUNTER:
        raise Refused("counter")
    pages = item.shuffled(study.seed, person.name)
    applied, missing = False, cast("tuple[str, ...]", ())
    with study.write() as db:
        state = load_state(db, item, person.id)
        for name, value in fields:
            changes, missing = _changes(state, pages, name, value)
            for change in changes:
                if put(db, person.id, item.id, *change, counter=counter):
                    state.answers[change[:2]] = change.value
                    state.counter = max(state.counter, counter)
                    applied = True
    return Saved(applied, state.counter, state, missing)


def assign(db: sqlite3.Connection, person: int, item: int, position: int) -> None:
    """Adds a paragraph to a person's list, unless it is already there."""
    db.execute(
        "INSERT INTO assignment (item_id, annotator_id, position) VALUES (?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        (item, person, position),
    )


def put(
    db: sqlite3.Connection,
    person: int,
    item: int,
    part: str,
    question: str,
    value: Any,
    *,
    counter: int,
) -> bool:
    """Writes one answer unless the stored counter is already equal or higher."""
    text, now = json.dumps(value, ensure_ascii=False), time.time()
    key = (person, item, part, question)
    stored_text = db.execute(
        "SELECT value FROM answer WHERE annotator_id = ? AND item_id = ? AND part = ? "
        "AND question = ?",
        key,
    ).fetchone()
    result = db.execute(
        "INSERT INTO answer (annotator_id, item_id, part, question, value, counter, saved) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (annotator_id, item_id, part, question) DO UPDATE SET "
        "value = excluded.value, counter = excluded.counter, saved = excluded.saved "
        "WHERE excluded.counter > answer.counter",
        (*key, text, counter, now),
    )
    if not result.rowcount:
        return False
    if stored_text != (text,):
        _note(db, now, *key, text, counter)
    return True


def _note(db: sqlite3.Connection, *values: Any) -> None:
    db.execute(
        "INSERT INTO event (time, annotator_id, item_id, part, question, value, counter) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        values,
    )


def seen(study: Study, person: StudyMember, item: StudyParagraph, step: str) -> None:
    """Logs that a person opened a step, which starts the clock for the paragraph."""
    with study.write() as db:
        _note(db, time.time(), person.id, item.id, "item", "seen", json.dumps(step), 0)


def _changes(
    state: State, pages: Sequence[ItemPage], name: str, value: str
) -> tuple[list[_Change], tuple[str, ...]]:
    """The changes caused by a form field."""
    if name in ("confirm", "reopen"):
        step = next((s for s in STEPS if s == value), None)
        if step is None or (name == "reopen" and step == "A"):
            raise Refused(name)
        return _confirm(state, step) if name == "confirm" else (_reopen(state, step), ())
    if name in ("skip", "again", "resume", "flag"):
        return list(_of_item(state, name, value)), ()
    kind, number, question = field_parts(name)
    if kind == "biography" and question == "page":
        return _link(state, pages, number, value), ()
    if kind != "fact" or number >= len(state.item.facts):
        raise Refused(name)
    return _of_fact(state, pages, number, question, value), ()


def field_parts(name: str) -> tuple[str, int, str]:
    """Splits a field name, such as ``fact.3.label``, into kind, number and question."""
    kind, _, rest = name.partition(".")
    digits, _, question = rest.partition(".")
    number = number_of(digits)
    if number is None:
        raise Refused(name)
    return kind, number, question


def number_of(digits: str, longest: int = 4) -> int | None:
    """Parses a number from a form; None if it is invalid."""
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= longest
    return int(digits) if is_number else None


def _of_item(state: State, name: str, value: str) -> Iterable[_Change]:
    """The changes caused by a field about the whole paragraph."""
    if name == "flag":
        yield _Change("item", name, _yes(name, value))
    elif name == "resume":
        if value != "yes":
            raise Refused(name)
        if state.status == "skipped":
            yield _Change("item", "status", "open")
    elif not value.strip() or len(value) > _LONGEST:
        raise Refused(name)
    elif name == "skip":
        yield from (_Change("item", "reason", value), _Change("item", "status", "skipped"))
    elif changes := _reopen(state, "A"):
        yield from (*changes, _Change("item", name, value))


def _confirm(state: State, step: Step) -> tuple[list[_Change], tuple[str, ...]]:
    if state.step != step or state.status != "open":
        return [], ()  # a repeated request
    missing = tuple(state.missing(step))
    if missing:
        return [], missing
    if step == "A":  # confirming turns default values into answers
        facts = range(len(state.item.facts))
        chosen = [_Change(f"fact/{f}", "biography", state.biography(f)) for f in facts]
        return [*chosen, _Change("item", "step", "B")], ()
    finish = [_Change("item", "status", "done")]
    if step == "D":
        return finish, ()
    has_questions = step == "B" or any(map(state.asked, range(len(state.item.facts))))
    following = _Change("item", "step", STEPS[STEPS.index(step) + 1])
    return [following] if has_questions else [
        following,
        *finish,
    ], ()  # a step without questions is skipped


def _reopen(state: State, step: Step) -> list[_Change]:
    """Goes back to a step, recording a return to step A made after the person saw the pages."""
    is_done = state.status == "done"
    if state.status == "skipped" or STEPS.index(step) > STEPS.index(state.step):
        raise Locked("reopen")
    if step == state.step and not is_done:
        return []
    changes = [_Change("item", "step", step)]
    if is_done:
        changes.append(_Change("item", "status", "open"))
    if step == "A" and state.pages_shown:
        changes.append(_Change("item", "revised_after_pages", True))
    return changes


def _need(state: State, step: str) -> None:
    if state.step != step or state.status != "open":
        raise Locked(step)


def _link(state: State, pages: Sequence[ItemPage], number: int, value: str) -> list[_Change]:
    if number not in state.used:
        raise Refused("biography")
    page = _OPEN if value == _OPEN else page_row(pages, "page", value)
    _need(state, "B")
    changes = [_Change(f"biography/{number}", "page", page)]
    if state.linked(number) and state.answers[(f"biography/{number}", "page")] != page:
        facts = [f for f in range(len(state.item.facts)) if state.biography(f) == number]
        changes += _forget(state, facts)
    return changes


def _forget(state: State, facts: Iterable[int]) -> Iterable[_Change]:
    """Withdraws answers that depend on the previous page, but keeps the label "irrelevant"."""
    for f in facts:
        if state.label(f) in ("supported", "not_supported"):
            yield _Change(f"fact/{f}", "label", None)
        if state.looked(f):
            yield _Change(f"fact/{f}", "found_in", _OPEN)


def _of_fact(
    state: State, pages: Sequence[ItemPage], fact: int, question: str, value: str
) -> list[_Change]:
    part, stored = f"fact/{fact}", cast("Any", None)
    if question == "biography":
        return _move(state, fact, value)
    if question == "label":
        stored = _label(state, fact, value)
    elif question == "found_in":
        stored = _found_in(state, pages, fact, value)
    elif question in _FLAGS:
        stored = _yes(question, value)
    elif question == "evidence":
        stored = _place(pages, value)
        if state.step not in ("C", "D") or state.status != "open":
            raise Locked(question)
    elif question == "comment" and len(value) <= _LONGEST:
        stored = value.strip()  # without scripts, a form sends all comments
        if stored == (state.note(fact, question) or ""):
            return []
    else:
        raise Refused(question)
    return [_Change(part, question, stored)]


def _label(state: State, fact: int, value: str) -> str | None:
    if value not in (*LABELS, _OPEN):
        raise Refused("label")
    _need(state, "C")
    if value == "supported" and state.page(state.biography(fact)) is None:
        raise Refused("label")
    return None if value == _OPEN else value


def _found_in(state: State, pages: Sequence[ItemPage], fact: int, value: str) -> int | str | None:
    page = _OPEN if value == _OPEN else page_row(pages, "found_in", value)
    _need(state, "D")
    linked = state.page(state.biography(fact))
    if not state.asked(fact) or (linked is not None and page == linked.id):
        raise Refused("found_in")
    return page


def _move(state: State, fact: int, value: str) -> list[_Change]:
    most = min(max(state.used) + 1, MOST_BIOGRAPHIES)
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:4]) <= max(9, most)):
        raise Refused("biography")
    _need(state, "A")
    number, current = int(value), state.biography(fact)
    changes = [_Change(f"fact/{fact}", "biography", number)]
    if state.page(number) != state.page(current):
        changes += _forget(state, [fact])
    return changes


def page_row(pages: Sequence[ItemPage], question: str, value: str) -> int | None:
    """Row of the page that has the given number in a person's order; None for 0."""
    number = number_of(value)
    if number is None or number > len(pages):
        raise Refused(question)
    return pages[number - 1].id if number else None


def _place(pages: Sequence[ItemPage], value: str) -> Mapping[str, int] | None:
    if not value:
        return None
    parts = [
        number_part for part in value.split(":") if (number_part := number_of(part, 9)) is not None
    ]
    if len(parts) != 3 or value.count(":") != 2:
        raise Refused("evidence")
    number, start, end = parts
    if not 1 <= number <= len(pages) or not start < end <= len(pages[number - 1].text):
        raise Refused("evidence")
    return {"page": pages[number - 1].id, "start": start, "end": end}


def _yes(name: str, value: str) -> bool:
    if value not in ("yes", "no"):
        raise Refused(name)
    return value == "yes"
