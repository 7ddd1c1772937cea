from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from dfactscore._errors import InputError
from dfactscore.annotation._adjudication import answered_items
from dfactscore.annotation._answer_files import export_answers, read_export
from dfactscore.annotation._importing import import_answers


@pytest.fixture
def answered(make_study, worked_records, worked, browse):
    """A study with the worked example, one paragraph skipped and one begun."""
    study = make_study(worked_records(), annotators=["ann", "ben"], double=1.0)
    ann, ben = browse(study, "ann"), browse(study, "ben")
    with study.read() as db:
        rows = db.execute("SELECT record, public FROM item").fetchall()
    records = {record: public for record, public in rows}  # noqa: C416
    for record, public in records.items():
        ann.annotate(public, worked[record][0])
    ann.post(f"/item/{records['b1']}", ("fact.0.comment", "a “comment”\nof two lines 😀"))
    ann.post(f"/item/{records['b1']}", ("fact.1.unsure", "yes"), ("flag", "yes"))
    ben.annotate(records["b1"], worked["b1"][1])
    ben.post(f"/item/{records['b2']}", ("skip", "not in English"))
    ben.post(f"/item/{records['b3']}", ("fact.9.biography", "2"))
    ben.post(f"/item/{records['b3']}", ("confirm", "A"))
    ben.post(f"/item/{records['b3']}", ("biography.1.page", "1"))
    return study


def test_export_import_export_gives_the_same_bytes(answered, make_study, worked_records, tmp_path):
    first, second, third = (tmp_path / f"{i}.jsonl" for i in range(3))
    export_answers(answered, first)
    export_answers(answered, second)
    assert first.read_bytes() == second.read_bytes()
    (tmp_path / "other").mkdir()
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._study import Study

    init_study([tmp_path / "run of study.db"], tmp_path / "empty.db",
               annotators=["ben", "ann", "cat"], double=0.1, seed=7)  # fmt: skip
    with Study(tmp_path / "empty.db") as empty:
        done = import_answers(empty, first, "ann")
        assert done.answers == {"ann": 3}
        import_answers(empty, first, "ben")
        export_answers(empty, third)
        assert third.read_bytes() == first.read_bytes()
        again = import_answers(empty, first)
        assert (again.unchanged, sum(again.answers.values())) == (6, 0)


@pytest.mark.parametrize("form", ["jsonl", "factscore", "label-studio"])
def test_an_export_replaces_exports_only(answered, tmp_path, form):
    out = tmp_path / "out"
    files, _ = export_answers(answered, out, form=form)
    first = [file.read_bytes() for file in files]
    assert all(first)
    export_answers(answered, out, form=form)
    for file, written in zip(files, first, strict=True):
        file.write_text("my own notes\n")
        with pytest.raises(InputError, match="not written by this command"):
            export_answers(answered, out, form=form)
        assert file.read_text() == "my own notes\n"
        export_answers(answered, out, form=form, overwrite=True)
        assert file.read_bytes() == written


