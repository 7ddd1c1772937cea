from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore import Scorer, read_biographies
from dfactscore._errors import InputError
from dfactscore._scoring import ScoreOptions
from dfactscore.examples import example
from dfactscore.mixing import biography_mixing, mixed_text, run_mixing


def test_one_mixed_biography(make_scored):
    mixing = biography_mixing(make_scored())
    assert mixing.mixed == 1
    assert mixing.lost.same_name == (2, 3)
    assert (mixing.gap, mixing.same_name, mixing.other_page) == (0.4, 0.4, 0.0)
    assert (mixing.foreign, mixing.switches, mixing.n_named) == (2, 1, 2)


@given(
    rows=st.lists(st.tuples(*[st.booleans()] * 3), min_size=1, max_size=7),
    link=st.sampled_from(["argmax", "hungarian"]),
    candidates=st.sampled_from(["retrieved", "named"]),
    irrelevant=st.sampled_from(["keep", "exclude"]),
    some_label=st.booleans(),
)
def test_parts_add_up_to_the_gap_of_the_scores(
    make_scored, rows, link, candidates, irrelevant, some_label
):
    half = len(rows) // 2
    groups = [g for g in (range(half), range(half, len(rows))) if len(g)]
    scored = make_scored(
        support=rows,
        titles=("Ann Lee (rower)", "Ann Lee (poet)", "Leeds"),
        groups=groups,
        options=ScoreOptions(link=link, irrelevant=irrelevant),
        candidates=candidates,
        labels=(0,) if some_label else (),
    )
    mixing = biography_mixing(scored)
    if mixing is None:
        assert scored.scores.fs is None
        return
    assert mixing.fs == pytest.approx(scored.scores.fs)
    assert mixing.dfs == pytest.approx(scored.scores.dfs)
    assert mixing.gap == pytest.approx(scored.scores.fs - scored.scores.dfs)
    assert mixing.gap == pytest.approx(mixing.same_name + mixing.other_page + mixing.link_conflict)


def test_biographies_without_dfs_are_left_out_and_counted(make_scored):
    found = run_mixing([make_scored(), make_scored(groups=None), make_scored(status="abstained")])
    assert (len(found.biographies), found.left_out) == (1, 2)
    assert "2 without D-FS left out" in str(found)


def test_summary_and_outputs(make_scored):
    clean = make_scored(support=((1, 0), (1, 0)), groups=((0, 1),), id="2")
    found = run_mixing([clean, make_scored()])
    summary = found.summary()
    assert (summary.n, summary.mixed_groups, summary.mixed_biographies) == (2, 0.5, 0.5)
    assert summary.gap == pytest.approx(0.2)
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [r["id"] for r in rows] == ["1", "2"]  # the most mixed first
    document = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert document["summary"]["same_name"] == pytest.approx(0.2)
    assert found.to_frame().loc[0, "foreign"] == 2
    assert "Ann Lee (rower) (2) + Ann Lee (poet) (2)" in found.to_text(width=140)


def test_an_empty_run_prints():
    found = run_mixing([])
    assert "0 biographies" in str(found)
    assert "(-" not in str(found)
    assert json.loads(found.to_json())["summary"]["gap"] is None
    assert found.to_csv() == "id\n"
    assert len(found.graph()) == 0


def test_graphml_reads_back_whatever_the_titles(make_scored):
    titles = ("Ann Lee <b>&\x0c\u202e", "Ann Lee (poet)")
    found = run_mixing([make_scored(titles=titles)])
    graph = nx.parse_graphml(found.to_graphml())
    assert graph.number_of_nodes() == 2
    assert graph.number_of_edges() == 1
    assert any(n.startswith("Ann Lee <b>&") for n in graph)


