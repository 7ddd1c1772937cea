"""Reads input of all formats, and reports unknown formats."""

from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore._readers import biography_from_record, read_biographies
from dfactscore._readers.record_fields import RecordError
from dfactscore._readers.records import name_of_question
from dfactscore._records import Fact, FactGroup

GOOD = {"id": "a", "name": "Ann Lee", "text": "Ann Lee sang [1]."}


def write(tmp_path, content, name="bios.jsonl"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def lines(*records):
    return "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)


def test_alce(tmp_path):
    row = {
        "question": "Tell me a bio of Ann Lee (disambiguation)",
        "output": "She sang[1][2].",
        "docs": [{"title": "Ann Lee (singer)", "text": "Ann sang.", "score": "0.5"}],
    }
    path = write(tmp_path, json.dumps({"args": {"shot": 2}, "data": [row]}), "x.json")
    (biography,) = read_biographies(path).biographies
    assert (biography.id, biography.name, biography.text) == ("0", "Ann Lee", "She sang.")
    assert biography.citations[0].numbers == (1, 2)
    assert biography.passages[0].title == "Ann Lee (singer)"


def test_real_alce(data):
    reading = read_biographies(data / "dfactscore" / "alce_tulu.json")
    assert len(reading.biographies) == 140
    assert reading.bad == ()
    assert all(len(b.passages) == 5 for b in reading.biographies)


def test_factscore_labels(data):
    reading = read_biographies(data / "factscore_labels" / "ChatGPT.jsonl")
    assert len(reading.biographies) == 183
    first = reading.biographies[0]
    assert first.name == "Lanny Flaherty"
    assert first.facts[0].text == "Lanny Flaherty is an American."
    assert any(f.label == "irrelevant" for b in reading.biographies for f in b.facts or ())


def test_a_cell_that_only_looks_like_python(tmp_path):
    """A mapping with a list as a key parses, but is not a Python value."""
    content = 'name,text,passages\nAnn Lee,Ann sang.,"[{[1]: 2}]"\nBo,Bo ran.,\n'
    reading = read_biographies(write(tmp_path, content, "x.csv"))
    assert [b.name for b in reading.biographies] == ["Bo"]
    assert "passages" in str(reading.bad[0])


def test_csv(tmp_path):
    content = 'name,text,facts\nAnn Lee,"Sang, then left.","[""Ann Lee sang.""]"\nBo,Bo ran.,\n'
    a, b = read_biographies(write(tmp_path, content, "x.csv")).biographies
    assert a.facts == (Fact("Ann Lee sang."),)
    assert (b.facts, b.id) == (None, "1")


def test_given_stages():
    record = {
        **GOOD,
        "facts": ["One.", {"text": "Two.", "span": [0, 3], "label": "irrelevant"}],
        "groups": [[1], {"facts": [0], "label": "Ann", "bears_name": True}],
        "links": ["A", None],
        "verdicts": {"A": [True, {"status": "refused"}]},
    }
    biography = biography_from_record(record)
    assert biography.facts[1] == Fact("Two.", None, (0, 3), "irrelevant")
    assert biography.groups == (FactGroup((1,)), FactGroup((0,), "Ann", True))
    assert [v.status for v in biography.verdicts["A"]] == ["supported", "refused"]
    assert biography.links == ("A", None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": None}, "field 'text': is empty"),
        ({"text": 5}, "field 'text': expected a text, found int 5"),
        ({"name": ""}, "field 'name': is empty"),
        ({"name": ["x"]}, "field 'name': expected a text"),
        ({"id": [1]}, "field 'id'"),
        ({"passages": "x"}, "field 'passages': expected a list"),
        ({"passages": [5]}, r"field 'passages\[0\]'"),
        (
            {"passages": [{"title": "x"}]},
            r"\[0\].text': expected a text, found the keys title",
        ),
        ({"facts": "x"}, "field 'facts': input should be a valid list"),
        ({"facts": [5]}, r"field 'facts\[0\]"),
        ({"facts": [" "]}, r"facts\[0\].text': is empty"),
        ({"facts": [{"text": "x", "span": [5, 900]}]}, r"facts\[0\].span': \[5, 900\] is outside"),
        ({"groups": [[0]]}, "field 'groups': needs 'facts'"),
        ({"facts": ["a", "b"], "groups": [[0]]}, "must hold each of the facts 0..1 once"),
        ({"facts": ["a"], "groups": [[0, 0]]}, "must hold each"),
        ({"facts": ["a"], "groups": [[7]]}, "must hold each"),
        ({"facts": ["a"], "links": ["x"]}, "field 'links'"),
        ({"facts": ["a"], "groups": [[0]], "links": [3]}, r"field 'links\[0\]'"),
        ({"verdicts": {}}, "needs 'facts'"),
        ({"facts": ["a"], "verdicts": []}, "field 'verdicts': expected"),
        ({"facts": ["a"], "verdicts": {"e": []}}, "expected 1 verdicts"),
        ({"facts": ["a"], "verdicts": {"e": [{"status": "yes"}]}}, "status"),
        ({"facts": ["a"], "verdicts": {"e": [{"status": "error", "probability": 2}]}}, "not in 0"),
        ({"annotations": 5}, "field 'annotations'"),
        ({"annotations": [5]}, r"annotations\[0\]"),
    ],
)
def test_wrong_fields(change, message):
    with pytest.raises(RecordError, match=message):
        biography_from_record({**GOOD, **change})


