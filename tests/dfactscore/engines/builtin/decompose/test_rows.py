"""Each row decides its own example: without the row, the example's facts are others.

`golden_rows.jsonl` holds the facts of the examples; run this file to write it again, and read the
difference.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from dfactscore._records import Biography
from dfactscore.engines import _builtin
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.paragraph import read_paragraph
from dfactscore.engines._builtin.language.rows import Table

GOLDEN = Path(__file__).with_name("golden_rows.jsonl")


def tables() -> dict[str, Table]:
    """Every table of the built-in rules, by name."""
    modules = walk_packages(_builtin.__path__, f"{_builtin.__name__}.")
    found = [
        value
        for module in modules
        for value in vars(import_module(module.name)).values()
        if isinstance(value, Table)
    ]
    named = {table.name: table for table in found}
    assert len(named) == len({id(table) for table in found}), "two tables of one name"
    return named


TABLES = tables()
ROWS = [(table.name, row.id) for table in TABLES.values() for row in table.rows]


def facts(text: str) -> list[str]:
    read_paragraph.cache_clear()  # clauses are read with the rows of a table
    return [fact.text for fact in BuiltinDecomposer().decompose(Biography("", "Ann Lee", text))]


def test_rows_have_their_own_ids():
    assert len(ROWS) == len({*ROWS})


@pytest.mark.parametrize(("name", "row_id"), ROWS)
def test_an_example_needs_its_row(name, row_id, monkeypatch):
    table = TABLES[name]
    row = next(row for row in table.rows if row.id == row_id)
    assert row.says.endswith(".")
    with_row = facts(row.example)
    monkeypatch.setattr(table, "rows", tuple(r for r in table.rows if r.id != row_id))
    try:
        without_row = facts(row.example)
    except IndexError:  # a later row needs what this one decided
        return
    assert without_row != with_row


def test_the_facts_of_the_examples_are_those_that_were_read():
    recorded = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    assert examples() == recorded


def examples() -> list[dict[str, object]]:
    rows = sorted(
        (table.name, row.id, row.example) for table in TABLES.values() for row in table.rows
    )
    return [
        {"table": name, "row": row_id, "text": text, "facts": facts(text)}
        for name, row_id, text in rows
    ]


if __name__ == "__main__":
    lines = [json.dumps(row, ensure_ascii=False) for row in examples()]
    GOLDEN.write_text("".join(f"{line}\n" for line in lines), "utf-8")