def test_the_keys_of_a_line(answered, tmp_path):
    export_answers(answered, tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [(r["item"], r["annotator"], r["status"]) for r in rows] == [
        ("b1", "ann", "done"), ("b1", "ben", "done"), ("b2", "ann", "done"),
        ("b2", "ben", "skipped"), ("b3", "ann", "done"), ("b3", "ben", "open"),
    ]  # fmt: skip
    assert list(rows[2]) == [
        "study", "item", "run", "model", "name", "annotator", "role", "n_bio", "biographies",
        "facts", "revised_after_pages", "seconds", "status",
    ]  # fmt: skip
    assert rows[2]["n_bio"] == 2
    assert rows[2]["biographies"] == [
        {"facts": [0, 1, 2], "page": "P"}, {"facts": [3, 4, 5], "page": "Q"},
    ]  # fmt: skip
    assert list(rows[2]["facts"][0]) == ["text", "biography", "label", "found_in"]
    assert rows[2]["facts"][2]["found_in"] == "Q"
    assert rows[0]["facts"][0]["comment"] == "a “comment”\nof two lines 😀"
    export_answers(answered, tmp_path / "e.jsonl", with_events=True)
    events = json.loads((tmp_path / "e.jsonl").read_text().splitlines()[0])["events"]
    assert {"time", "part", "question", "value"} == set(events[0])


def test_factscore_form_is_rescored(answered, tmp_path):
    from dfactscore._readers import read_biographies
    from dfactscore._readers.released_labels import human_factscore, read_annotations

    _, said = export_answers(answered, tmp_path / "f.jsonl", form="factscore")
    assert "1 undecided doubles are left out" in said
    rows = read_annotations(tmp_path / "f.jsonl")
    assert len(rows) == 2
    assert human_factscore(rows) == pytest.approx((4 / 6 + 1) / 2)
    assert human_factscore(rows, irrelevant_sentences=True) == human_factscore(rows)
    labels = [f["label"] for s in rows[0]["annotations"] for f in s["human-atomic-facts"]]
    assert labels == ["S", "NS", "S", "NS", "S", "S"]
    assert len(read_biographies(tmp_path / "f.jsonl").biographies) == 2


class Value(BaseModel):
    model_config = ConfigDict(extra="forbid")
    value: str


class Choices(BaseModel):
    model_config = ConfigDict(extra="forbid")
    choices: list[Literal["supported", "not_supported", "irrelevant"]]


class Result(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    from_name: Literal["verdict"]
    to_name: Literal["fact"]
    type: Literal["choices"]
    value: Choices


class Prediction(BaseModel):
    model_config = ConfigDict(extra="forbid", protected_namespaces=())
    model_version: str
    score: float = Field(ge=0, le=1)
    result: list[Result]


class FactData(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    item: str
    fact_index: int
    name: str
    paragraph: str
    fact: str
    linked: str
    pages: list[Value]


class FactTask(BaseModel):
    model_config = ConfigDict(extra="forbid")
    data: FactData
    predictions: list[Prediction] = []


def label_studio(study, tmp_path, name):
    files, _ = export_answers(study, tmp_path / name, form="label-studio")
    return {file.name: file for file in files}


def test_label_studio_tasks(answered, make_study, worked_records, tmp_path):
    from xml.etree import ElementTree

    files = label_studio(answered, tmp_path, "blind")
    tasks = [FactTask.model_validate(t) for t in json.loads(files["facts.json"].read_text())]
    assert len(tasks) == 24
    assert not any(t.predictions for t in tasks)
    assert {t.data.linked for t in tasks} == {"", "P", "Q"}
    open_study = make_study(worked_records(), name="open.db", show_automatic=True)
    files = label_studio(open_study, tmp_path, "open")
    tasks = [FactTask.model_validate(t) for t in json.loads(files["facts.json"].read_text())]
    assert all(t.predictions[0].result[0].value.choices == ["supported"] for t in tasks)
    facts = ElementTree.parse(files["facts.xml"]).getroot()
    by_name = {e.get("name"): e for e in facts.iter() if e.get("name")}
    assert by_name["paragraph"].attrib == {"name": "paragraph", "value": "$paragraph"}
    assert by_name["fact"].attrib == {"name": "fact", "value": "$fact"}
    assert by_name["verdict"].attrib == {
        "name": "verdict", "toName": "fact", "choice": "single", "required": "true",
    }  # fmt: skip
    assert [c.get("value") for c in by_name["verdict"]] == [
        "supported", "not_supported", "irrelevant",
    ]  # fmt: skip
    assert by_name["found_in"].attrib == {
        "name": "found_in", "toName": "fact", "choice": "single", "value": "$pages",
    }  # fmt: skip
    paragraphs = json.loads(files["paragraphs.json"].read_text())
    assert len(paragraphs) == 3
    data = {key for task in paragraphs for key in task["data"]}
    tree = ElementTree.parse(files["paragraphs.xml"]).getroot()
    used = {e.get("value")[1:] for e in tree.iter() if (e.get("value") or "").startswith("$")}
    assert used <= data


def choice(name, value):
    return {"from_name": name, "to_name": "fact", "type": "choices", "value": {"choices": [value]}}


def test_label_studio_exports_are_read(make_study, worked_records, worked, tmp_path):
    """An export of a person who answers the first sides of the worked example."""
    study = make_study(worked_records(), annotators=["ann"])
    files = label_studio(study, tmp_path, "out")
    facts = json.loads(files["facts.json"].read_text())
    items = {a.item.public: a.item for a in answered_items(study)}
    for task in facts:
        answer = worked[items[task["data"]["item"]].record][0]
        fact = answer.facts[task["data"]["fact_index"]]
        result: list[Any] = [choice("verdict", fact.label)]
        if fact.label == "not_supported" and fact.found_in:
            result.append(choice("found_in", fact.found_in))
        task["annotations"] = [
            {"completed_by": 4, "was_cancelled": True, "result": [choice("verdict", "irrelevant")]},
            {"completed_by": {"id": 3, "email": "ann@example.org"}, "was_cancelled": False,
             "lead_time": 2.5, "result": result},
        ]  # fmt: skip
    last = [t for t in facts if items[t["data"]["item"]].record == "b3"][-1]
    last["annotations"].pop()
    paragraphs = json.loads(files["paragraphs.json"].read_text())
    for task in paragraphs:
        answer = worked[items[task["data"]["item"]].record][0]
        task["annotations"] = [
            {"completed_by": 3, "was_cancelled": False, "result": [
                {"from_name": "n_bio", "to_name": "paragraph", "type": "number",
                 "value": {"number": len(answer.groups)}},
                choice("link", "P"),
            ]},
        ]  # fmt: skip
    for task in paragraphs:
        task["annotations"][0]["completed_by"] = {"email": "ann@example.org"}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([*facts, *paragraphs]))
    done = import_answers(study, path, "ann")
    assert sum(done.answers.values()) == 3
    assert len(done.missing) == 2
    assert "which facts belong to each of 2 biographies" in " ".join(done.missing)
    assert "verdicts on facts 10" in " ".join(done.missing)
    b1 = next(a for a in answered_items(study) if a.item.record == "b1")
    assert b1.answers[0].answer.facts == worked["b1"][0].facts
    assert b1.answers[0].status == "done"
    assert b1.answers[0].seconds == 20


@pytest.mark.parametrize(
    "annotation",
    [
        {"lead_time": "x"},
        {"lead_time": -1},
        {"result": [3]},
        {"result": [{"from_name": "verdict", "value": 3}]},
        {"result": [{"from_name": "verdict", "value": {"choices": [["supported"]]}}]},
        {"result": [{"from_name": "n_bio", "value": {"number": "many"}}]},
    ],
)
def test_what_is_no_answer_in_an_export_is_refused(make_study, tmp_path, annotation):
    study = make_study(annotators=["ann"])
    tasks = json.loads(label_studio(study, tmp_path, "out")["facts.json"].read_text())
    tasks[1]["annotations"] = [{"completed_by": 3, **annotation}]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    with pytest.raises(InputError, match=r"export\.json: task 2: annotations: "):
        import_answers(study, path, "ann")


def test_exports_of_several_people(make_study, tmp_path):
    study = make_study(annotators=["ann"])
    files = label_studio(study, tmp_path, "out")
    tasks = json.loads(files["facts.json"].read_text())
    for i, task in enumerate(tasks):
        task["annotations"] = [{"completed_by": i % 2, "result": [choice("verdict", "irrelevant")]}]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    with pytest.raises(InputError, match="2 people"):
        import_answers(study, path, "ann")
    assert read_export(path, "1")
    with pytest.raises(InputError, match="needs --annotator"):
        import_answers(study, path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"item": "b1x"}, "did you mean b1"),
        ({"annotator": "anna"}, "did you mean ann"),
        ({"status": "ready"}, "'done', 'open' or 'skipped', found str 'ready'"),
        ({"seconds": -1}, "seconds: input should be greater than or equal to 0, found int -1"),
        ({"facts": []}, "facts: list should have at least 1 item"),
        ({"facts": [{"text": "x", "biography": 1}]}, r"facts\[0\].label: is missing"),
        ({"biographies": []}, r"facts\[0\].biography: expected 1 to 0"),
        ({"biographies": [{"facts": [0], "page": "Z"}]}, "is not a page"),
        ({"biographies": [{"facts": [0], "page": None}]}, "supported means found in that page"),
    ],
)
def test_lines_that_cannot_be_used(answered, make_study, worked_records, tmp_path, change, said):
    export_answers(answered, tmp_path / "a.jsonl")
    row = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    path = tmp_path / "b.jsonl"
    path.write_text(json.dumps({**row, **change}) + "\n")
    empty = make_study(worked_records(), name="study.db2", annotators=["ann", "ben"])
    with pytest.raises(InputError, match=said):
        import_answers(empty, path)
    assert not any(a.answers for a in answered_items(empty))