def test_no_object():
    with pytest.raises(RecordError, match="expected an object, found list"):
        biography_from_record([1])


def test_good_records_are_read_beside_bad_ones(tmp_path):
    path = write(
        tmp_path,
        lines(GOOD, '{"id": "b", "te', "", 7, {**GOOD, "id": "c"}, GOOD, {"id": "d", "name": "X"}),
    )
    reading = read_biographies(path)
    assert [b.id for b in reading.biographies] == ["a", "c"]
    shown = [str(b) for b in reading.bad]
    assert shown[0].startswith("bios.jsonl:2: record 1: not valid JSON: ")
    assert shown[1].startswith("bios.jsonl:4: record 2: expected an object, found int 7")
    assert shown[2] == "bios.jsonl:6: record a: field 'id': 'a' is already the id of line 1"
    assert shown[3].startswith("bios.jsonl:7: record d: field 'text': is missing")


def test_truncated_json(tmp_path):
    text = json.dumps({"data": [GOOD, {**GOOD, "id": "b"}, {**GOOD, "id": "c"}]}, indent=1)
    reading = read_biographies(write(tmp_path, text[:-30], "x.json"))
    assert [b.id for b in reading.biographies] == ["a", "b"]
    assert "cut short" in str(reading.bad[0])
    assert reading.bad[0].line == text[:-30].count("\n") + 1


def test_broken_record_within_an_array(tmp_path):
    text = json.dumps([GOOD, {**GOOD, "id": "b"}, {**GOOD, "id": "c"}])
    reading = read_biographies(write(tmp_path, text.replace('"b",', '"b" oops,'), "x.json"))
    assert [b.id for b in reading.biographies] == ["a", "c"]
    assert len(reading.bad) == 1


def test_ends_between_records(tmp_path):
    reading = read_biographies(write(tmp_path, json.dumps([GOOD])[:-1] + ",", "x.json"))
    assert len(reading.biographies) == len(reading.bad) == 1
    reading = read_biographies(write(tmp_path, json.dumps([GOOD])[:-1] + " x", "y.json"))
    assert "expected ',' or ']'" in reading.bad[0].reason


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.jsonl", b"", "the file is empty"),
        ("x.json", b" \n", "the file is empty"),
        ("x.json", b"\x00\x00", "the file is empty"),
        ("x.json", b"hello", "expected a list of records"),
        ("x.json", b"{}", "found keys: none"),
        ("x.json", b'{"rows": [1], "data": 5}', "found keys: rows, data"),
        ("x.json", b'{"rows" 5', "x.json:1: not valid JSON"),
        ("x.json", b'{"rows": nope', "not valid JSON"),
        ("x.json", b"[]", "contains no records"),
        ("x.json", b"[1, 2]", r"no usable record; x.json:1: record 0: .* \(and 1 more record\)"),
        ("x.json", b'[{"a": "\xff"}]', "x.json:1: not UTF-8"),
        ("x.jsonl", b'{"a": "\xff"}', "not UTF-8"),
        ("x.jsonl", b'{"text": NaN}', "field 'text': is empty"),
        ("x.csv", b"\xff\xfe", "contains no records"),
        ("x.csv", b"name,text\n\xff\x81,b\n", "x.csv:2: not UTF-8"),
        ("x.parquet", b"PAR1 is not enough", "not readable as Parquet"),
        ("x.xlsx", b"hello", "not readable as XLSX"),
        ("x.csv", b"name,text\na,b,c\n", "1 columns too many"),
        ("x.txt", b"hello", r"unknown format '\.txt'"),
    ],
)
def test_unusable_files(tmp_path, name, content, message):
    with pytest.raises(InputError, match=message):
        read_biographies(write(tmp_path, content, name))


def test_missing_file_names_what_is_near(tmp_path):
    write(tmp_path, lines(GOOD), "biographies.jsonl")
    with pytest.raises(InputError, match=r"no such file; did you mean biographies\.jsonl"):
        read_biographies(tmp_path / "biografies.jsonl")


def test_deep_nesting_is_no_crash(tmp_path):
    path = write(tmp_path, lines(GOOD, "[" * 100_000))
    assert len(read_biographies(path).bad) == 1


def test_unsafe_characters(tmp_path):
    record = {"name": "Ann\ud800", "text": "a\x00b \u202e 😀 \ud83d", "id": "\x07"}
    (biography,) = read_biographies(write(tmp_path, lines(record))).biographies
    assert biography.name == "Ann\ufffd"
    assert biography.text == "a\ufffdb \u202e 😀 \ufffd"
    biography.text.encode("utf-8")


