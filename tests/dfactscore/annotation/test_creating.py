from __future__ import annotations

import json
import sqlite3

import pytest

from dfactscore._errors import InputError, RunError
from dfactscore.annotation._adjudication import answered_items
from dfactscore.annotation._assigned_paragraphs import list_tasks, load_item
from dfactscore.annotation._creating import init_study
from dfactscore.annotation._study import Study


def test_a_study_is_complete_by_itself(make_study, make_scored, tmp_path):
    study = make_study(
        [make_scored(id="a", name="Ann Lee"), make_scored(id="b", status="abstained")],
        annotators=["ann", "ben"],
        double=1.0,
    )
    for file in (tmp_path / "run of study.db").iterdir():
        file.unlink()
    with study.read() as db:
        item = load_item(db, 1)
    assert (item.record, item.name, len(item.facts), len(item.sentences)) == ("a", "Ann Lee", 5, 5)
    assert item.fact_sentences == (0, 1, 2, 3, 4)
    assert [p.title for p in item.pages] == ["Ann Lee (rower)", "Ann Lee (poet)"]
    assert "deciding words" in item.pages[0].text
    assert item.automatic["n_bio"] == 1
    assert [f["verdict"] for f in item.automatic["facts"]] == [True, True, False, False, False]
    assert [p.name for p in study.people()] == ["ann", "ben", "adjudicator"]
    assert [len(list_tasks(study, p)) for p in study.people()] == [1, 1, 0]


def test_the_file_keeps_what_it_acknowledges(make_study):
    study = make_study()
    with study.read() as db:
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        assert db.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert db.execute("PRAGMA busy_timeout").fetchone()[0] == 30_000
    assert study.path.stat().st_mode & 0o077 == 0


def test_equal_arguments_equal_study(make_study):
    dumps = []
    for name in ("one.db", "two.db"):
        study = make_study(name=name, annotators=["ann", "ben"], double=0.5)
        with sqlite3.connect(study.path) as db:
            rows = [line for line in db.iterdump() if "INSERT INTO" in line]
        dumps.append([r for r in rows if '"study"' not in r and "run of" not in r])
    assert len(dumps[0]) > 10
    assert [r for r in dumps[0] if "item" not in r] == [r for r in dumps[1] if "item" not in r]


def test_one_person_without_names(make_study):
    study = make_study(double=0.5)
    assert [p.name for p in study.people()] == ["annotator", "adjudicator"]
    assert len(list_tasks(study, study.person("annotator"))) == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"annotators": ["ann", "Ann"]}, "a name is repeated"),
        ({"annotators": ["adjudicator"]}, "is the adjudicator's"),
        ({"annotators": ["a" * 61]}, "1 to 60 printable"),
        ({"double": 1.5}, "is not a share"),
        ({"candidates": "dataset"}, "--dataset FILE"),
    ],
)
def test_what_cannot_be_used(make_study, options, said):
    with pytest.raises(InputError, match=said):
        make_study(**options)


