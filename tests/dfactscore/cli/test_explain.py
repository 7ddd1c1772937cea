"""The command `explain`: who each clause is about, and by which rule."""

import json

import pytest
from typer.testing import CliRunner

import dfactscore._cli.views  # noqa: F401  (adds its command)
from dfactscore._cli.app import app
from dfactscore._errors import InputError

TEXT = "Mark Hall was a judge. He sang. Another Mark Hall is a poet."


@pytest.fixture
def bios(tmp_path):
    rows = [{"name": "Mark Hall", "text": TEXT}, {"name": "Ann Lee", "text": "Ann Lee sang."}]
    path = tmp_path / "bios.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_each_clause_has_its_individual_and_rule(bios):
    said = CliRunner().invoke(app, ["explain", str(bios), "--name", "Mark Hall"]).output
    assert "  1  Mark Hall was a judge\n     first person: " in said
    assert "  2  Another Mark Hall is a poet\n     another: " in said
    assert "Ann Lee" not in said


def test_all_names_and_cues(bios):
    said = CliRunner().invoke(app, ["explain", str(bios), "--cues"]).output
    assert said.count("Ann Lee") == 3
    assert "pronoun" in said


def test_a_file_with_columns_of_its_own(tmp_path):
    path = tmp_path / "bios.csv"
    path.write_text(f"person,answer\nMark Hall,{TEXT}\n", "utf-8")
    words = ["explain", str(path), "--field", "text=answer", "--field"]
    assert "  2  Another Mark Hall" in CliRunner().invoke(app, [*words, "name=person"]).output
    error = CliRunner().invoke(app, [*words, "name=persn"]).exception
    assert isinstance(error, InputError)


def test_facts_and_what_is_left_out_are_shown_and_counted(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("Mark Hall, a judge from Leeds, England, sang. In 1751 he became", "utf-8")
    said = CliRunner().invoke(app, ["explain", str(path), "--name", "Mark Hall"]).output
    assert "     + Mark Hall was a judge.\n" in said
    assert "     ~ Leeds is in England.\n" in said
    assert "     - Mark Hall became.  [cut off]\n" in said
    assert said.endswith("  3 facts, 2 left out: cut off, 1 of context\n")


def test_a_plain_text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, "utf-8")
    assert "  2  Another" in CliRunner().invoke(app, ["explain", str(path)]).output


def test_of_a_run_its_texts_are_named(bios, tmp_path):
    run, pages = tmp_path / "run", tmp_path / "pages.jsonl"
    pages.write_text('{"title": "Mark Hall (judge)", "text": "Mark Hall was a judge."}\n')
    words = ["score", str(bios), "--pages", str(pages), "--out", str(run)]
    assert CliRunner().invoke(app, words).exit_code == 0
    error = CliRunner().invoke(app, ["explain", str(run)]).exception
    assert f"is a run: {run / 'biographies.jsonl'} holds its texts" in str(error)
    said = CliRunner().invoke(app, ["explain", str(run / "biographies.jsonl")]).output
    assert "  2  Another Mark Hall is a poet" in said
    (run / "biographies.jsonl").unlink()
    error = CliRunner().invoke(app, ["explain", str(run)]).exception
    assert f"{run}: is a folder; give one file of texts" in str(error)


def test_an_unknown_name_is_a_mistake(bios):
    error = CliRunner().invoke(app, ["explain", str(bios), "--name", "Bob"]).exception
    assert isinstance(error, InputError)
    assert "it contains 'Mark Hall', 'Ann Lee'" in str(error)


def test_the_block_of_each_line_is_named(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(
        "**Judge:** He ruled. Early life He was born in Cork.\n**Poet:** He wrote.", "utf-8"
    )
    words = ["explain", str(path), "--name", "Mark Hall"]
    said = CliRunner().invoke(app, words).output
    assert "  #  **Poet:** He wrote.  [heading: A heading, item or label " in said
    (row,) = map(
        json.loads, CliRunner().invoke(app, [*words, "--format", "json"]).output.splitlines()
    )
    assert [block["block"] for block in row["blocks"]] == ["section", "heading", "heading"]
    assert [clause["people"] for clause in row["clauses"]][-1] == [2]
    assert {"text": "Mark Hall was born in Cork.", "label": None} in [
        fact for clause in row["clauses"] for fact in clause["facts"]
    ]
