"""JSON Lines formats for answers: dfactscore's own and FActScore's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.validated import Count, Form, Text, misfit
from dfactscore.annotation._answers import FactAnswer, HumanLabel, ItemAnswer, Step
from dfactscore.annotation._gold import Answered, PersonAnswer, answered_items
from dfactscore.annotation._json_columns import stored
from dfactscore.annotation._study import Study

_FIELDS = [field.name for field in fields(FactAnswer)]


class _FactOfRow(Form):
    text: Text
    biography: Annotated[int, Field(ge=1)]
    label: HumanLabel | None
    found_in: Text | None
    evidence: dict[Text, Any] | None = None
    comment: Text = ""
    unsure: bool = False
    not_in_paragraph: bool = False


class _Biography(Form):
    page: Text | None


class _Row(Form):
    study: Text
    item: Text
    run: Text
    model: Text
    name: Text
    annotator: Text
    role: Text
    status: Literal["done", "open", "skipped"]
    step: Step = "D"
    n_bio: Count
    seconds: Count
    revised_after_pages: bool
    facts: list[_FactOfRow] = Field(min_length=1)
    biographies: list[_Biography]

    @model_validator(mode="after")
    def _numbered(self) -> _Row:
        count = len(self.biographies)
        for i, fact in enumerate(self.facts):
            if fact.biography > count:
                raise ValueError(f"facts[{i}].biography: expected 1 to {count}")
        return self


def own_rows(study: Study, *, with_events: bool = False) -> Iterator[dict[str, Any]]:
    """One object per answer, finished or not, sorted by run, item and annotator."""
    for answered in answered_items(study):
        for answer in sorted(answered.answers, key=lambda g: g.annotator):
            row = _row(study.key, answered, answer)
            if with_events:
                row["events"] = event_rows(study, answered.item.id, answer.annotator)
            yield row


def _row(study: str, answered: Answered, person_answer: PersonAnswer) -> dict[str, Any]:
    item, answer = answered.item, person_answer.answer
    return {
        "study": study,
        "item": item.record,
        "run": item.run,
        "model": item.model,
        "name": item.name,
        "annotator": person_answer.annotator,
        "role": person_answer.role,
        "n_bio": len(answer.groups),
        "biographies": [
            {"facts": list(group), "page": page}
            for group, page in zip(answer.groups, answer.pages, strict=True)
        ],
        "facts": [
            {
                "text": text,
                **{k: v for k, v in asdict(fact).items() if v or k in ("label", "found_in")},
            }
            for text, fact in zip(item.facts, answer.facts, strict=True)
        ],
        "revised_after_pages": answer.revised_after_pages,
        "seconds": person_answer.seconds,
        "status": person_answer.status,
        **({"step": person_answer.step} if person_answer.status != "done" else {}),
        **({"reason": person_answer.reason} if person_answer.reason else {}),
        **({"flagged": True} if person_answer.flagged else {}),
    }


def event_rows(study: Study, item: int, annotator: str) -> list[dict[str, Any]]:
    """All changes to an answer, in order."""
    with study.read() as db:
        rows = db.execute(
            "SELECT e.time, e.part, e.question, e.value FROM event e "
            "JOIN annotator p ON p.id = e.annotator_id WHERE e.item_id = ? AND p.name = ? "
            "ORDER BY e.id",
            (item, annotator),
        ).fetchall()
        return [
            {"time": round(t, 3), "part": part, "question": question, "value": stored(value)}
            for t, part, question, value in rows
        ]


def factscore_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Gold answers in FActScore's annotation format, where any page may support a fact.

    Paragraphs that have no gold answer are omitted.
    """
    for answered in answered_items(study):
        gold = answered.gold
        if gold is None or gold[1] is None:
            continue
        item = answered.item
        homes: dict[int | None, list[int]] = {}
        for f, sentence in enumerate(item.fact_sentences):
            homes.setdefault(sentence, []).append(f)
        order: list[int | None] = list(range(len(item.sentences)))
        yield {
            "topic": item.name,
            "output": item.text,
            "annotations": [
                _sentence(
                    item.text[slice(*item.sentences[s])] if s is not None else "",
                    [(item.facts[f], gold[1].facts[f]) for f in homes.get(s, ())],
                )
                for s in [*order, *([None] if None in homes else [])]
            ],
        }


def _sentence(text: str, facts: Sequence[tuple[str, FactAnswer]]) -> dict[str, Any]:
    labels = ["IR" if a.label == "irrelevant" else "S" if a.found_in else "NS" for _, a in facts]
    return {
        "text": text,
        "is-relevant": bool(facts),  # irrelevant facts have the label IR
        "model-atomic-facts": [{"text": fact} for fact, _ in facts],
        "human-atomic-facts": [
            {"text": fact, "label": label} for (fact, _), label in zip(facts, labels, strict=True)
        ],
    }


def read_rows(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Reads lines written by `own_rows`, and returns each along with its position in the file."""
    rows = []
    for line, row in read_jsonl(path, error=InputError):
        if problem := misfit(_Row, row):
            raise InputError(f"{line}: {problem}")
        rows.append((line, row))
    if not rows:
        raise InputError(f"{path}: contains no answers")
    return rows


def answer_of_row(row: Mapping[str, Any]) -> ItemAnswer:
    """Returns the answer in a line returned by `read_rows`."""
    return ItemAnswer(
        facts=tuple(
            FactAnswer(**{name: fact[name] for name in _FIELDS if name in fact})
            for fact in row["facts"]
        ),
        pages=tuple(biography["page"] for biography in row["biographies"]),
        revised_after_pages=row["revised_after_pages"] is True,
    )