def test_a_run_that_is_not_finished_makes_no_study(make_run, make_scored, tmp_path):
    run = make_run([make_scored(id=name) for name in "abc"])
    path = run / "biographies.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(InputError, match="1 of 3 biographies are judged; run the command"):
        init_study([run], tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


def test_nothing_is_overwritten(make_study):
    study = make_study(annotators=["ann"])
    before = study.path.read_bytes()
    for other in ({"seed": 7}, {"annotators": ["ben"]}, {"show_automatic": True}):
        with pytest.raises(InputError, match="exists already"):
            make_study(**{"annotators": ["ann"], **other})
    assert study.path.read_bytes() == before


def test_the_command_that_made_a_study_can_be_repeated(make_study):
    first = make_study(annotators=["ann", "ben"])
    before = first.path.read_bytes()
    assert make_study(annotators=["ann", "ben"]).key == first.key
    assert first.path.read_bytes() == before


def test_only_studies_of_this_version(make_study, loosen, tmp_path):
    study = make_study()
    study.close()
    loosen(study.path)
    with sqlite3.connect(study.path) as db:
        db.execute("UPDATE study SET schema = 99")
    with pytest.raises(InputError, match="later version"):
        Study(study.path)
    for damage in ("'x'", "x'00'"):
        with sqlite3.connect(study.path) as db:
            db.execute(f"UPDATE study SET schema = {damage}")
        with pytest.raises(InputError, match="is not a study"):
            Study(study.path)
    (tmp_path / "text.db").write_text("no database")
    with pytest.raises(InputError, match="is not a study"):
        Study(tmp_path / "text.db")
    with pytest.raises(InputError, match=r"no such study.*study\.db"):
        Study(tmp_path / "studi.db")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE study SET settings = '{'", "a stored value: not valid JSON"),
        ("UPDATE study SET settings = 3", "its settings: expected an object"),
        (
            "UPDATE study SET settings = json_remove(settings, '$.seed')",
            "its settings: seed: is",
        ),
        (
            "UPDATE study SET settings = json_set(settings, '$.seed', null)",
            "its settings: seed: input should",
        ),
        ("UPDATE item SET automatic = 'x'", "a stored value: not valid JSON"),
        ("UPDATE item SET sentences = '[1]'", "a stored value: sentences\\[0\\]: input should be"),
        ("UPDATE item SET automatic = '[]'", "a stored value: automatic: input should be"),
    ],
)
def test_a_damaged_study_is_one_line(make_study, change, said):
    study = make_study()
    study.close()
    with sqlite3.connect(study.path) as db:
        db.execute(change)
    with (
        pytest.raises(RunError, match=rf"study\.db: cannot be used \({said}"),
        Study(study.path) as opened,
    ):
        answered_items(opened)


def test_an_empty_cell_is_found_when_a_study_is_opened(make_study):
    study = make_study()
    study.close()
    with sqlite3.connect(study.path) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT NOT NULL', 'name TEXT') "
            "WHERE name = 'annotator'"
        )
    with sqlite3.connect(study.path) as db:
        db.execute("UPDATE annotator SET name = NULL WHERE id = 1")
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT', 'name TEXT NOT NULL') "
            "WHERE name = 'annotator'"
        )
    with pytest.raises(RunError, match=r"cannot be used \(NULL value in annotator\.name\)"):
        Study(study.path)


def test_candidates_and_pages(make_run, make_scored, tmp_path):
    run = make_run([make_scored(titles=("Ann Lee (rower)", "Bo Poe"))])
    pages = tmp_path / "pages.jsonl"
    pages.write_text(json.dumps({"title": "Ann Lee (rower)", "text": "The whole page."}) + "\n")
    found = []
    for i, mode in enumerate(("retrieved", "named")):
        out = tmp_path / f"{i}.db"
        init_study([run], out, candidates=mode, pages=pages)
        with Study(out) as study, study.read() as db:
            found.append({p.title: p.text for p in load_item(db, 1).pages})
    assert set(found[0]) == {"Ann Lee (rower)", "Bo Poe"}
    assert found[1] == {"Ann Lee (rower)": "The whole page."}


def test_a_sample_takes_the_same_names_of_each_model(make_run, make_scored, tmp_path):
    runs = [
        make_run([make_scored(id=f"{r}-{i}", name=f"Name {i}") for i in range(8)], f"run{r}")
        for r in range(3)
    ]
    made = init_study(runs, tmp_path / "s.db", sample=3, seed=1)
    assert made.paragraphs == {"run0": 3, "run1": 3, "run2": 3}
    with sqlite3.connect(tmp_path / "s.db") as db:
        names = [n for (n,) in db.execute("SELECT name FROM item")]
    assert len(set(names)) == 3


def test_addresses_say_nothing(make_study):
    study = make_study(seed=3)
    with study.read() as db:
        publics = db.execute("SELECT public, run, record FROM item").fetchall()
    assert all(len(p) == 12 and r not in p for p, _, r in publics)


def test_half_surrogates_and_nul(make_study, make_scored):
    study = make_study([make_scored(texts=["a \ud800 b.", "c\0d.", "e.", "f.", "g."])])
    with study.read() as db:
        assert load_item(db, 1).facts[:2] == ("a ? b.", "c\ufffdd.")
