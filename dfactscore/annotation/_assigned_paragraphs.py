"""Paragraphs of a study, a person's answers and list of paragraphs, and qualification."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast, get_args

from dfactscore._errors import InputError
from dfactscore.annotation._answers import (
    FactAnswer,
    HumanLabel,
    ItemAnswer,
    Step,
    number_biographies,
    stored_answer,
    stored_texts,
)
from dfactscore.annotation._study import Study, StudyMember

STEPS: tuple[Step, ...] = get_args(Step)
MOST_BIOGRAPHIES = 30
_TEXTS = ("id", "public", "kind", "run", "record", "model", "stratum", "name", "text")


class ItemPage(NamedTuple):
    """A candidate page."""

    id: int
    title: str
    text: str


@dataclass(frozen=True)
class StudyParagraph:
    """A paragraph of a study."""

    id: int
    public: str
    kind: str  # `"task"` or `"qualify"`
    run: str
    record: str
    model: str
    stratum: str  # group used for sampling and in tables: the model, the run, or both
    name: str
    text: str
    sentences: tuple[tuple[int, int], ...]
    facts: tuple[str, ...]
    fact_sentences: tuple[int | None, ...]
    pages: tuple[ItemPage, ...]
    # The run's results, which are never shown in a blind study.
    automatic: Mapping[str, Any] = field(repr=False, default_factory=dict)
    known: Mapping[str, Any] | None = field(repr=False, default=None)

    @cached_property
    def by_id(self) -> Mapping[int, ItemPage]:
        """The candidate pages by row."""
        return {page.id: page for page in self.pages}

    @cached_property
    def by_title(self) -> Mapping[str, ItemPage]:
        """The candidate pages by title."""
        return {page.title: page for page in self.pages}

    def shuffled(self, seed: int, person: str) -> list[ItemPage]:
        """The candidate pages in the order in which a person sees them."""
        pages = list(self.pages)
        random.Random(f"pages:{seed}:{person}:{self.public}").shuffle(pages)
        return pages


@dataclass
class State:
    """A person's current answers about a paragraph."""

    item: StudyParagraph
    answers: dict[tuple[str, str], Any]
    counter: int = 0
    pages_shown: bool = False

    @property
    def step(self) -> Step:
        """The current step."""
        return cast("Step", self.answers.get(("item", "step"), "A"))

    @property
    def status(self) -> str:
        """``"open"``, ``"done"`` or ``"skipped"``."""
        return str(self.answers.get(("item", "status"), "open"))

    @property
    def revised(self) -> bool:
        """Whether the person reopened step A after seeing the pages."""
        return bool(self.answers.get(("item", "revised_after_pages"), False))

    @property
    def flagged(self) -> bool:
        """Whether the paragraph is flagged for discussion."""
        return bool(self.answers.get(("item", "flag"), False))

    @property
    def reason(self) -> str:
        """The reason for skipping the paragraph, or empty."""
        return str(self.answers.get(("item", "reason"), ""))

    def biography(self, fact: int) -> int:
        """The number that the person chose for a fact's biography."""
        return int(self.answers.get((f"fact/{fact}", "biography"), 1))

    @property
    def used(self) -> list[int]:
        """The numbers of the biographies that have facts, in ascending order."""
        return sorted({self.biography(fact) for fact in range(len(self.item.facts))})

    @property
    def answer_order(self) -> tuple[int, ...]:
        """The numbers of the biographies that have facts, in the order of their first facts."""
        return number_biographies([self.biography(f) for f in range(len(self.item.facts))])[1]

    def linked(self, biography: int) -> bool:
        """Whether the person has chosen a page, or no page, for a biography."""
        return bool(self.answers.get((f"biography/{biography}", "page"), "open") != "open")

    def page(self, biography: int) -> ItemPage | None:
        """A biography's page; None for no page or no answer."""
        return self.item.by_id.get(self.answers.get((f"biography/{biography}", "page"), 0))

    def label(self, fact: int) -> HumanLabel | None:
        """The label of a fact, or None."""
        return cast("HumanLabel | None", self.answers.get((f"fact/{fact}", "label")))

    def found(self, fact: int) -> ItemPage | None:
        """The page that supports a fact: its biography's page, or the one chosen in step D."""
        label = self.label(fact)
        if label == "supported":
            return self.page(self.biography(fact))
        if label != "not_supported":
            return None
        return self.item.by_id.get(self.answers.get((f"fact/{fact}", "found_in"), 0))

    def asked(self, fact: int) -> bool:
        """Whether step D asks about a fact."""
        return self.label(fact) == "not_supported"

    def looked(self, fact: int) -> bool:
        """Whether the person has answered step D for a fact."""
        return bool(self.answers.get((f"fact/{fact}", "found_in"), "open") != "open")

    def note(self, fact: int, question: str) -> Any:
        """The optional answer on a fact's evidence, comment, unsure or not_in_paragraph."""
        return self.answers.get((f"fact/{fact}", question))

    def missing(self, step: Step) -> list[str]:
        """The parts of a step that still lack an answer."""
        if step == "B":
            return [f"biography/{b}" for b in self.used if not self.linked(b)]
        facts = range(len(self.item.facts))
        if step == "C":
            return [f"fact/{f}" for f in facts if self.label(f) is None]
        if step == "D":
            return [f"fact/{f}" for f in facts if self.asked(f) and not self.looked(f)]
        return []

    def answer(self) -> ItemAnswer:
        """The answers to score, with biographies in the order of their first facts."""
        numbers, order = number_biographies(
            [self.biography(f) for f in range(len(self.item.facts))]
        )
        linked = [self.page(b) for b in order]
        return ItemAnswer(
            facts=tuple(
                FactAnswer(
                    biography=number,
                    label=self.label(f),
                    found_in=page.title if (page := self.found(f)) else None,
                    evidence=self._evidence(f),
                    comment=self.note(f, "comment") or "",
                    unsure=bool(self.note(f, "unsure")),
                    not_in_paragraph=bool(self.note(f, "not_in_paragraph")),
                )
                for f, number in enumerate(numbers)
            ),
            pages=tuple(page.title if page else None for page in linked),
            revised_after_pages=self.revised,
        )

    def _evidence(self, fact: int) -> dict[str, Any] | None:
        place = self.note(fact, "evidence")
        page = self.item.by_id.get(place["page"]) if place else None
        if page is None:
            return None
        start, end = place["start"], place["end"]
        return {"page": page.title, "start": start, "end": end, "text": page.text[start:end]}