def test_limit(tmp_path):
    path = write(tmp_path, lines(GOOD, {**GOOD, "id": "b"}))
    assert len(read_biographies(path, limit=1).biographies) == 1


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Tell me a bio of Ann Lee", "Ann Lee"),
        ("Question: Tell me a bio of Ann Lee.", "Ann Lee"),
        ("tell me a biography about Ann Lee", "Ann Lee"),
        ("Tell me a bio of Martin Luther King Jr.", "Martin Luther King Jr."),
        ("Write a short biography of A. E. Kahn.", "A. E. Kahn"),
        ("Ann Lee (disambiguation)", "Ann Lee"),
        ("Ann Lee", "Ann Lee"),
    ],
)
def test_name_of_question(question, name):
    assert name_of_question(question) == name


def test_semicolons_of_a_spreadsheet(tmp_path):
    content = "\ufeffid;name;text\r\n1;Ann Lee;Ann sang, and ran.\r\n"
    (biography,) = read_biographies(write(tmp_path, content, "x.csv")).biographies
    assert (biography.id, biography.text) == ("1", "Ann sang, and ran.")


def test_a_semicolon_in_a_header_with_commas_is_text(tmp_path):
    content = "id,name,text,a;b\n1,Ann Lee,Ann sang.,x\n"
    (biography,) = read_biographies(write(tmp_path, content, "x.csv")).biographies
    assert biography.extra == {"a;b": "x"}


def test_an_empty_group_is_refused():
    record = GOOD | {"facts": ["Ann sang."], "groups": [[0], []]}
    with pytest.raises(RecordError, match=r"'groups\[1\]': is empty"):
        biography_from_record(record)


def test_tuples_and_arrays_are_lists():
    import numpy as np

    record = {
        "name": "Ann Lee",
        "text": "Ann sang.",
        "facts": np.array(["Ann sang."], dtype=object),
        "groups": (np.array([0]),),
        "links": ("A",),
        "passages": np.array([{"title": "A", "text": "Ann sang."}], dtype=object),
        "verdicts": {"A": np.array([True])},
    }
    biography = biography_from_record(record)
    assert biography.groups == (FactGroup((0,)),)
    assert biography.verdicts["A"][0].status == "supported"
    assert biography.passages[0].title == "A"


def test_a_name_after_much_white_space():
    assert name_of_question("Ann" + " " * 300_000 + "Lee (disambiguation)").endswith("Lee")


@pytest.mark.parametrize("id", [None, ""])
def test_an_id_of_null_or_without_a_letter_is_none(id, tmp_path):
    record = {"id": id, "name": "Ann Lee", "text": "x"}
    assert biography_from_record(record, default_id="7").id == "7"
    reading = read_biographies(write(tmp_path, lines(GOOD, record, record)))
    assert ([b.id for b in reading.biographies], reading.bad) == (["a", "1", "2"], ())


def test_a_parquet_file_with_text_that_is_not_utf_8_is_refused(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow (extra parquet)")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table({"name": ["Ann Lee"], "text": ["Ann rows."]}), path,
                        compression="none", use_dictionary=False)  # fmt: skip
    path.write_bytes(path.read_bytes().replace(b"Ann rows.", b"Ann \xff\xfe\xfds."))
    with pytest.raises(InputError, match=r"x\.parquet: not readable as Parquet \('utf-8' codec"):
        read_biographies(path)


@pytest.mark.parametrize("member", ["xl/worksheets/sheet1.xml", "xl/workbook.xml"])
@pytest.mark.parametrize("content", [b"<no", b"", b"\x00\xff", b"<a><b></a>"])
def test_a_spreadsheet_with_damaged_parts_is_refused(tmp_path, member, content):
    import zipfile

    openpyxl = pytest.importorskip("openpyxl", reason="XLSX needs openpyxl (extra xlsx)")
    book = openpyxl.Workbook()
    book.active.append(["name", "text"])
    book.active.append(["Ann Lee", "Ann rows."])
    book.save(tmp_path / "good.xlsx")
    with (
        zipfile.ZipFile(tmp_path / "good.xlsx") as old,
        zipfile.ZipFile(tmp_path / "x.xlsx", "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, content if name == member else old.read(name))
    with pytest.raises(InputError, match=r"x\.xlsx: not readable as XLSX|contains no records"):
        read_biographies(tmp_path / "x.xlsx")


def test_a_spreadsheet_that_is_packed_wrongly_is_refused(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="XLSX needs openpyxl (extra xlsx)")
    book = openpyxl.Workbook()
    for number in range(50):
        book.active.append([f"name {number}", "Ann rows."])
    path = tmp_path / "x.xlsx"
    book.save(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"xl/worksheets/sheet1.xml") + 60
    data[at : at + 200] = b"\xff" * 200
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"x\.xlsx: not readable as XLSX"):
        read_biographies(path)
