"""Progress of a study."""

from __future__ import annotations

import statistics
from typing import Any

from dfactscore.annotation._assigned_paragraphs import list_tasks
from dfactscore.annotation._gold import answered_items
from dfactscore.annotation._qualification import qualification
from dfactscore.annotation._report import agreement_of
from dfactscore.annotation._study import Person, Study


def study_status(study: Study) -> dict[str, Any]:
    """Each person's finished and open work, minutes per paragraph, and current agreement."""
    items = answered_items(study)
    seconds: dict[str, list[int]] = {}
    for answered in items:
        for answer in answered.done:
            seconds.setdefault(answer.annotator, []).append(answer.seconds)
    people = []
    for person in study.people():
        if person.role != "annotator":
            continue
        people.append(_of_person(study, person, seconds.get(person.name)))
    agreement = agreement_of(items, resamples=0)
    # `{study, blind, people: [{name, done, open, skipped, minutes, revoked, qualified}], doubles,
    # agreement}`; `open` counts unfinished and untouched paragraphs, and `minutes` is the median
    # over finished paragraphs.
    return {
        "study": study.key,
        "blind": bool(study.settings["blind"]),
        "people": people,
        "doubles": agreement["doubles"],
        "agreement": {
            question: {
                "n": agreement[question]["percent"]["n"],
                "percent": agreement[question]["percent"]["value"],
                "alpha": agreement[question]["alpha"]["value"],
            }
            for question in ("n_bio", "label", "found_in", "link")
        },
    }


def _of_person(study: Study, person: Person, seconds: list[int] | None) -> dict[str, Any]:
    tasks = [task for task in list_tasks(study, person) if task.kind == "task"]
    result = qualification(study, person)
    return {
        "name": person.name,
        "done": sum(task.status == "done" for task in tasks),
        "open": sum(task.status in ("new", "open") for task in tasks),
        "skipped": sum(task.status == "skipped" for task in tasks),
        "flagged": sum(task.flagged for task in tasks),
        "minutes": statistics.median(seconds) / 60 if seconds else None,
        "revoked": person.revoked,
        "qualified": None
        if not result.n
        else "open"
        if result.open
        else "no"
        if result.stopped
        else "yes",
    }
