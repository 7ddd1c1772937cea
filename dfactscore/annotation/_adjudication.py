"""Disagreements between two annotators, the adjudicator's decisions, and the gold answers."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from dfactscore.annotation._answer_storage import (
    Locked,
    Refused,
    assign,
    field_parts,
    page_row,
    put,
)
from dfactscore.annotation._answers import ItemAnswer
from dfactscore.annotation._assigned_paragraphs import (
    ItemPage,
    State,
    StudyParagraph,
    load_item,
    load_state,
)
from dfactscore.annotation._study import ADJUDICATOR, Study, StudyMember

SIDES = ("first", "second")
_IRRELEVANT = "irrelevant"


def differs(first: ItemAnswer, second: ItemAnswer) -> bool:
    """Whether two answers differ in their number of biographies, groups, links, labels or pages."""
    return (
        first.biographies != second.biographies
        or first.pages != second.pages
        or any(
            (a.label, a.found_in) != (b.label, b.found_in)
            for a, b in zip(first.facts, second.facts, strict=True)
        )
    )


class CaseLine(NamedTuple):
    """A line in the adjudicator's list, which shows one double whose answers differ."""

    public: str
    name: str
    status: str  # `"open"` or `"decided"`
    flagged: bool


@dataclass(frozen=True)
class Case:
    """A double (a paragraph annotated by two people) and the adjudicator's decisions on it."""

    item: StudyParagraph
    sides: tuple[State, State]
    decisions: State

    @cached_property
    def answers(self) -> tuple[ItemAnswer, ItemAnswer]:
        """Both answers."""
        return self.sides[0].answer(), self.sides[1].answer()

    @property
    def groupings_differ(self) -> bool:
        """Whether the two groupings of facts differ."""
        return self.answers[0].biographies != self.answers[1].biographies

    @property
    def grouping(self) -> int | None:
        """Index of the side whose grouping was chosen; None if not yet decided."""
        if not self.groupings_differ:
            return 0
        chosen = self.decisions.answers.get(("item", "grouping"))
        return SIDES.index(chosen) if chosen in SIDES else None

    @property
    def n_bio(self) -> int:
        """Number of biographies in the chosen grouping; 0 if not yet decided."""
        return 0 if self.grouping is None else len(self.answers[self.grouping].groups)

    def link_differs(self, biography: int) -> bool:
        """Whether the adjudicator must decide on a biography's page."""
        if self.groupings_differ:
            assert self.grouping is not None
            facts = self.answers[self.grouping].groups[biography - 1]
            pages = {a.link(f) for a in self.answers for f in facts}
            return len(pages) > 1
        return self.answers[0].pages[biography - 1] != self.answers[1].pages[biography - 1]

    def link_key(self, biography: int) -> tuple[str, str]:
        """The part and question under which the decision on a biography's page is stored."""
        return f"biography/{biography}", f"page_of_{SIDES[self.grouping or 0]}"

    def link(self, biography: int) -> ItemPage | None:
        """A biography's page: the adjudicator's choice or, if both answers agree, theirs."""
        if self.link_differs(biography):
            return self.item.by_id.get(self.decisions.answers.get(self.link_key(biography)) or 0)
        assert self.grouping is not None
        title = self.answers[self.grouping].pages[biography - 1]
        return None if title is None else self.item.by_title[title]

    @cached_property
    def fact_differences(self) -> list[int]:
        """Indices of the facts that have different labels or pages in the two answers."""
        first, second = self.answers
        return [
            i
            for i, (a, b) in enumerate(zip(first.facts, second.facts, strict=True))
            if (a.label, a.found_in) != (b.label, b.found_in)
        ]

    def decision(self, fact: int) -> Any:
        """A fact's decision: ``"irrelevant"``, a page's row, 0 for no page, or None if open."""
        return self.decisions.answers.get((f"fact/{fact}", "decision"))

    @property
    def open(self) -> list[str]:
        """The parts that still need a decision."""
        if self.grouping is None:
            return ["grouping"]
        links = [
            f"biography/{b}"
            for b in range(1, self.n_bio + 1)
            if self.link_differs(b) and self.link_key(b) not in self.decisions.answers
        ]
        return links + [f"fact/{f}" for f in self.fact_differences if self.decision(f) is None]

    def gold(self) -> list[tuple[str, str, Any]]:
        """The gold answer in the study's row format: part, question and value."""
        assert self.grouping is not None
        chosen = self.answers[self.grouping]
        rows: list[tuple[str, str, Any]] = []
        links = {b: self.link(b) for b in range(1, self.n_bio + 1)}
        for number, page in links.items():
            rows.append((f"biography/{number}", "page", page.id if page else None))
        for f, fact in enumerate(chosen.facts):
            linked = links[fact.biography]
            if f in self.fact_differences:
                decision = self.decision(f)
                support = None if decision == _IRRELEVANT else self.item.by_id.get(decision)
            else:
                decision = fact.label
                support = self.item.by_title.get(fact.found_in or "")
            # The label follows from the page chosen for the biography.
            label = "supported" if support is not None and support == linked else "not_supported"
            label = _IRRELEVANT if decision == _IRRELEVANT else label
            rows.append((f"fact/{f}", "biography", fact.biography))
            rows.append((f"fact/{f}", "label", label))
            page_id = support.id if support is not None and label == "not_supported" else None
            rows.append((f"fact/{f}", "found_in", page_id))
        return rows


