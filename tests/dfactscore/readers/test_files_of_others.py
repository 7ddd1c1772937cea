"""Reads files that other programs write: records in objects, and pages."""

from __future__ import annotations

import bz2
import json

import pytest

from dfactscore._readers import read_biographies
from dfactscore.retrieval import open_source
from dfactscore.retrieval._factscore import write_factscore_db
from dfactscore.retrieval._readers import read_pages

ROWS = [{"name": "Ann Lee", "text": "Ann Lee sang."}, {"name": "Bob Roe", "text": "Bob Roe ran."}]
COLUMNS = {key: [row[key] for row in ROWS] for key in ("name", "text")}
OBJECTS = {
    "results": {"model": "m", "results": ROWS},
    "pandas columns": {k: {str(n): v for n, v in enumerate(c)} for k, c in COLUMNS.items()},
    "pandas index": {str(n): row for n, row in enumerate(ROWS)},
    "pandas split": {"columns": ["name", "text"], "index": [0, 1],
                     "data": [[row["name"], row["text"]] for row in ROWS]},
    "pandas table": {"schema": {"fields": []}, "data": ROWS},
    "rows of the hub": {"features": [], "num_rows_total": 2, "rows": [
        {"row_idx": n, "row": row, "truncated_cells": []} for n, row in enumerate(ROWS)]},
    "columns": COLUMNS,
    "list": ROWS,
}  # fmt: skip


@pytest.mark.parametrize("shape", OBJECTS)
def test_records_in_a_json_file(shape, tmp_path):
    (path := tmp_path / "x.json").write_text(json.dumps(OBJECTS[shape]), "utf-8")
    found = [{"name": one.name, "text": one.text} for one in read_biographies(path).biographies]
    assert found == ROWS


def test_one_record_in_a_json_file(tmp_path):
    path = tmp_path / "x.json"
    chat = {"messages": [{"role": "user", "content": "Who was Ann Lee?"},
                         {"role": "assistant", "content": "Ann Lee sang."}]}  # fmt: skip
    for record in (ROWS[0], chat, {**ROWS[0], "results": [{"text": "x"}]}):
        path.write_text(json.dumps(record, indent=2), "utf-8")
        (one,) = read_biographies(path).biographies
        assert (one.name, one.text) == ("Ann Lee", "Ann Lee sang.")


@pytest.mark.parametrize("indent", [None, 2])
def test_json_lines_that_are_printed_or_a_list(indent, tmp_path):
    path = tmp_path / "x.jsonl"
    for text in (
        "\n".join(json.dumps(row, indent=indent) for row in ROWS),
        json.dumps(ROWS, indent=2),
    ):
        path.write_text(text, "utf-8")
        assert [one.name for one in read_biographies(path).biographies] == ["Ann Lee", "Bob Roe"]


TITLE, TEXT = "Ann Lee (painter)", "Ann Lee paints in Bath."
DOC = f'<doc id="1" url="u" title="{TITLE}">\n{TITLE}\n\n{TEXT}\n</doc>\n'
FILES = {
    "kilt.jsonl": json.dumps({"wikipedia_title": TITLE, "text": [f"{TEXT}\n"], "_id": "1"}),
    "cirrus.json": '{"index":{"_id":"1"}}\n' + json.dumps({"title": TITLE, "text": TEXT}) + "\n",
    "cirrus.jsonl": '{"index":{"_id":"1"}}\n' + json.dumps({"title": TITLE, "text": TEXT}) + "\n",
    "pyserini.jsonl": json.dumps({"id": "1", "contents": f"{TITLE}\n{TEXT}"}),
    "langchain.json": json.dumps([{"page_content": TEXT, "metadata": {"title": TITLE}}]),
    "content.jsonl": json.dumps({"title": TITLE, "content": TEXT}),
    "titles.json": json.dumps({TITLE: TEXT}),
    "wiki_00": DOC,
    "a/AA/wiki_00": DOC,
    "b/AA/wiki_01": json.dumps({"id": "1", "title": TITLE, "text": TEXT}) + "\n",
    "c/Ann_Lee_(painter).md": TEXT,
    "d/Ann_Lee_(painter).html": f"<html><head><title>x</title></head><p>{TEXT}</p></html>",
    "e/part.jsonl": json.dumps({"title": TITLE, "text": TEXT}),
}


@pytest.mark.parametrize("name", FILES)
def test_pages_are_read_alike_for_indexes_and_as_evidence(name, tmp_path):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES[name], "utf-8")
    place = tmp_path / name.split("/")[0]
    (page,) = read_pages(place)
    assert (page.title, page.text.strip()) == (TITLE, TEXT)
    (found,) = open_source(place).documents(TITLE)
    assert found.text.strip() == TEXT


def test_wikiextractor_may_be_compressed(tmp_path):
    (folder := tmp_path / "out" / "AA").mkdir(parents=True)
    (folder / "wiki_00.bz2").write_bytes(bz2.compress(DOC.encode()))
    (page,) = read_pages(tmp_path / "out")
    assert page.text.strip() == TEXT


def test_pages_of_a_factscore_database(tmp_path):
    write_factscore_db([("B", [TEXT]), (TITLE, [TEXT, "She died."])], tmp_path / "x.db")
    (first, second) = read_pages(tmp_path / "x.db")
    assert (first.title, second.title) == (TITLE, "B")
    assert first.text.split() == f"{TEXT} She died.".split()
