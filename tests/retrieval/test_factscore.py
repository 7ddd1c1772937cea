"""Page databases of the factscore package are read without changing them."""

from __future__ import annotations

import sqlite3

import pytest

from dfactscore.retrieval import MissingPage, open_source
from dfactscore.retrieval._errors import SourceError, StoreError
from dfactscore.retrieval._factscore import (
    SEPARATOR,
    FactScorePages,
    passages_of,
    write_factscore_db,
)

ROWS = [
    ("Ann Lee", f"<s>Ann Lee paints.</s><s>She lives in Leeds.</s>{SEPARATOR}<s> </s>{SEPARATOR}"
                "<s>She\n was born in 1950.</s>"),
    ("Ann Lee (rower)", "<s>Ann Lee rows.</s>"),
    ("Émile Zola", "<s>A writer.</s>"),
    ("Nothing", ""),
]  # fmt: skip


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE documents (title PRIMARY KEY, text)")
    connection.executemany("INSERT INTO documents VALUES (?, ?)", ROWS)
    connection.commit()
    connection.close()
    return path


def test_passages_are_not_glued(db):
    pages = FactScorePages(db).documents("Ann Lee")
    assert [p.text for p in pages] == ["Ann Lee paints. She lives in Leeds.",
                                       "She was born in 1950."]  # fmt: skip
    assert passages_of("<s>one.</s>two</s><s>three") == ["one. two three"]
    assert FactScorePages(db).documents("Nothing")[0].text == ""


def test_titles_exactly_then_in_normal_form(db):
    pages = FactScorePages(db)
    assert pages.documents("Ann_Lee ")[0].title == "Ann Lee"
    assert pages.documents("E\u0301mile Zola")[0].text == "A writer."
    missing = pages.lookup("Ann Lea")
    assert isinstance(missing, MissingPage)
    assert missing.near[0] == "Ann Lee"
    assert pages.titles_for("Ann Lee") == ("Ann Lee", "Ann Lee (rower)")


def test_redirects_can_be_added(db, tmp_path):
    file = tmp_path / "redirects.jsonl"
    file.write_text('{"title": "Zola", "target": "Émile Zola"}\n', "utf-8")
    assert open_source(db, redirects=file).lookup("Zola").text == "A writer."
    file.write_text('{"title": "Zola"}\n')
    with pytest.raises(SourceError, match=r"expected .title, target."):
        open_source(db, redirects=file)
    with pytest.raises(SourceError, match="a page database of the factscore package only"):
        open_source({"A": "x"}, redirects=file)


def test_known_by_its_table_and_never_written_to(db):
    before = db.read_bytes()
    db.chmod(0o444)
    source = open_source(db)
    assert isinstance(source, FactScorePages)
    assert source.lookup("Ann Lee (rower)").text == "Ann Lee rows."
    assert source.describe() == {"kind": "factscore", "path": str(db), "redirects": 0}
    source.close()
    assert db.read_bytes() == before
    assert [p.name for p in db.parent.iterdir()] == ["old.db"]


def test_other_and_damaged_files_say_what_they_hold(tmp_path):
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE things (a)")
    connection.close()
    with pytest.raises(StoreError, match=r"no table documents\(title, text\).*things"):
        FactScorePages(other)
    with pytest.raises(StoreError, match="not a page store"):
        open_source(other)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError, match=r"damaged\.db: cannot be read"):
        open_source(damaged)
    with pytest.raises(StoreError, match="no such page database"):
        FactScorePages(tmp_path / "none.db")


def test_a_text_that_is_none_is_damage(db):
    connection = sqlite3.connect(db)
    connection.execute("INSERT INTO documents VALUES ('Blob', x'00ff')")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="damaged: the text of 'Blob' is bytes"):
        FactScorePages(db).documents("Blob")


def test_what_is_written_is_read_back(tmp_path):
    path = tmp_path / "made.db"
    long = " ".join(f"w{i}" for i in range(230)) + "."
    pages = [("A", ["One.", "", "Two."]), ("B", [long]), ("A", ["Another A."]), ("C", [])]
    assert write_factscore_db(pages, path) == 3
    source = FactScorePages(path)
    assert source.lookup("A").text == "One. Two."
    assert [len(p.text.split()) for p in source.documents("B")] == [100, 100, 30]
    assert source.documents("C")[0].text == ""
    row = sqlite3.connect(path).execute("SELECT text FROM documents WHERE title = 'A'").fetchone()
    assert row[0] == "<s>One.</s><s>Two.</s>"
