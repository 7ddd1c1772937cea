"""The gold answer per paragraph: adjudicated, else agreed, else the only one."""

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
_LONGEST_PAUSE = 300.0  # seconds; who stays away longer was not reading


@dataclass(frozen=True)
class Given:
    """One person's answer to one paragraph.

    Attributes:
        annotator: Their name.
        role: ``"annotator"`` or ``"adjudicator"``.
        answer: The answer.
        status: ``"open"``, ``"done"`` or ``"skipped"``.
        step: The step that is open.
        seconds: Time spent on it.
        flagged: Whether it is flagged for discussion.
        reason: The reason why it was skipped.
    """

    annotator: str
    role: str
    answer: ItemAnswer
    status: str
    step: str
    seconds: int
    flagged: bool
    reason: str


@dataclass(frozen=True)
class Answered:
    """A paragraph with everything that people said of it.

    Attributes:
        item: The paragraph.
        given: Begun answers, annotators by name, the adjudicator last.
    """

    item: Item
    given: tuple[Given, ...]

    @property
    def done(self) -> tuple[Given, ...]:
        """Finished answers of annotators."""
        return tuple(g for g in self.given if g.status == "done" and g.role != ADJUDICATOR)

    @property
    def gold(self) -> tuple[GoldKind, ItemAnswer | None] | None:
        """Returns the origin of the gold answer, and the answer; None if nothing is finished.

        Two people who differ and were not adjudicated have no gold answer: ``"undecided"``.
        """
        judged = [g for g in self.given if g.role == ADJUDICATOR and g.status == "done"]
        done = self.done
        if judged:
            return "adjudicated", judged[0].answer
        if not done:
            return None
        if len(done) == 1:
            return "single", done[0].answer
        if any(differs(done[0].answer, other.answer) for other in done[1:]):
            return "undecided", None
        return "agreed", done[0].answer


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
    given = []
    for person, name, role in rows:
        state = load_state(db, item, person)
        if role == ADJUDICATOR and state.status != "done":
            continue  # decisions that are not confirmed are not an answer yet
        given.append(
            Given(
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
    return Answered(item, tuple(given))


def spent_seconds(db: sqlite3.Connection, item: int, person: int, answers: Any) -> int:
    """Time that a person spent on a paragraph: from event to event, without long pauses."""
    imported = answers.get(("item", "seconds"))
    if imported is not None:
        return int(imported)
    times = db.execute(
        "SELECT time FROM event WHERE item_id = ? AND annotator_id = ? ORDER BY id", (item, person)
    )
    gaps: list[float] = [b - a for (a,), (b,) in pairwise(times)]
    return round(sum(gap for gap in gaps if 0 < gap <= _LONGEST_PAUSE))