def _pairs(db: sqlite3.Connection) -> list[tuple[int, list[int]]]:
    """The paragraphs finished by more than one person, and the row of each such person."""
    rows = db.execute(
        "SELECT s.item_id, s.annotator_id FROM assignment s JOIN item i ON i.id = s.item_id "
        "JOIN annotator p ON p.id = s.annotator_id AND p.role = 'annotator' "
        "JOIN answer a ON a.item_id = s.item_id AND a.annotator_id = s.annotator_id "
        "AND a.part = 'item' AND a.question = 'status' AND a.value = '\"done\"' "
        "WHERE i.kind = 'task' ORDER BY i.public, s.annotator_id"
    ).fetchall()
    people_by_item: dict[int, list[int]] = {}
    for item, person in rows:
        people_by_item.setdefault(item, []).append(person)
    return [(item, person) for item, person in people_by_item.items() if len(person) > 1]


def _case(
    db: sqlite3.Connection, study: Study, number: int, people: Sequence[int], judge: int
) -> Case:
    item = load_item(db, number)
    states = [load_state(db, item, person) for person in people[:2]]
    random.Random(f"sides:{study.seed}:{item.public}").shuffle(states)
    return Case(item, (states[0], states[1]), load_state(db, item, judge))


def list_cases(study: Study, judge: StudyMember) -> list[CaseLine]:
    """The doubles whose answers differ, open ones first."""
    lines = []
    with study.read() as db:
        for number, people in _pairs(db):
            case = _case(db, study, number, people, judge.id)
            if differs(*case.answers):
                status = "decided" if case.decisions.status == "done" else "open"
                flagged = any(side.flagged for side in case.sides)
                lines.append(CaseLine(case.item.public, case.item.name, status, flagged))
    return sorted(lines, key=lambda line: line.status != "open")


def load_case(study: Study, judge: StudyMember, public: str) -> Case | None:
    """The double with this id (as used in URLs); None if there is none or its answers agree."""
    with study.read() as db:
        for number, people in _pairs(db):
            public_id = db.execute("SELECT public FROM item WHERE id = ?", (number,)).fetchone()[0]
            if public_id == public:
                case = _case(db, study, number, people, judge.id)
                return case if differs(*case.answers) else None
    return None


def decide(
    study: Study, judge: StudyMember, case: Case, fields: Sequence[tuple[str, str]], counter: int
) -> tuple[str, ...]:
    """Saves decisions, leaving the two people's answers unchanged."""
    # `fields`: names and values of the form fields: `grouping` (`first`, `second`),
    # `biography.1.page` (number of a page, 0 for none), `fact.3.decision` (number of a page, or
    # `irrelevant`), `confirm` or `reopen` (`yes`).
    # Returns the parts that still need a decision, if the fields confirm the case too early.
    if not 0 < counter <= 2**53:
        raise Refused("counter")
    pages = case.item.shuffled(study.seed, judge.name)
    rows: list[tuple[str, str, Any]] = []
    for name, value in fields:
        if name == "confirm" and value == "yes":
            if case.open:
                return tuple(case.open)
            rows += [*case.gold(), ("item", "step", "D"), ("item", "status", "done")]
            continue
        if name == "reopen" and value == "yes":
            rows.append(("item", "status", "open"))
            continue
        row = _decision(case, pages, name, value)
        if case.decisions.status == "done":
            raise Locked(name)
        rows.append(row)
    with study.write() as db:
        assign(db, judge.id, case.item.id, int(time.time()))
        for row in rows:
            put(db, judge.id, case.item.id, *row, counter=counter)
    return ()


