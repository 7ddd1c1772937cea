"""Files of answers: JSON Lines of dfactscore and FActScore, and tasks of Label Studio."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from dfactscore._errors import InputError
from dfactscore._util.files import check_output, make_folder, write_text
from dfactscore._util.jsonl import read_json, read_jsonl, write_json, write_jsonl
from dfactscore._util.message_text import short_repr
from dfactscore._util.numbers import counted
from dfactscore._util.validated import Count, Form, Text, misfit
from dfactscore._version import __version__
from dfactscore.annotation._adjudication import Answered, PersonAnswer, answered_items
from dfactscore.annotation._answers import LABELS, FactAnswer, HumanLabel, ItemAnswer, Step, stored
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


ExportFormat = Literal["jsonl", "factscore", "label-studio"]


def export_answers(
    study: Study,
    out: str | Path,  # file to write, or the folder for `"label-studio"`
    *,
    # `"jsonl"` for one line per person and paragraph, `"factscore"` for one line per gold answer in
    # FActScore's annotation format, or `"label-studio"` for tasks and labeling configurations.
    form: ExportFormat = "jsonl",
    with_events: bool = False,  # also write every change and when it was made (`"jsonl"` only)
    overwrite: bool = False,
) -> tuple[list[Path], str]:
    """Exports all answers."""
    out = Path(out)
    if with_events and form != "jsonl":
        raise InputError(f"--with-events goes with --format jsonl, not with {form}")
    files = [out]
    if form == "label-studio":
        make_folder(out)
        files = [out / name for name in STUDIO_FILES]
    for file in files:
        check_output(file, "study_answers", inputs=[study.path], force=overwrite)
    if form == "label-studio":
        files = write_label_studio(study, out)
        return files, counted(len(answered_items(study)), "paragraph")
    if form == "jsonl":
        n = write_jsonl(out, own_rows(study, with_events=with_events))
        return [out], counted(n, "answer")
    rows = list(factscore_rows(study))
    if not rows:
        raise InputError(f"{study.path}: no paragraph has a gold answer yet")
    write_jsonl(out, rows)
    undecided = sum((a.gold or ("",))[0] == "undecided" for a in answered_items(study))
    suffix = f"; {undecided} undecided doubles are left out: adjudicate them" if undecided else ""
    return [out], f"{counted(len(rows), 'paragraph')}{suffix}"
