"""The gold answer of each paragraph: adjudicated, agreed, or single."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from dfactscore.annotation._adjudication import differs
from dfactscore.annotation._answers import ItemAnswer
from dfactscore.annotation._assigned_paragraphs import Item, load_item, load_state
from dfactscore.annotation._study import ADJUDICATOR, Study

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

    item: Item
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