def _decision(case: Case, pages: Sequence[ItemPage], name: str, value: str) -> tuple[str, str, Any]:
    if name == "grouping":
        if value not in SIDES or not case.groupings_differ:
            raise Refused(name)
        return "item", "grouping", value
    kind, number, question = field_parts(name)
    if kind == "biography" and question == "page":
        if not (1 <= number <= case.n_bio and case.link_differs(number)):
            raise Refused(name)
        return (*case.link_key(number), page_row(pages, name, value))
    if kind != "fact" or question != "decision" or number not in case.fact_differences:
        raise Refused(name)
    decision = _IRRELEVANT if value == _IRRELEVANT else page_row(pages, name, value) or 0
    return f"fact/{number}", "decision", decision


GoldKind = Literal["adjudicated", "agreed", "single", "undecided"]
_LONGEST_PAUSE = 300.0  # seconds; a longer pause does not count as work


@dataclass(frozen=True)
class PersonAnswer:
    """One person's answer about a paragraph."""

    annotator: str
    role: str  # `"annotator"` or `"adjudicator"`
    answer: ItemAnswer
    status: str  # `"open"`, `"done"` or `"skipped"`
    step: str
    seconds: int  # time the person spent, in seconds
    flagged: bool
    reason: str  # why the paragraph was skipped, or empty


@dataclass(frozen=True)
class Answered:
    """A paragraph and everyone's answers about it."""

    item: StudyParagraph
    answers: tuple[PersonAnswer, ...]

    @property
    def done(self) -> tuple[PersonAnswer, ...]:
        """The annotators' finished answers."""
        return tuple(g for g in self.answers if g.status == "done" and g.role != ADJUDICATOR)

    @property
    def gold(self) -> tuple[GoldKind, ItemAnswer | None] | None:
        """The origin of the gold answer, and the answer itself; None if no answers are finished.

        If answers differ and were not adjudicated, the origin is ``"undecided"`` and there is no
        gold answer.
        """
        adjudicated = [g for g in self.answers if g.role == ADJUDICATOR and g.status == "done"]
        finished = self.done
        if adjudicated:
            return "adjudicated", adjudicated[0].answer
        if not finished:
            return None
        if len(finished) == 1:
            return "single", finished[0].answer
        if any(differs(finished[0].answer, other.answer) for other in finished[1:]):
            return "undecided", None
        return "agreed", finished[0].answer


def answered_items(study: Study) -> list[Answered]:
    """All paragraphs of a study, sorted by run and record."""
    with study.read() as db:
        numbers = db.execute("SELECT id FROM item WHERE kind = 'task' ORDER BY run, record")
        return [_answered(db, number) for (number,) in numbers.fetchall()]


def _answered(db: sqlite3.Connection, number: int) -> Answered:
    item = load_item(db, number)
    rows = db.execute(
        "SELECT DISTINCT p.id, p.name, p.role FROM answer a "
        "JOIN annotator p ON p.id = a.annotator_id WHERE a.item_id = ? "
        "ORDER BY p.role DESC, p.name",
        (number,),
    ).fetchall()
    answers = []
    for person, name, role in rows:
        state = load_state(db, item, person)
        if role == ADJUDICATOR and state.status != "done":
            continue  # the adjudicator has not confirmed the decisions
        answers.append(
            PersonAnswer(
                annotator=name,
                role=role,
                answer=state.answer(),
                status=state.status,
                step=state.step,
                seconds=spent_seconds(db, number, person, state.answers),
                flagged=state.flagged,
                reason=state.reason if state.status == "skipped" else "",
            )
        )
    return Answered(item, tuple(answers))


def spent_seconds(db: sqlite3.Connection, item: int, person: int, answers: Any) -> int:
    """Seconds a person spent on a paragraph: the time between events, excluding long pauses."""
    imported = answers.get(("item", "seconds"))
    if imported is not None:
        return int(imported)
    times = db.execute(
        "SELECT time FROM event WHERE item_id = ? AND annotator_id = ? ORDER BY id", (item, person)
    )
    pauses: list[float] = [b - a for (a,), (b,) in pairwise(times)]
    return round(sum(pause for pause in pauses if 0 < pause <= _LONGEST_PAUSE))
