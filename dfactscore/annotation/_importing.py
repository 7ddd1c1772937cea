"""Imports answers into a study from exported lines or Label Studio."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.message_text import near_miss
from dfactscore.annotation._answer_files import Collected, answer_of_row, read_export, read_rows
from dfactscore.annotation._answer_storage import assign, put
from dfactscore.annotation._answers import FactAnswer, HumanLabel, ItemAnswer
from dfactscore.annotation._assigned_paragraphs import StudyParagraph, load_item, load_state
from dfactscore.annotation._study import Study, StudyMember

_LAST = 1_000_000  # position of imported paragraphs that were not assigned to the person


@dataclass
class Imported:
    """Summary of an import."""

    answers: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    missing: list[str] = field(default_factory=list)


def import_answers(study: Study, path: str | Path, annotator: str | None = None) -> Imported:
    """Imports answers into a study."""
    # `path`: exported JSON lines, or a Label Studio export (`.json`).
    # `annotator`: the person to credit with the answers; required for Label Studio. If the file has
    # answers from several people, only this person's are imported. If None, answers go to the
    # person named in the file.
    path = Path(path)
    if path.name.removesuffix(".gz").endswith(".json"):
        if annotator is None:
            raise InputError(f"{path}: an export of Label Studio needs --annotator NAME")
        return _import_label_studio(study, path, study.person(annotator))
    rows = read_rows(path)
    if annotator is not None:
        names = sorted({row["annotator"] for _, row in rows})
        if annotator in names:
            rows = [(line, row) for line, row in rows if row["annotator"] == annotator]
        elif len(names) > 1:
            raise InputError(f"{path}: has answers of {', '.join(names)}, none of {annotator!r}")
    people = {person.name: person for person in study.people()}
    imported = Imported()
    with study.write() as db:
        for line, row in rows:
            name = annotator or row["annotator"]
            if name not in people:
                near = near_miss(name, people)
                raise InputError(
                    f"{line}: no annotator {name!r}{near} in {study.path}; "
                    f"dfactscore annotate add {study.path} {name}"
                )
            _import_row(db, line, row, people[name], imported)
    return imported


def _import_row(
    db: sqlite3.Connection,
    line: str,
    row: Mapping[str, Any],
    person: StudyMember,
    imported: Imported,
) -> None:
    item = _find(db, line, row)
    if [fact["text"] for fact in row["facts"]] != list(item.facts):
        raise InputError(f"{line}: item {row['item']!r}: its facts are not those of the study")
    if load_state(db, item, person.id).answers:
        imported.unchanged += 1
        return
    answer = answer_of_row(row)
    _check(line, item, answer)
    extra = {"status": row["status"], "step": row.get("step", "D"), "seconds": row["seconds"]}
    if row.get("reason"):
        extra["reason"] = str(row["reason"])
    if row.get("flagged"):
        extra["flag"] = True
    _write(db, item, person, answer, extra)
    imported.answers[person.name] += 1


def _find(db: sqlite3.Connection, line: str, row: Mapping[str, Any]) -> StudyParagraph:
    rows = db.execute("SELECT id, run, record FROM item WHERE kind = 'task'").fetchall()
    by_place = {(run, record): number for number, run, record in rows}
    number = by_place.get((row["run"], row["item"]))
    if number is None:
        same = [n for (_, record), n in by_place.items() if record == row["item"]]
        number = same[0] if len(same) == 1 else None
    if number is None:
        near = near_miss(row["item"], [record for _, record in by_place])
        raise InputError(f"{line}: item {row['item']!r} of run {row['run']!r} is unknown{near}")
    return load_item(db, number)


def _check(line: str, item: StudyParagraph, answer: ItemAnswer) -> None:
    """Checks that the pages exist and that the labels are consistent with them."""
    titles = [page for page in answer.pages if page is not None]
    titles += [fact.found_in for fact in answer.facts if fact.found_in is not None]
    for title in titles:
        if title not in item.by_title:
            near = near_miss(title, item.by_title)
            raise InputError(f"{line}: {title!r} is not a page of item {item.record!r}{near}")
    for f, fact in enumerate(answer.facts):
        linked = answer.link(f)
        fits = {
            "supported": linked is not None and fact.found_in == linked,
            "not_supported": fact.found_in is None or fact.found_in != linked,
            "irrelevant": fact.found_in is None,
            None: fact.found_in is None,
        }[fact.label]
        if not fits:
            raise InputError(
                f"{line}: facts[{f}]: {fact.label or 'without a label'}, found in "
                f"{fact.found_in!r}, and its biography is linked to {linked!r}: supported means "
                "found in that page, not supported means another one or none"
            )


def _write(
    db: sqlite3.Connection,
    item: StudyParagraph,
    person: StudyMember,
    answer: ItemAnswer,
    extra: Mapping[str, Any],
) -> None:
    """Writes an answer in the same way as the annotation pages do."""
    state = load_state(db, item, person.id)
    counter = state.counter + 1
    reached = extra["step"]

    def note(part: str, question: str, value: Any) -> None:
        put(db, person.id, item.id, part, question, value, counter=counter)

    assign(db, person.id, item.id, _LAST)
    for number, title in enumerate(answer.pages, 1):
        if title is not None or reached in "CD":
            note(f"biography/{number}", "page", item.by_title[title].id if title else None)
    for f, fact in enumerate(answer.facts):
        part = f"fact/{f}"
        note(part, "biography", fact.biography)
        if fact.label is not None:
            note(part, "label", fact.label)
        if fact.label == "not_supported":
            page = item.by_title.get(fact.found_in or "")
            note(part, "found_in", page.id if page else None)
        if fact.evidence:
            place = _place(item, fact)
            if place:
                note(part, "evidence", place)
        for question, value in (
            ("comment", fact.comment),
            ("unsure", fact.unsure),
            ("not_in_paragraph", fact.not_in_paragraph),
        ):
            if value:
                note(part, question, value)
    if answer.revised_after_pages:
        note("item", "revised_after_pages", True)
    for question, value in extra.items():
        note("item", question, value)


def _place(item: StudyParagraph, fact: FactAnswer) -> dict[str, int] | None:
    evidence = fact.evidence or {}
    title = evidence.get("page")
    page = item.by_title.get(title) if isinstance(title, str) else None
    start, end = evidence.get("start"), evidence.get("end")
    if page is None or not isinstance(start, int) or not isinstance(end, int):
        return None
    return {"page": page.id, "start": start, "end": end} if 0 <= start < end else None


def _import_label_studio(study: Study, path: Path, person: StudyMember) -> Imported:
    by_item = read_export(path, person.name)
    imported = Imported()
    with study.write() as db:
        rows = db.execute("SELECT public, id FROM item WHERE kind = 'task'").fetchall()
        numbers: dict[str, int] = {row[0]: row[1] for row in rows}
        for public, collected in by_item.items():
            if public not in numbers:
                raise InputError(f"{path}: item {public!r} is not in {study.path}")
            item = load_item(db, numbers[public])
            if load_state(db, item, person.id).answers:
                imported.unchanged += 1
                continue
            _take(db, str(path), item, person, collected, imported)
        lacking = set(numbers) - set(by_item)
    if lacking:
        imported.missing.append(f"{len(lacking)} paragraphs have no answer")
    return imported


def _take(
    db: sqlite3.Connection,
    where: str,
    item: StudyParagraph,
    person: StudyMember,
    collected: Collected,
    imported: Imported,
) -> None:
    """Imports answers from Label Studio; missing ones must be given on the annotation pages."""
    for f, text in collected.texts.items():
        if not 0 <= f < len(item.facts) or item.facts[f] != text:
            raise InputError(f"{where}: fact {f} of item {item.public!r} is not that of the study")
    title, n_bio = collected.link, collected.n_bio or 1
    labels: list[HumanLabel | None] = [collected.verdicts.get(f) for f in range(len(item.facts))]  # type: ignore[misc]
    open_facts = [str(f + 1) for f, label in enumerate(labels) if label is None]
    nameless = title is None and "supported" in labels
    lacks = {
        f"which facts belong to each of {n_bio} biographies": n_bio > 1,
        "the page of the biography": title is None,
        f"verdicts on facts {', '.join(open_facts)}": bool(open_facts),
        "verdicts that name no page": nameless,
    }
    missing = [part for part, lacking in lacks.items() if lacking]
    if nameless:
        labels = [None if label == "supported" else label for label in labels]
    pages = (_found_in(label, title, collected.found.get(f)) for f, label in enumerate(labels))
    facts = (FactAnswer(1, label, page) for label, page in zip(labels, pages, strict=True))
    answer = ItemAnswer(tuple(facts), (title,))
    _check(where, item, answer)
    step = "A" if n_bio > 1 else "B" if title is None else "C" if open_facts else "D"
    status = "done" if not missing else "open"
    extra = {"status": status, "step": step, "seconds": round(collected.seconds)}
    _write(db, item, person, answer, extra)
    imported.answers[person.name] += 1
    imported.missing += [f"{item.name} ({item.public}): {part}" for part in missing]


def _found_in(label: HumanLabel | None, linked: str | None, other_page: str | None) -> str | None:
    """The page that supports a fact: the linked page, another page or, if neither does, None."""
    if label == "supported":
        return linked
    return other_page if label == "not_supported" and other_page != linked else None
