from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

from dfactscore._errors import InputError
from dfactscore.comparison import compare
from dfactscore.comparison._comparison_tables import columns


@pytest.fixture(scope="module")
def comparison():
    rng = np.random.default_rng(0)
    base = rng.beta(20, 2, 60)
    runs = {}
    for label, loss in (("small_model", 0.3), ("big & safe", 0.1)):
        runs[label] = [
            {"name": f"n{i}", "status": "scored", "fs": f, "dfs": f * (1 - loss * rng.random()),
             "dfs_one_group": f * 0.5, "n_bio": 1, "n_ent": 2, "n_facts": 20, "coverage": 1.0,
             "category": "one_bio_several_ents"}
            for i, f in enumerate(base)
        ]  # fmt: skip
    return compare(runs, resamples=500)


def test_text_fits_the_width(comparison):
    for width in (72, 100, 140):
        lines = comparison.to_text(width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert not any("…" in line for line in lines)


def test_text_is_the_same_in_a_notebook(comparison, monkeypatch):
    plain = comparison.to_text()
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert comparison.to_text() == plain


def test_text_says_everything(comparison):
    text = str(comparison)
    for words in (
        "big & safe", "small_model", "D-FS", "60/60", "Holm", "names only",
        "Order of the runs", "95 %",
    ):  # fmt: skip
        assert words in text
    assert "\x1b[" not in text
    assert "\x1b[" in comparison.to_text(color=True)


def test_markdown_has_equal_rows(comparison):
    tables = [t for t in comparison.to_markdown().split("\n\n") if t.startswith("|")]
    for table in tables[:2]:
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1
    assert "small\\_model" in tables[0]


def test_latex_is_escaped_and_rectangular(comparison):
    latex = comparison.to_latex()
    rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {
        len(re.findall(r"(?<!\\)&", rows[0]))
    }
    assert r"big \& safe" in latex
    assert r"small\_model" in latex
    assert "$^{a}$" in latex


def test_csv_is_unrounded(comparison):
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert [r["model"] for r in rows] == ["small_model", "big & safe"]
    assert float(rows[0]["fs"]) == comparison.models[0].levels["fs"].mean
    assert rows[1]["dfs_exceeds"] == "a"
    differences = list(csv.DictReader(io.StringIO(comparison.to_csv("differences"))))
    assert [r["measure"] for r in differences] == ["fs", "dfs", "gap"]


def test_json_is_strict(comparison):
    document = json.loads(comparison.to_json(), parse_constant=pytest.fail)
    assert document["ranks"]["n"] == 60
    assert document["levels"][0]["model"] == "small_model"
    assert document["notes"]
    assert document["seed"] == 0


def test_frames(comparison):
    levels = comparison.to_frame()
    assert levels.shape[0] == 2
    assert levels.loc[0, "n_ent"] == 2
    assert len(comparison.to_frame("differences")) == 3


def test_unknown_part(comparison):
    with pytest.raises(InputError, match="choose levels or differences"):
        comparison.to_frame("ranks")


def test_one_name_prints_without_intervals():
    text = str(compare({"a": [{"name": "A", "fs": 0.5, "dfs": 0.5}]}))
    assert "50.0" in text
    assert "nan" not in text


def test_chosen_columns_stand_everywhere(comparison):
    found = comparison.select("gap", "fs", "categories")
    text = found.to_text()
    head = text.splitlines()[0].split()
    assert head == ["run", "n", "gap", "FS", "kinds"]
    assert "0/100/0/0" in text
    assert "D-FActScore" not in text.split("significantly")[0]
    assert found.to_markdown().splitlines()[2].count("|") == 7
    assert found.to_csv().splitlines()[0].startswith("model,n,answered,scored,gap,gap_low")
    assert "dfs" not in found.to_csv().splitlines()[0]
    assert comparison.select().to_text() == comparison.to_text()
    assert comparison.select("all").to_csv() == comparison.to_csv()
    with pytest.raises(
        InputError, match=r"unknown column 'gpa'; choose all, fs, .*did you mean gap\?"
    ):
        comparison.select("gpa")


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex"])
def test_the_usual_columns_are_few_and_said_below(comparison, form):
    text = " ".join(getattr(comparison, form)().split())
    usual = [column.title for column in columns(comparison)]
    assert usual == ["FS", "D-FS", "gap", "people", "entities"]  # no row has mixed groups
    every = [column.title for column in columns(comparison.select("all"))]
    assert set(usual) < set(every)
    for title in every:
        assert (f"{title}: " in text) == (title in usual), title
    assert "n: texts scored" in text


def test_captions_and_notes(comparison):
    tex = comparison.to_latex()
    assert "\\caption{Scores of 2 runs, in percent" in tex
    assert "D-FActScore" in tex.split("\\footnotesize")[1]
    assert "Superscripts: significantly higher" in tex
    assert "\\caption{Mine, 95 \\%.}" in comparison.to_latex(caption="Mine, 95 %")
    bare = comparison.to_latex(caption="")
    assert "table" not in bare
    assert bare.count("\\begin{tabular}") == 1
    lines = comparison.to_markdown(caption="Mine").splitlines()
    assert lines[0] == "**Mine.**"
    assert any("D-FS: D-FActScore" in line for line in lines)


def test_tables_share_one_width(comparison):
    for width in (72, 100, 140):
        lines = comparison.to_text(width=width).splitlines()
        rules = {len(line) for line in lines if line.startswith("──")}
        assert len(rules) == 1


def test_tests_can_be_left_out():
    rows = [{"name": f"n{i}", "fs": 0.9, "dfs": i / 10} for i in range(9)]
    found = compare({"a": rows, "b": rows[::-1]}, resamples=100, tests=False)
    assert found.differences == ()
    assert "Holm" not in found.to_text()
    assert found.ranks is not None


def test_n_is_that_of_the_mean():
    rows = [
        {"name": "Ann", "status": "scored", "fs": 0.9, "dfs": 0.8, "n_facts": 3},
        {"name": "Bob", "status": "not_english"},
        {"name": "Cy", "status": "abstained"},
        {"name": "Di", "status": "no_candidates"},
    ]
    found = compare({"run": rows, "other": [{**row, "fs": row.get("fs")} for row in rows]})
    (model, _) = found.models
    assert (model.scored, model.answered, model.n) == (1, 3, 4)
    assert model.levels["fs"].n == 1
    for text in (str(found), found.to_markdown(), found.to_latex()):
        assert "1/4" in text
        assert "3/4" not in text


def test_runs_of_abstentions_alone_are_shown():
    found = compare({"a": [{"name": "Ann Lee", "status": "abstained"}]})
    for text in (str(found), found.to_markdown(), found.to_latex()):
        assert "0/1" in text
        assert "FS" not in text


def test_an_interval_that_is_not_there_is_an_empty_cell_of_csv():
    found = compare({"a": [{"name": "A", "fs": 0.5, "dfs": 0.25}]})
    (row,) = csv.DictReader(io.StringIO(found.to_csv()))
    assert (row["dfs"], row["dfs_low"], row["dfs_high"]) == ("0.25", "", "")
    assert "nan" not in row.values()
