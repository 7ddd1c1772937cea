"""The released CSV, our JSONL, and what is wrong with a file or a record."""

from __future__ import annotations

import csv
import json

import pytest

from dfactscore._errors import InputError
from dfactscore.factor import read_factor
from dfactscore.factor._factor_items import item_record, join

COLUMNS = ["Doc_ID", "Completion", "contradiction_0", "contradiction_1", "contradiction_2"]


def write(path, rows, columns):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(dict(zip(columns, row, strict=True)) for row in rows)


@pytest.mark.parametrize("name", ["turncated_prefixes", "Truncated_Prefix", "truncated_prefixes"])
def test_the_released_columns_in_any_case(tmp_path, name):
    columns = [name, "full_prefix", *COLUMNS, "note"]
    write(tmp_path / "a.csv", [["short\n", "long", "7", "a", "b", "c", "d", "kept"]], columns)
    (item,) = read_factor(tmp_path / "a.csv").items
    assert (item.prefix, item.document, item.completions) == ("short\n", "7", ("a", "b", "c", "d"))
    assert item.extra == {"full_prefix": "long", "note": "kept"}
    found = read_factor(tmp_path / "a.csv", prefix="full")
    assert (found.items[0].prefix, found.column) == ("long", "full_prefix")


def test_missing_columns_are_named_with_what_is_there(tmp_path):
    write(tmp_path / "a.csv", [["p", "7", "a"]], ["prefix", "doc_id", "completions"])
    with pytest.raises(InputError) as error:
        read_factor(tmp_path / "a.csv")
    said = str(error.value)
    assert "no column turncated_prefixes, completion, contradiction_0" in said
    assert "it has prefix, doc_id, completions" in said
    assert "did you mean completions?" in said
    (tmp_path / "b.jsonl").write_text('{"prefix": "a", "completon": "b"}\n')
    with pytest.raises(InputError, match=r"no field completion, contradictions; it has .*did you"):
        read_factor(tmp_path / "b.jsonl")


@pytest.mark.parametrize(
    ("completions", "problem"),
    [
        (["", "b", "c", "d"], "its completion is empty"),
        (["a", " ", "c", "d"], "its contradiction 0 is empty"),
        (["a", " a", "a ", "a"], "all of its completions are equal"),
        (["a", "b", "c", " a"], "its contradiction 2 is the true completion"),
    ],
)
def test_rows_that_cannot_be_used(tmp_path, completions, problem):
    rows = [["p", "7", *completions], ["", "7", "a", "b", "b", "d"]]
    write(tmp_path / "a.csv", rows, ["turncated_prefixes", *COLUMNS])
    found = read_factor(tmp_path / "a.csv")
    assert [one.problem for one in found.bad] == [problem]
    assert found.bad[0].where == f"{tmp_path / 'a.csv'}:2"
    assert [one.id for one in found.items] == ["1"]  # a prefix of nothing is allowed


@pytest.mark.parametrize(
    ("encoding", "sign"), [("utf-8-sig", ";"), ("utf-16", "\t"), ("cp1252", ","), ("utf-8", "|")]
)
def test_tables_as_spreadsheets_write_them(tmp_path, encoding, sign):
    rows = [["turncated_prefixes", *COLUMNS], ["Zoë\nwas ", "7", "a", " b", "c", "d"],
            ["", "7", "a", "b", "c", "d"]]  # fmt: skip
    with (tmp_path / "a.csv").open("w", newline="", encoding=encoding) as file:
        csv.writer(file, delimiter=sign).writerows(rows)
    if encoding == "cp1252":
        with pytest.warns(UserWarning, match="Windows-1252"):
            found = read_factor(tmp_path / "a.csv")
    else:
        found = read_factor(tmp_path / "a.csv")
    first, second = found.items
    assert (first.prefix, first.completions) == ("Zoë\nwas ", ("a", " b", "c", "d"))
    assert second.prefix == ""


def test_tables_that_leave_it_open_what_is_meant(tmp_path):
    header = ["turncated_prefixes", *COLUMNS]
    lines = [header, ["p", "7", "a", "b", "c", "d", "e"], ["p", "7", "a"], ["", "8", *"abcd"]]
    text = "\n".join(",".join(line) for line in lines)
    (tmp_path / "a.csv").write_text(text)
    found = read_factor(tmp_path / "a.csv")
    assert [one.problem for one in found.bad] == [
        "has 1 columns too many",
        "the row ends before contradiction_0, contradiction_1, contradiction_2",
    ]  # fmt: skip
    # A column that is empty in every row is there.
    assert [item.prefix for item in found.items] == [""]
    (tmp_path / "b.csv").write_text(text.replace("Doc_ID", "document", 1))
    with pytest.raises(InputError, match="no column doc_id"):
        read_factor(tmp_path / "b.csv")
    (tmp_path / "b.csv").write_text("completion," + text.replace("Completion", "completion"))
    with pytest.raises(InputError, match="has 2 columns completion; keep one"):
        read_factor(tmp_path / "b.csv")


def test_null_is_no_id(tmp_path):
    line = {"id": None, "document": None, "prefix": "a", "completion": "b", "contradictions": ["c"]}
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(line)}\n" * 2)
    found = read_factor(tmp_path / "a.jsonl")
    assert [(item.id, item.document) for item in found.items] == [("0", ""), ("1", "")]


def test_our_own_lines_come_back(tmp_path, items):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(item_record(item)) + "\n" for item in items))
    assert list(read_factor(path).items) == items
    path.write_text(path.read_text() + '{"prefix": "", "completion": 3, "contradictions": []}\n')
    assert read_factor(path).bad[0].problem == "completion: expected a text, found 3"
    path.write_text(json.dumps({**item_record(items[0]), "contradictions": list("abcdefgh")}))
    assert "1 to 7" in read_factor(path).bad[0].problem


@pytest.mark.parametrize(
    ("prefix", "completion", "joined"),
    [
        ("He was born in ", "  Oslo.", ("He was born in", " Oslo.")),
        ("He was born in  ", "Oslo", ("He was born in ", " Oslo")),
        ("Answer:", " Oslo", ("Answer:", "Oslo")),
        ("", " Oslo", ("", "Oslo")),
        (" ", "Oslo", ("", " Oslo")),
        # What is not a blank is not scored with the completion.
        ("Answer:\n", "Oslo", ("Answer:\n", "Oslo")),
        ("Answer:\n\n", "\n Oslo", ("Answer:\n\n", "Oslo")),
        ("Answer:\n ", "Oslo", ("Answer:\n", " Oslo")),
        ("Answer: \n", "Oslo", ("Answer: \n", "Oslo")),
        ("Answer:\t", "Oslo", ("Answer:\t", "Oslo")),
        ("Answer:\u00a0", "Oslo", ("Answer:\u00a0", "Oslo")),
    ],
)
def test_how_prefix_and_completion_are_joined(prefix, completion, joined):
    assert join(prefix, completion) == joined


def test_the_released_file(expert):
    found = read_factor(expert)
    assert len(found.items) == 236
    assert not found.bad
    assert found.column == "turncated_prefixes"
    assert all(len(item.contradictions) == 3 for item in found.items)