@pytest.mark.parametrize("kind", ["graph", "by_number"])
def test_plots(make_scored, tmp_path, kind):
    pytest.importorskip("matplotlib")
    found = run_mixing([make_scored(), make_scored(name="Bo Ray", titles=("Bo Ray", "Bo Ray (x)"))])
    found.plot(kind, tmp_path / "a.png")
    found.plot(kind, tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    if kind == "graph":
        assert "Ann Lee (poet)" in (tmp_path / "a.svg").read_text()
    run_mixing([]).plot(kind, tmp_path / "b.png")
    with pytest.raises(InputError, match="unknown plot 'pie'"):
        found.plot("pie")


def test_many_people_in_one_cluster_are_drawn(make_scored, tmp_path):
    pytest.importorskip("matplotlib")
    titles = [f"Ann Lee ({i})" for i in range(5)]
    support = [[i // 2 == e for e in range(5)] for i in range(10)]
    scored = make_scored(support=support, titles=titles, groups=(range(10),))
    run_mixing([scored]).plot("graph", tmp_path / "a.svg")
    assert all(t in (tmp_path / "a.svg").read_text() for t in titles)


def test_the_tables_are_the_same_in_a_notebook(make_scored, monkeypatch):
    mixing = run_mixing([make_scored()])
    plain = str(mixing)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert str(mixing) == plain


_DRAW = """
import sys
from dfactscore.mixing._mixing_plots import plot_mixing
from dfactscore.mixing import RunMixing
import networkx as nx

class Drawn(RunMixing):
    def graph(self):
        found = nx.Graph()
        for a, b in {("p", "q"), ("q", "r"), ("p", "r")}:
            found.add_edge(a, b, weight=2, groups=1)
        nx.set_node_attributes(found, 2, "facts")
        return found

plot_mixing(Drawn((), 0, 2), "graph", sys.argv[1])
"""


@pytest.mark.slow
def test_the_drawing_does_not_depend_on_the_order_of_sets(tmp_path):
    pytest.importorskip("matplotlib")
    drawn = set()
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.svg"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", _DRAW, str(file)], env=environment, check=True)
        drawn.add(file.read_bytes())
    assert len(drawn) == 1


def test_one_definition_of_mixed_behind_every_door(tmp_path):
    """`score`, `rescore`, `compare`, `report` and `mixing` count the same texts as mixed."""
    import json
    import re

    from dfactscore import Scorer, compare, load_run, write_report
    from dfactscore._readers import read_biographies
    from dfactscore.examples import example

    people = example("people")
    texts = read_biographies(people.biographies, limit=12).biographies
    shares = []
    for least in (1, 2, 5):
        scorer = Scorer(pages=str(people.pages), min_foreign=least)
        results = scorer.score_many(texts)
        run = load_run(results.save(tmp_path / str(least)))
        mixing = run_mixing(run.records())
        assert mixing.min_foreign == least
        assert results.summary.mixed == mixing.summary().mixed_biographies
        found = compare({"run": run}, resamples=100).models[0].levels["mixed"].mean
        assert found == results.summary.mixed
        page = write_report(run.folder, tmp_path / "page.html").read_text(encoding="utf-8")
        index = json.loads(re.search(r'id="index"[^>]*>(.*?)</script>', page, re.S)[1])
        assert [row[9] is not None for row in index["rows"]] == [
            r.scores is not None and r.scores.mixed_groups > 0 for r in (x.record for x in results)
        ]
        again = load_run(tmp_path / "1").options.changed(min_foreign=least)
        rescored = list(load_run(tmp_path / "1").records(options=again))
        assert run_mixing(rescored).summary().mixed_biographies == results.summary.mixed
        shares.append(results.summary.mixed)
    assert shares[0] >= shares[1] > shares[2]


@pytest.fixture(scope="module")
def hanley():
    people = example("people")
    biographies = read_biographies(people.biographies).biographies
    (mixed,) = (b for b in biographies if b.id == "hanley-mixed")
    return Scorer(pages=str(people.pages)).score_many([mixed])[0]


def test_a_text_by_person(hanley):
    """The pieces are the text, and each credited fact lies in pieces of its person."""
    shown = mixed_text(hanley)
    text = hanley.record.biography.text
    assert "".join(piece for piece, _ in shown.pieces) == text
    assert len(shown.people) == 2
    frame = shown.to_frame()
    assert list(frame["fact"]) == [f.fact.text for f in hanley.facts]
    assert set(frame["credited to"].dropna()) == set(shown.people)
    (group,) = biography_mixing(hanley.record).groups
    assert frame["foreign"].sum() == len(group.foreign) > 0
    assert frame["switch before"].sum() == len(group.switches) > 0
    starts = {}
    at = 0
    for piece, who in shown.pieces:
        starts.update(dict.fromkeys(range(at, at + len(piece)), who))
        at += len(piece)
    for fact, person in zip(hanley.facts, frame["credited to"], strict=True):
        if isinstance(person, str):
            assert shown.people.index(person) in starts[fact.fact.span[0]]
    assert str(shown).startswith(text[:10])
    assert str(shown).endswith(f"A {shown.people[0]}, B {shown.people[1]}")
    html = shown._repr_html_()
    assert html.count("<sub>A</sub>") >= 1
    assert "<script" not in html


def test_a_text_by_person_needs_scores_and_places(make_scored):
    record = make_scored()
    placeless = replace(record, facts=tuple(replace(f, span=None) for f in record.facts))
    with pytest.raises(InputError, match="no places in the text"):
        mixed_text(placeless)
    with pytest.raises(InputError, match="has no D-FActScore"):
        mixed_text(make_scored(groups=None))
