from __future__ import annotations

import json
from dataclasses import replace

import networkx as nx
import pytest

from dfactscore._cli.app import main
from dfactscore.mixing import run_mixing


@pytest.fixture
def call(tmp_path, monkeypatch, capsys, make_run, make_scored):
    make_run([make_scored(), make_scored(id="2", support=((1, 0),), groups=((0,),))])
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["dfactscore", *arguments])
        with pytest.raises(SystemExit) as exit_:
            main()
        return (exit_.value.code or 0, *capsys.readouterr())

    return run


def test_prints_the_tables(call):
    code, out, err = call("mixing", "run", "--width", "120")
    assert (code, err) == (0, "")
    assert "same-name mixing" in out
    assert "Ann Lee (rower) (2) + Ann Lee (poet) (2)" in out


def test_writes_what_is_asked_for(call, tmp_path):
    pytest.importorskip("matplotlib")
    code, out, _ = call(
        "mixing", "run", "-o", "m.json", "--graphml", "m.graphml", "--plot", "m.svg",
        "--by-number", "n.png",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert json.loads((tmp_path / "m.json").read_text())["summary"]["n"] == 2
    assert nx.read_graphml(tmp_path / "m.graphml").number_of_edges() == 1
    assert (tmp_path / "n.png").exists()
    assert call("mixing", "run", "-o", "m.csv")[0] == 0
    assert (tmp_path / "m.csv").read_text().startswith("id,name,")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("mixing", "nowhere"), "nowhere: no such run folder"),
        (("mixing", "run", "-o", "m.xlsx"), "choose .csv, .json"),
        (("mixing", "run", "--plot", "--graphml", "-o", "x"), "--plot"),
        (("mixing", "run", "-o", "--by-number", "n.png"), "unexpected extra argument(s) (n.png)"),
        (("report", "nowhere"), "nowhere: no such run folder"),
        (("report", "run", "-o", "no/r.html"), "no: no such folder; create it first"),
    ],
)
def test_mistakes_are_one_line(call, arguments, words):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_report_is_written_into_the_run(call, tmp_path):
    code, out, _ = call("report", "run")
    assert (code, out.strip()) == (0, "run/report.html")
    assert (tmp_path / "run" / "report.html").read_text().startswith("<!doctype html>")


def test_rows_by_model_number_views_and_layout(make_scored):
    first = make_scored()
    second = make_scored(id="2", support=((1, 0),), groups=((0,),))
    texts = ("- She sang.\n- She ran.", "She sang.")
    records = [
        replace(r, biography=replace(r.biography, model=model, text=text, raw=""))
        for r, model, text in zip((first, second), ("x", "y"), texts, strict=True)
    ]
    mixing = run_mixing(records, views={first.entities[0].id: 1500, first.entities[1].id: 40})
    assert list(mixing.parts("model")) == ["x", "y"]
    assert list(mixing.parts("layout")) == ["list", "prose"]
    assert list(mixing.parts("number")) == ["2"]
    assert list(mixing.parts("popularity")) == ["1,000 views and more"]
    assert sum(part.summary().n for part in mixing.parts("model").values()) == 2
    assert "\nx " in mixing.to_text()
    assert "(2)" in mixing.to_text()
    assert mixing.to_latex().count(r"\toprule") == 1
    assert "| x | 1 |" in mixing.to_markdown()


def test_rows_by_popularity_need_views(call):
    code, _, err = call("mixing", "run", "--rows", "popularity")
    assert code == 2
    assert "--views FILE" in err
