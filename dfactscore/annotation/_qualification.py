"""Qualifies annotators using paragraphs with known answers."""

from __future__ import annotations

from typing import NamedTuple

from dfactscore._errors import InputError
from dfactscore.annotation._assigned_paragraphs import load_item, load_state
from dfactscore.annotation._study import Person, Study


class Qualification(NamedTuple):
    """An annotator's result on the paragraphs with known answers."""

    n: int
    open: int
    right: int
    facts: int
    minimum: float
    released: bool  # whether the person may annotate without qualification

    @property
    def share(self) -> float | None:
        """Share of correct labels so far, in [0, 1]."""
        return self.right / self.facts if self.facts else None

    @property
    def stopped(self) -> bool:
        """Whether the annotator failed to qualify."""
        if self.open or self.released or self.share is None:
            return False
        return self.share < self.minimum

    @property
    def first(self) -> bool:
        """Whether the annotator must first finish paragraphs with known answers."""
        return self.open > 0 and not self.released


def qualification(study: Study, person: Person) -> Qualification:
    """A person's result on the paragraphs with known answers."""
    with study.read() as db:
        rows = db.execute(
            "SELECT i.id, EXISTS (SELECT 1 FROM answer a WHERE a.item_id = i.id AND "
            "a.annotator_id = s.annotator_id AND a.question = 'status' "
            "AND a.value IN ('\"done\"', '\"skipped\"')) "
            "FROM assignment s JOIN item i ON i.id = s.item_id "
            "WHERE i.kind = 'qualify' AND s.annotator_id = ?",
            (person.id,),
        ).fetchall()
        right = facts = 0
        for number, is_done in rows:
            if not is_done:
                continue
            item = load_item(db, number)
            state = load_state(db, item, person.id)
            known = (item.known or {}).get("facts", ())
            facts += len(known)
            right += sum(state.label(i) == fact["label"] for i, fact in enumerate(known))
    return Qualification(
        n=len(rows),
        open=sum(not is_done for _, is_done in rows),
        right=right,
        facts=facts,
        minimum=float(study.settings["qualify_min"]),
        released=person.released,
    )


def release(study: Study, name: str) -> None:
    """Lets an annotator continue without qualification."""
    person = study.person(name)
    if person.role != "annotator":
        raise InputError(f"{study.path}: {name!r} is not an annotator")
    with study.write() as db:
        db.execute("UPDATE annotator SET released = 1 WHERE id = ?", (person.id,))
