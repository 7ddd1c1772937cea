"""Tables of any make, read by every command alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from dfactscore._readers import read_biographies
from dfactscore._text.name_lists import listed_names
from dfactscore._util.numbers import decimal
from dfactscore._util.tables import columns_as_rows, csv_rows
from dfactscore.comparison import compare
from dfactscore.correct._texts import read_scores

ROWS = [["id", "name", "fs", "dfs"], ["0", "Zoë Hale", "0.75", "0.5"], ["1", "Lee, Ann", "1", "1"]]
LINES = {sign: "\n".join(sign.join(row) for row in ROWS) for sign in ";\t|"}
LINES[","] = 'id,name,fs,dfs\n0,Zoë Hale,0.75,0.5\n1,"Lee, Ann",1,1'
LINES["sep=;"] = "sep=;\n" + LINES[";"]
LINES["decimal commas"] = LINES[";"].replace(".", ",")
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "cp1252"]


@pytest.fixture(params=LINES)
def table(request, tmp_path):
    """The same table, separated in any way; in any encoding."""

    def made(encoding: str) -> Path:
        path = tmp_path / "t.csv"
        path.write_bytes(LINES[request.param].encode(encoding))
        return path

    return made


@pytest.mark.filterwarnings("ignore:.*read as Windows-1252")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_reads_what_score_reads(table, encoding):
    path = table(encoding)
    names = ["Zoë Hale", "Lee, Ann"]
    assert listed_names(path, error=ValueError) == names
    found = read_scores(path)
    assert [text.name for text in found.texts] == names
    assert [(t.values["fs"], t.values["dfs"]) for t in found.texts] == [(0.75, 0.5), (1.0, 1.0)]
    (level,) = compare(path, resamples=100).models
    assert level.levels["fs"].mean == pytest.approx(0.875)


@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
def test_spreadsheets_hold_labels_and_names(tmp_path, kind):
    pd = pytest.importorskip("pandas")
    pytest.importorskip({"xlsx": "openpyxl", "parquet": "pyarrow"}[kind])
    path = tmp_path / f"t.{kind}"
    frame = pd.DataFrame({"id": [8, 36], "name": ["Ann Lee", "Ben Kay"], "fs": [0.5, 1.0]})
    (frame.to_excel if kind == "xlsx" else frame.to_parquet)(path, index=False)
    assert listed_names(path, error=ValueError) == ["Ann Lee", "Ben Kay"]
    assert [(t.id, t.values["fs"]) for t in read_scores(path).texts] == [("8", 0.5), ("36", 1.0)]


@pytest.mark.parametrize("value", ["1,5", " 1.5 ", 1.5, "15e-1"])
def test_numbers_of_tables(value):
    assert decimal(value) == 1.5


@pytest.mark.parametrize("value", ["1,500,000", "1.500,5", "a", ""])
def test_what_is_no_number_stays_none(value):
    with pytest.raises(ValueError, match="could not convert"):
        decimal(value)


@pytest.mark.parametrize("more", ["", ",,"])
def test_a_row_that_ends_before_its_text_is_broken_and_no_abstention(tmp_path, more):
    path = tmp_path / "t.csv"
    path.write_text(f"id,name,text\n0,Ann Lee,Ann Lee sang.\n1,Ben Kay{more}\n2,Cy Dow,\n")
    found = read_biographies(path)
    if more:  # an empty text is there
        assert [b.id for b in found.biographies] == ["0", "1", "2"]
    else:
        assert [b.id for b in found.biographies] == ["0", "2"]
        (bad,) = found.bad
        assert (bad.line, "text" in bad.reason) == (3, True)


def test_short_rows_of_tables_are_filled(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1\n1,2\n")
    rows = [row for _, row in csv_rows(path, ("a",), error=ValueError)]
    assert rows == [{"a": "1", "b": ""}, {"a": "1", "b": "2"}]


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ({"title": ["A", "B"], "text": ["a", "b"]}, 2),
        ({"title": [], "text": []}, 0),
        ({"title": ["A"], "text": ["a", "b"]}, None),
        ({"title": "A", "text": "a"}, None),
        ({}, None),
        ([{"title": "A"}], 1),
    ],
)
def test_columns_as_rows(value, rows):
    found = columns_as_rows(value)
    assert found == value if rows is None else len(found) == rows
