"""Renders a table in all formats without loss, and without active content."""

import csv
import html
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dfactscore.measures._rendering import drawn, rich_table, to_html, to_latex, to_markdown
from dfactscore.measures._table import Cell, Column, Table, aligned, json_text, labeled, to_csv

COLUMNS = (Column("run", left=True, tex=""), Column("D-FS, %"), Column("n", tex="$n$"))
ROWS = (
    ("a|b & <c>", Cell("78.0", "ac", "70.1–81.2"), "27/30"),
    ("李明", Cell("9.5"), "8/9"),
)
TABLE = Table(COLUMNS, ROWS, "Means", ("n: answered of all",))
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")))


def test_lines_are_aligned_where_characters_take_two_places():
    lines = aligned(TABLE).splitlines()
    assert lines == [
        "run        D-FS, %      n",
        "a|b & <c>     78.0  27/30",
        "李明           9.5    8/9",
    ]
    assert len({cell_len(line) for line in lines}) == 1
    empty = Table((Column("a"), Column()), (("1", ""),))
    assert aligned(empty, indent=" ") == " a\n 1"
    assert aligned(labeled([("x", "1"), ("long", "20")])) == "x      1\nlong  20"


def test_marks_and_intervals_in_each_form():
    assert to_markdown(TABLE).splitlines() == [
        "| run | D-FS, % | n |",
        "| --- | ---: | ---: |",
        r"| a\|b & \<c\> | 78.0ᵃᶜ (70.1–81.2) | 27/30 |",
        "| 李明 | 9.5 | 8/9 |",
    ]
    lines = to_latex(TABLE).splitlines()
    assert lines[2] == r" & D-FS, \% & $n$ \\"
    assert lines[4:6] == [
        r"a\textbar{}b \& <c> & 78.0$^{ac}$ & 27/30 \\",
        r" & {\scriptsize 70.1--81.2} &  \\",
    ]
    shown = drawn(lambda console: console.print(rich_table(TABLE)), width=60).splitlines()
    assert [line.split() for line in shown[2:5]] == [
        ["a|b", "&", "<c>", "78.0ᵃᶜ", "27/30"], ["70.1–81.2"], ["李明", "9.5", "8/9"],
    ]  # fmt: skip
    # Digits are aligned: a cell without marks has spaces in their place.
    assert shown[2].index("78.0") + len("78.0") == shown[4].index("9.5") + len("9.5") + 2


def test_values_for_programs_are_not_rounded():
    table = Table((Column("x"),), (("0.3",),), records=({"x": 1 / 3, "y": None},))
    assert to_csv(table) == "x,y\n0.3333333333333333,\n"
    assert to_csv(Table((Column("x"),), (("0.3",),))) == "x\n0.3\n"
    assert json_text({"a": (float("nan"), 1.5)}) == '{\n  "a": [\n    null,\n    1.5\n  ]\n}\n'


@given(st.lists(st.tuples(texts, texts), max_size=4))
def test_every_text_arrives(rows):
    table = Table((Column("a", left=True), Column("b")), tuple(rows))
    found = [tuple(row) for row in csv.reader(io.StringIO(to_csv(table)))][1:]
    assert [tuple(c.removeprefix("'") if w != c else c for w, c in zip(want, got, strict=True))
            for want, got in zip(rows, found, strict=True)] == rows  # fmt: skip
    for kind in ("", "figures"):
        page = to_html(table, kind=kind)
        cells = re.findall(r"<td[^>]*>(?:<bdi>)?(.*?)(?:</bdi>)?</td>", page, re.DOTALL)
        assert [html.unescape(cell) for cell in cells] == [cell for row in rows for cell in row]
    lines = to_markdown(table).splitlines()
    assert len(lines) == 2 + len(rows)
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in lines)


@pytest.mark.parametrize("width", [20, 40])
def test_a_narrow_terminal_loses_nothing(width):
    table = Table((Column("name", left=True, fold=True), Column("FS")), (("Ann " * 9, "94.7"),))
    shown = drawn(lambda console: console.print(rich_table(table)), width=width)
    assert shown.count("Ann") == 9
    assert "94.7" in shown
