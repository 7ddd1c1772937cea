from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.tables import csv_rows, csv_text, without_guard

TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
NAMES = st.lists(TEXTS.filter(bool), min_size=2, max_size=4, unique=True)
NUMBERS = st.floats(allow_nan=False)
CELLS = st.one_of(st.none(), st.booleans(), st.integers(), NUMBERS, TEXTS)


@given(NAMES, st.lists(st.lists(CELLS, min_size=2, max_size=4)))
def test_readers_find_what_was_written(names, table):
    rows = [dict(zip(names, cells, strict=False)) for cells in table]
    read = list(csv.reader(io.StringIO(csv_text(rows, names), newline="")))
    read = [[without_guard(cell) for cell in row] for row in read]
    assert read[0] == names
    for row, cells in zip(rows, read[1:], strict=True):
        for name, cell in zip(names, cells, strict=True):
            value = row.get(name)
            if value is None:
                assert cell == ""
            elif isinstance(value, bool):
                assert cell == str(value).lower()
            elif isinstance(value, float):
                assert float(cell) == value
            else:
                assert cell == str(value)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), NUMBERS | TEXTS, min_size=2)))
def test_it_writes_what_the_library_writes(rows):
    rows = [{k: "x" + v.replace("\r", "") if isinstance(v, str) else v for k, v in r.items()}
            for r in rows]  # fmt: skip
    names = list("abc")
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    assert csv_text(rows, names) == out.getvalue()


def test_columns_stand_as_they_first_come():
    assert csv_text([{"b": 1}, {"a": 2, "b": 3}]) == "b,a\n1,\n3,2\n"
    assert csv_text([], ["id"]) == "id\n"


def test_spreadsheets_run_nothing():
    guarded = [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        " =1",
        "＝1+1",
        "＋1",
        "－1",
        "＠A",
        "−1",
        "\n=1",
    ]
    cells = [*guarded, "'=1", "Al", "'s-Hertogenbosch", -1, -0.5]
    rows = [{"x": cell} for cell in cells]
    written = list(csv.reader(io.StringIO(csv_text(rows), newline="")))[1:]
    assert [row[0] for row in written] == [
        *(f"'{cell}" for cell in guarded), "''=1", "Al", "'s-Hertogenbosch", "-1", "-0.5"
    ]  # fmt: skip
    assert [without_guard(row[0]) for row in written] == [str(cell) for cell in cells]


def test_what_is_no_number_is_an_empty_cell():
    assert csv_text([{"a": float("nan"), "b": 0.5, "c": None}]) == "a,b,c\n,0.5,\n"


@pytest.mark.parametrize("header", ["id,fs,fs", "id,fs,FS"])
def test_a_column_that_is_there_twice_is_refused(tmp_path, header):
    path = tmp_path / "scores.csv"
    path.write_text(f"{header}\n1,0.5,0.9\n")
    with pytest.raises(ValueError, match=r"scores\.csv: has 2 columns fs; keep one of them"):
        csv_rows(path, (), error=ValueError)
