from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore.annotation._answer_files import export_answers
from dfactscore.annotation._assigned_paragraphs import list_tasks, qualification, release
from dfactscore.annotation._people import add_annotator, new_link


def test_someone_who_comes_later_takes_over(make_study, make_scored, browse):
    records = [make_scored(id=f"r{i:02}", name=f"Name {i}") for i in range(12)]
    study = make_study(records, annotators=["ann", "ben"], double=0.5)
    ann = browse(study, "ann")
    begun = ann.tasks()[0].public
    ann.post(f"/item/{begun}", ("flag", "yes"))
    before = {t.public for n in ("ann", "ben") for t in list_tasks(study, study.person(n))}
    assert add_annotator(study, "cat") == 17 // 3
    loads = {n: {t.public for t in list_tasks(study, study.person(n))} for n in
             ("ann", "ben", "cat")}  # fmt: skip
    assert sum(map(len, loads.values())) == 18
    assert set.union(*loads.values()) == before
    assert begun in loads["ann"]
    assert max(map(len, loads.values())) - min(map(len, loads.values())) <= 3
    with pytest.raises(InputError, match="already"):
        add_annotator(study, "Cat")


def test_links(make_study, browse):
    study = make_study(annotators=["ann"])
    browser = browse(study, "ann")
    first = new_link(study, "ann")
    second = new_link(study, "ann")
    served = new_link(study, "ann", kind="serve")
    assert browser.get(f"/enter/{first}").status_code == 404
    assert browser.get(f"/enter/{second}").status_code == 200
    again = new_link(study, "ann", kind="serve")  # the server was started once more
    for link in (served, again):
        assert browser.get(f"/enter/{link}").status_code == 200
    cookie = next(iter(browser.http.cookies.values()))
    assert browser.get(f"/enter/{cookie}").status_code == 404  # a session is not a link
    with pytest.raises(InputError, match=r"no annotator 'anne'; did you mean ann\?"):
        new_link(study, "anne")


def test_known_answers_come_first(make_study, worked_records, worked, browse, tmp_path):
    teacher = make_study(worked_records(), annotators=["eve"])
    eve = browse(teacher, "eve")
    task = next(t for t in eve.tasks() if eve.state(t.public).item.record == "b1")
    eve.annotate(task.public, worked["b1"][0])
    export_answers(teacher, tmp_path / "known.jsonl")
    study = make_study(worked_records(), name="study2.db", annotators=["ann", "ben"],
                       qualify=tmp_path / "known.jsonl", qualify_min=0.9)  # fmt: skip
    ann, ben, judge = (browse(study, n) for n in ("ann", "ben", "adjudicator"))
    known = ann.tasks()[0]
    assert known.kind == "qualify"
    assert sum(t.kind == "task" for b in (ann, ben) for t in b.tasks()) == 3  # one is double
    other = ann.tasks()[1].public
    assert ann.get(f"/item/{other}").status_code == 403
    assert other not in ann.get("/").text
    ann.annotate(known.public, worked["b1"][1])  # one of eight facts is wrong
    found = qualification(study, ann.person)
    assert (found.right, found.facts, found.stopped) == (7, 8, True)
    page = ann.get("/").text
    assert "88 %" in page
    assert "90 %" in page
    assert ann.get(f"/item/{other}").status_code == 403
    assert ann.post(f"/item/{other}", ("flag", "yes")).status_code == 403
    assert "7 of 8 facts right" in judge.get("/").text
    assert judge.post("/release", ("name", "ann")).status_code == 400  # no counter there
    own = {"origin": "http://127.0.0.1:8000"}
    judge.http.post("/release", data={"csrf": judge.csrf, "name": "ann"}, headers=own)
    assert ann.get(f"/item/{other}").status_code == 200
    ben.annotate(known.public, worked["b1"][0])
    assert not qualification(study, ben.person).stopped
    assert ben.get(f"/item/{ben.tasks()[1].public}").status_code == 200
    with pytest.raises(InputError, match="is not an annotator"):
        release(study, "adjudicator")
    export_answers(study, tmp_path / "none.jsonl")
    assert (tmp_path / "none.jsonl").read_text() == ""  # they are not part of the study


def test_known_answers_that_do_not_fit(make_study, worked_records, tmp_path):
    study = make_study(worked_records(), annotators=["ann"])
    export_answers(study, tmp_path / "empty.jsonl")
    row = {
        "study": "", "item": "b7", "run": "run of study.db", "model": "", "name": "Ann Lee",
        "annotator": "eve", "role": "annotator", "n_bio": 1,
        "biographies": [{"facts": [0], "page": None}],
        "facts": [{"text": "x", "biography": 1, "label": None, "found_in": None}],
        "revised_after_pages": False, "seconds": 1, "status": "done",
    }  # fmt: skip
    path = tmp_path / "known.jsonl"
    for item, said in (("b1x", "is not in the runs; did you mean b1"), ("b1", "are not those")):
        path.write_text(json.dumps({**row, "item": item}) + "\n")
        with pytest.raises(InputError, match=said):
            make_study(worked_records(), name="study2.db", qualify=path)
