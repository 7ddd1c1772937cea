"""Displays of results."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dfactscore import Result, Results, Scorer, load_run, run_mixing
from dfactscore._errors import InputError
from dfactscore._results.summary import summary_table
from dfactscore._util.numbers import percent
from dfactscore.measures._table import aligned


@pytest.mark.slow
def test_a_notebook_shows_what_print_shows(make_scored):
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    results = Results([Result(make_scored()), Result(make_scored(id="2", name="Tom Hill"))])
    assert pretty(results) == str(results)
    assert pretty(results[0]) == str(results[0])
    assert pretty(run_mixing(results)) == str(run_mixing(results))


def test_repr_is_one_stable_line(make_scored):
    results = Results([Result(make_scored())])
    assert repr(results) == "Results(n=1, fs=0.8, dfs=0.4)"
    assert repr(results[0]) == "Result(name='Ann Lee', status='scored', fs=0.8, dfs=0.4)"


@pytest.mark.parametrize("change", [
    {"id": "2"}, {"name": "Tom Hill"}, {"groups": None}, {"status": "error"},
])  # fmt: skip
def test_results_are_equal_if_their_records_are(make_scored, change):
    result, same, other = (Result(make_scored(**keys)) for keys in ({}, {}, change))
    assert result == same
    assert hash(result) == hash(same)
    assert result != other
    assert result != result.record
    assert Results([result]) == Results([same])
    assert len({Results([result]), Results([same]), Results([other])}) == 2
    assert Results([result]) != [result]
    asked = replace(result.record, usage={"facts": {"decompose": {"m": {"calls": 1}}}})
    assert Result(asked) == result


@pytest.mark.parametrize(
    "text", ["Ann Lee", "Ann Lee sang.", "I know no Ann Lee.", "Ann Lee ran. Ann?"]
)
def test_the_same_text_has_the_same_result(text):
    pages = {"Ann Lee (singer)": "Ann Lee sang in Leeds.", "Ann Lee (rower)": "Ann Lee ran."}
    first, second = (
        Scorer(pages=pages).score_many([{"name": "Ann Lee", "text": text}]) for _ in range(2)
    )
    assert first == second
    assert first[0] == Scorer(pages=pages).score(text, name="Ann Lee")


def test_the_gap_is_shown_with_what_it_is_taken_from(make_scored):
    """With the FS of the texts that have both scores, which is not that of all texts."""
    ungrouped = make_scored(id="2", groups=None)
    both = Results([Result(make_scored()), Result(ungrouped)])
    summary = both.summary
    assert (summary.n_scored, summary.n_both, summary.fs_both) == (2, 1, 0.8)
    assert summary.gap == summary.fs_both - summary.dfs
    assert "(80.00 − 40.00, 1 text)" in str(both)
    assert summary.kept == 0.5
    every = aligned(summary_table(summary, columns=("all",)))
    assert re.search(r"^D-FS/FS +50\.0", every, re.M)
    assert re.search(r"^D-FS facts +40\.0", every, re.M)


def test_a_summary_shows_what_a_paper_prints_with_the_intervals_of_a_comparison(make_scored):
    scored = [make_scored(), make_scored(id="2", name="Tom Hill")]
    results = Results([Result(one) for one in scored])
    shown = str(results).splitlines()
    assert [line.split()[0] for line in shown] == [
        "n", "FS", "D-FS", "gap", "people", "entities", "mixed", "recall", "answers",
    ]  # fmt: skip
    levels = results.compare(tests=False).models[0].levels
    for line, measure in zip(shown[1:4], ("fs", "dfs", "gap"), strict=True):
        low, high = levels[measure].interval
        assert f" {percent(levels[measure].mean)}  {percent(low)}–{percent(high)}  " in line
    chosen = summary_table(results.summary, columns=("n_facts", "fs"))
    assert [row[0] for row in chosen.rows] == ["n", "facts", "FS"]
    with pytest.raises(InputError, match=r"unknown column 'n_fact'; .*did you mean n_facts\?"):
        summary_table(results.summary, columns=("n_fact",))


def test_mixing_takes_results(make_scored):
    scored = [make_scored(), make_scored(id="2")]
    assert run_mixing(Results([Result(s) for s in scored])) == run_mixing(scored)


def test_frames_are_those_of_a_run(make_scored, make_run):
    import pandas as pd

    scored = [make_scored(), make_scored(id="2", groups=((0, 1), (2, 3, 4)))]
    ours = Results([Result(s) for s in scored]).frames()
    theirs = load_run(make_run(scored)).frames()
    for name in ("facts", "groups", "links", "cells"):
        pd.testing.assert_frame_equal(getattr(ours, name), getattr(theirs, name))


def test_frames_of_texts_that_were_not_judged():
    pages = {"Ann Lee": "Ann Lee is a painter."}
    texts = ("I am sorry, I cannot write about Ann Lee.", "Ann Lee is a painter.", "")
    records = [{"name": "Ann Lee", "text": text} for text in texts]
    frames = Scorer(pages=pages).score_many(records).frames()
    assert len(frames.biographies) == 3
    assert frames.biographies["status"].tolist() == ["abstained", "scored", "abstained"]
    assert set(frames.cells["id"]) == {"1"}


def test_models_that_are_averaged_together_are_counted(make_scored):
    from dataclasses import replace

    def by(model, id):
        record = make_scored(id=id)
        return replace(record, biography=replace(record.biography, model=model))

    together = Results([Result(by("big", "1")), Result(by("small", "2")), Result(by("big", "3"))])
    assert together.summary.models == {"big": 2, "small": 1}
    assert re.search(r"models +2  averaged \(compare --rows model\)$", str(together))
    assert "averaged" not in str(together[::2])
    assert "2 models are averaged together above." in str(run_mixing(together))
    assert "averaged" not in str(run_mixing(together[::2]))


def test_results_lead_on(make_scored, tmp_path):
    import json

    results = Results([Result(make_scored()), Result(make_scored(id="2", name="<b>Tom</b>"))])
    page = results.report(tmp_path / "page.html", title="mine").read_text(encoding="utf-8")
    assert "<title>mine" in page
    found = results.compare(results[:1], labels=["all", "first"], resamples=100)
    assert [m.label for m in found.models] == ["all", "first"]
    assert results.to_latex(caption="Mine").count("\\caption{Mine.}") == 1
    assert json.loads(json.dumps(results.summary.to_dict()))["fs"] == results.summary.fs
    for html in (results._repr_html_(), results[1]._repr_html_()):
        assert "&lt;b&gt;Tom&lt;/b&gt;" in html
        assert "<b>" not in html
        assert "<script" not in html
    matrix = results[0].matrix
    frame = results[0].to_frame()
    assert frame.shape == matrix.status.shape
    assert list(frame.columns) == list(matrix.entities)
    assert (frame == "supported").to_numpy().tolist() == matrix.support.tolist()


def test_facts_as_a_table(make_scored):
    result = Result(make_scored())
    frame = result.facts_frame()
    assert list(frame["fact"]) == [f.fact.text for f in result.facts]
    assert list(frame["standing"]) == [f.standing for f in result.facts]
    assert (frame["standing"] == "supported").mean() == result.dfs
    assert (frame["standing"] != "unsupported").mean() == result.fs
    assert frame["supported_by"][0] == ", ".join(result.facts[0].supported_by)


def test_texts_without_a_candidate_are_counted_once(make_scored):
    unknown = [{"id": id, "name": "Bo Day", "text": "Bo Day is a painter."} for id in "ab"]
    known = {"name": "Ann Lee", "text": "Ann Lee is a poet.",
             "passages": [{"title": "Ann Lee", "text": "Ann Lee is a poet."}]}  # fmt: skip
    results = Scorer().score_many([known, *unknown])
    assert results.summary.without_candidates == 2
    lines = [line.split() for line in str(results).splitlines()]
    assert [line for line in lines if line[:1] == ["no"]] == [
        ["no", "candidates", "2", "not", "scored"]
    ]
    scored = replace(Results([Result(make_scored())]).summary, without_candidates=1)
    assert any(row[:2] == ("no candidate", "1") for row in summary_table(scored).rows)
