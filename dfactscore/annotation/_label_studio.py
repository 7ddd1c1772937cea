"""Exports tasks and labeling configurations for Label Studio, and reads Label Studio exports.

Label Studio cannot show questions one after another, so it does not enforce the order of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from dfactscore._errors import InputError
from dfactscore._util.files import make_folder, write_text
from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.printable import short_repr
from dfactscore._util.validated import Form, Text, misfit
from dfactscore._version import __version__
from dfactscore.annotation._answers import LABELS
from dfactscore.annotation._gold import Answered, answered_items
from dfactscore.annotation._study import Study

STUDIO_FILES = ("facts.json", "facts.xml", "paragraphs.json", "paragraphs.xml")


def write_label_studio(study: Study, folder: Path) -> list[Path]:
    """Writes ``facts.json`` and ``paragraphs.json``, each with a labeling configuration."""
    make_folder(folder)
    items = answered_items(study)
    blind = bool(study.settings["blind"])
    write_json(
        folder / "facts.json", [t for answered in items for t in fact_tasks(answered, blind=blind)]
    )
    write_json(folder / "paragraphs.json", [paragraph_task(answered) for answered in items])
    home = resources.files("dfactscore.annotation")
    for name in STUDIO_FILES[1::2]:
        write_text(folder / name, home.joinpath(name).read_text(encoding="utf-8"))
    return [folder / name for name in STUDIO_FILES]


def fact_tasks(answered: Answered, *, blind: bool) -> Iterator[dict[str, Any]]:
    """One task per fact, with the run's verdict as the prediction unless the study is blind."""
    item = answered.item
    gold = answered.gold
    rows = item.automatic.get("facts", [])
    for index, text in enumerate(item.facts):
        row = rows[index] if index < len(rows) else {}
        linked = gold[1].link(index) if gold and gold[1] else None
        if linked is None and not blind:
            linked = row.get("link")
        task: dict[str, Any] = {
            "data": {
                "item": item.public,
                "fact_index": index,
                "name": item.name,
                "paragraph": item.text,
                "fact": text,
                "linked": linked or "",
                "pages": [{"value": page.title} for page in item.pages],
            }
        }
        if not blind and row.get("verdict") is not None:
            task["predictions"] = [_prediction(f"{item.public}-{index}", row)]
        yield task


def _prediction(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    probability = row["probability"]
    score = probability if row["verdict"] or probability is None else 1 - probability
    return {
        "model_version": f"dfactscore-{__version__}",
        "score": 1.0 if score is None else round(score, 6),
        "result": [
            {
                "id": name,
                "from_name": "verdict",
                "to_name": "fact",
                "type": "choices",
                "value": {"choices": ["supported" if row["verdict"] else "not_supported"]},
            }
        ],
    }


def paragraph_task(answered: Answered) -> dict[str, Any]:
    """The task for a paragraph: the number of biographies, and the page of the first one."""
    item = answered.item
    return {
        "data": {
            "item": item.public,
            "name": item.name,
            "paragraph": item.text,
            "pages": [{"value": page.title} for page in item.pages],
        }
    }


class Collected:
    """The annotations of a paragraph in an export."""

    def __init__(self) -> None:
        self.n_bio: int | None = None
        self.link: str | None = None
        self.verdicts: dict[int, str] = {}
        self.found: dict[int, str] = {}  # titles of the pages that support a fact, by fact index
        self.texts: dict[int, str] = {}
        self.seconds = 0.0  # time spent annotating, in seconds


def read_export(path: Path, annotator: str) -> dict[str, Collected]:
    """Reads a Label Studio export, keyed by paragraph."""
    tasks = read_json(path, error=InputError)
    if not isinstance(tasks, list) or not all(isinstance(t, dict) for t in tasks):
        raise InputError(f"{path}: expected a list of tasks")
    people = sorted({_who(a) for t in tasks for a in _annotations(path, t)})
    if len(people) > 1 and annotator not in people:
        raise InputError(
            f"{path}: {len(people)} people completed tasks ({', '.join(people[:5])}); export the "
            "tasks of one person, or give one of these names as annotator"
        )
    by_item: dict[str, Collected] = {}
    for number, task in enumerate(tasks, 1):
        data = task.get("data")
        if not isinstance(data, dict) or not isinstance(data.get("item"), str):
            if "data" not in task and {"annotation_id", "annotator", "item"} & task.keys():
                raise InputError(
                    f"{path}: is Label Studio's export JSON-MIN, which lacks the tasks; export "
                    "as JSON"
                )
            raise InputError(f"{path}: task {number} has no data.item")
        for annotation in _annotations(path, task):
            if len(people) > 1 and _who(annotation) != annotator:
                continue
            collected = by_item.setdefault(data["item"], Collected())
            _collect(f"{path}: task {number}", collected, data, annotation)
    return by_item


def _annotations(path: Path, task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A task's finished annotations, excluding skipped ones (``was_cancelled``)."""
    rows = task.get("annotations", [])
    if not isinstance(rows, list) or not all(isinstance(a, dict) for a in rows):
        raise InputError(f"{path}: annotations: expected a list, found {short_repr(rows)}")
    return [a for a in rows if not a.get("was_cancelled")]


def _who(annotation: Mapping[str, Any]) -> str:
    person = annotation.get("completed_by")
    if isinstance(person, dict):
        person = person.get("email") or person.get("username") or person.get("id")
    return str(person)


class _Value(Form):
    choices: list[Text] = Field(default_factory=list)
    number: Annotated[float, Field(ge=0, le=1e6)] = 0


class _Result(Form):
    from_name: Text | None = None
    value: _Value = Field(default_factory=_Value)


class _Annotation(Form):
    lead_time: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    result: list[_Result] = Field(default_factory=list)


def _collect(
    where: str, into: Collected, data: Mapping[str, Any], annotation: Mapping[str, Any]
) -> None:
    index = data.get("fact_index")
    if problem := misfit(_Annotation, annotation):
        raise InputError(f"{where}: annotations: {problem}")
    read = _Annotation.model_validate(annotation)
    into.seconds += read.lead_time or 0
    for result in read.result:
        name, choice = result.from_name, next(iter(result.value.choices), None)
        if name == "verdict":
            if choice not in LABELS or not isinstance(index, int):
                raise InputError(f"{where}: verdict {short_repr(choice)} is not one of {LABELS}")
            into.verdicts[index] = choice
        elif name == "found_in" and isinstance(index, int) and choice is not None:
            into.found[index] = choice
        elif name == "n_bio":
            into.n_bio = int(result.value.number)
        elif name == "link":
            into.link = choice
    if isinstance(index, int):
        into.texts[index] = str(data.get("fact", ""))
        if into.link is None and data.get("linked"):
            into.link = str(data["linked"])