def load_item(db: sqlite3.Connection, number: int) -> StudyParagraph:
    """Loads a paragraph."""
    *texts, sentences, automatic, known = db.execute(
        f"SELECT {', '.join(_TEXTS)}, sentences, automatic, known FROM item WHERE id = ?",
        (number,),
    ).fetchone()
    facts = db.execute(
        "SELECT text, sentence FROM fact WHERE item_id = ? ORDER BY position", (number,)
    ).fetchall()
    pages = db.execute(
        "SELECT p.id, p.title, p.text FROM candidate c JOIN page p ON p.id = c.page_id "
        "WHERE c.item_id = ? ORDER BY c.rank",
        (number,),
    ).fetchall()
    return StudyParagraph(
        **dict(zip(_TEXTS, texts, strict=True)),
        facts=tuple(f[0] for f in facts),
        fact_sentences=tuple(f[1] for f in facts),
        pages=tuple(ItemPage(*p) for p in pages),
        **stored_texts(sentences, automatic, known),
    )


def load_state(db: sqlite3.Connection, item: StudyParagraph, person: int) -> State:
    """Loads one person's answers about a paragraph."""
    rows = db.execute(
        "SELECT part, question, value, counter FROM answer WHERE item_id = ? AND annotator_id = ?",
        (item.id, person),
    ).fetchall()
    was_shown = db.execute(
        "SELECT EXISTS (SELECT 1 FROM event WHERE item_id = ? AND annotator_id = ? "
        "AND question = 'seen' AND value != '\"A\"')",
        (item.id, person),
    ).fetchone()
    return State(
        item,
        {(r[0], r[1]): stored_answer(r[1], r[2]) for r in rows},
        max((r[3] for r in rows), default=0),
        bool(was_shown[0]),
    )


class Task(NamedTuple):
    """A line in a person's list of paragraphs."""

    item: int
    public: str
    name: str
    kind: str  # `"task"` or `"qualify"`
    status: str  # `"new"`, `"open"`, `"done"` or `"skipped"`
    flagged: bool
    touched: float  # time of the last answer; 0 if there are none


def list_tasks(study: Study, person: StudyMember) -> list[Task]:
    """A person's paragraphs, in order."""
    with study.read() as db:
        rows = db.execute(
            "SELECT i.id, i.public, i.name, i.kind, "
            "MAX(CASE WHEN a.part = 'item' AND a.question = 'status' THEN a.value END), "
            "MAX(CASE WHEN a.part = 'item' AND a.question = 'flag' THEN a.value END), "
            "MAX(a.saved) FROM assignment s JOIN item i ON i.id = s.item_id "
            "LEFT JOIN answer a ON a.item_id = i.id AND a.annotator_id = s.annotator_id "
            "WHERE s.annotator_id = ? GROUP BY s.id ORDER BY s.position, i.id",
            (person.id,),
        ).fetchall()
        return [
            Task(
                r[0],
                r[1],
                r[2],
                r[3],
                stored_answer("status", r[4]) if r[4] else "open" if r[6] else "new",
                r[5] == "true",
                r[6] or 0.0,
            )
            for r in rows
        ]


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


def qualification(study: Study, person: StudyMember) -> Qualification:
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
