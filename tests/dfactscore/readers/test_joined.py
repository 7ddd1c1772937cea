"""Joins rows of two files, of one table, and of a trace, and reads sheets of workbooks."""

from __future__ import annotations

import json

import pytest

from dfactscore import DFactScoreWarning, InputError
from dfactscore._readers import Columns, read_biographies, read_records

Q, A = "Who was the painter Ann Lee?", "Ann Lee was a painter. She rowed for Canada."
TEXTS = ["Ann Lee (born 1950) is an English painter.", "Ann Lee (born 1971) is a rower."]


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def passages(reading):
    return [[p.text for p in one.passages] for one in reading.biographies]


def test_another_file_has_the_passages(tmp_path):
    texts = lines(tmp_path / "a.jsonl", [{"id": n, "question": Q, "answer": A} for n in (1, 2)])
    rows = [{"id": n, "title": "Ann Lee", "text": text} for n in (1, 2) for text in TEXTS]
    other = lines(tmp_path / "b.jsonl", rows)
    assert passages(read_biographies(texts, columns=Columns(join=other))) == [TEXTS, TEXTS]
    one = lines(tmp_path / "c.jsonl", [{"qid": n, "contexts": TEXTS} for n in ("1", "2")])
    assert passages(read_biographies(texts, columns=Columns(join=one, on="id=qid"))) == [
        TEXTS, TEXTS]  # fmt: skip


def test_another_file_has_fields_in_objects(tmp_path):
    # The answers and the sources of RAGTruth.
    texts = lines(tmp_path / "response.jsonl", [
        {"id": "0", "source_id": "7", "model": "m", "response": A, "labels": [], "split": "test"},
        {"id": "1", "source_id": "8", "model": "m", "response": A, "labels": []}])  # fmt: skip
    info = {"question": Q, "passages": f"passage 1:{TEXTS[0]}\n\npassage 2:{TEXTS[1]}\n\n"}
    sources = lines(tmp_path / "source_info.jsonl", [
        {"source_id": "7", "task_type": "QA", "source_info": info, "prompt": "…"}])  # fmt: skip
    columns = Columns(join=sources, on="source_id", name="source_info.question",
                      passages="source_info.passages")  # fmt: skip
    reading = read_biographies(texts, columns=columns)
    assert reading.biographies[0].name == "Ann Lee"
    assert passages(reading) == [TEXTS]
    assert f"source_id '8' is not in {sources}" in reading.bad[0].reason


def test_a_wrong_key_names_the_fields(tmp_path):
    texts = lines(tmp_path / "a.jsonl", [{"id": 1, "question": Q, "answer": A}])
    other = lines(tmp_path / "b.jsonl", [{"query_id": 1, "text": TEXTS[0]}])
    with pytest.raises(InputError, match=r"no field 'quer_id' for --on; found query_id, text; did"):
        read_biographies(texts, columns=Columns(join=other, on="id=quer_id"))
    with pytest.raises(InputError, match=r"no value in idd, by which .* found id, question"):
        read_biographies(texts, columns=Columns(join=other, on="idd=query_id"))


@pytest.mark.parametrize("on", [None, "query_id"])
def test_rows_that_hold_a_passage_each(on, tmp_path):
    (path := tmp_path / "x.csv").write_text(
        "query_id,query,query_run,passage_id,passage,generated_answer\n"
        + "".join(
            f"{q},{Q},1,{n},{text},{A if n == '[1]' else ''}\n"
            for q in ("q1", "q2")
            for n, text in zip(("[1]", "[2]"), TEXTS, strict=True)
        ),
        "utf-8",
    )
    reading = read_biographies(path, columns=Columns(on=on))
    assert [one.text for one in reading.biographies] == [A, A]
    assert passages(reading) == [TEXTS, TEXTS]


def test_spans_of_a_trace():
    documents = [{"document.content": text, "document.score": 0.5} for text in TEXTS]
    rows = [
        {"name": step, "parent_id": parent, "context.trace_id": trace,
         "attributes.input.value": Q, "attributes.output.value": answer,
         "attributes.retrieval.documents": found}
        for trace in ("t1", "t2")
        for step, parent, answer, found in (
            ("retrieve", "s1", None, documents), ("query", None, A, None))
    ]  # fmt: skip
    reading = read_records(rows)
    assert [(one.name, one.text) for one in reading.biographies] == [("Ann Lee", A)] * 2
    assert passages(reading) == [TEXTS, TEXTS]


@pytest.fixture
def book():
    openpyxl = pytest.importorskip("openpyxl", reason="XLSX needs openpyxl (extra xlsx)")
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["see", "Texts"])
    sheet = book.create_sheet("Texts")
    for row in (
        ["name", "text"],
        ["Ann Lee", "Ann Lee sang."],
        [None, "Ann Lee ran."],
        ["Bob Roe", '=CONCAT(A1," sang")'],
        ["Cy Poe", "#NAME?"],
        ["Di Fox", "x" * 32767],
    ):
        sheet.append(row)  # fmt: skip
    sheet.merge_cells("A2:A3")
    return book


def test_sheets(book, tmp_path):
    book.save(path := tmp_path / "x.xlsx")
    with pytest.warns(DFactScoreWarning, match="B6 has 32,767 characters, the most"):
        reading = read_biographies(path, columns=Columns(sheet="Texts"))
    assert [one.name for one in reading.biographies] == ["Ann Lee", "Ann Lee", "Di Fox"]
    assert [bad.reason for bad in reading.bad] == [
        "field 'text': is a formula without a value: =CONCAT(A1,\" sang\")",
        "field 'text': is an error of a spreadsheet: #NAME?",
    ]
    with pytest.raises(InputError, match="no sheet 'texs'; it has Notes, Texts; did you mean Tex"):
        read_biographies(path, columns=Columns(sheet="texs"))
    with (
        pytest.warns(DFactScoreWarning, match="the sheet Notes is read, not Texts"),
        pytest.raises(InputError, match="contains no records"),
    ):
        read_biographies(path)
