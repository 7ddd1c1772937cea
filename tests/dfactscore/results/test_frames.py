from __future__ import annotations

import pytest

from dfactscore._runs import load_run


def test_a_run_as_frames(make_run, make_scored):
    folder = make_run([make_scored(), make_scored(id="2", status="abstained")])
    frames = load_run(folder).frames()
    assert frames.biographies["id"].tolist() == ["1", "2"]
    assert len(frames.facts) == 5
    standings = ["supported"] * 2 + ["elsewhere"] * 2 + ["unsupported"]
    assert frames.facts["standing"].tolist() == standings
    assert frames.groups.loc[0, "n_facts"] == 5
    link = frames.links.iloc[0]
    assert (link["entity"], link["support"], link["named"]) == ("Ann Lee (rower)", 2, True)
    assert (link["runner_up"], link["margin"]) == ("Ann Lee (poet)", 0)
    assert len(frames.cells) == 10
    cell = frames.cells[(frames.cells["fact"] == 2) & ~frames.cells["linked"]].iloc[0]
    assert (cell["status"], cell["probability"]) == ("supported", 0.9)
    assert cell["evidence"] == "The deciding words about Ann Lee (poet)."


def test_frames_are_a_mapping_and_print_short(make_run, make_scored):
    frames = load_run(make_run([make_scored()])).frames()
    assert list(frames) == ["biographies", "facts", "groups", "links", "cells"]
    assert frames["facts"] is frames.facts
    assert {name: len(frame) for name, frame in frames.items()}["biographies"] == 1
    assert repr(frames).startswith("RunFrames(biographies: 1 rows, facts: ")
    assert "title" not in frames
    with pytest.raises(KeyError):
        frames["title"]


def test_frames_give_the_scores_back(make_run, make_scored):
    support = ((1, 0), (0, 1), (1, 1), (0, 0))
    scored = make_scored(support=support, groups=((0, 1), (2, 3)))
    frames = load_run(make_run([scored])).frames()
    cells = frames.cells.assign(yes=frames.cells["status"] == "supported")
    assert cells.groupby("fact")["yes"].any().mean() == scored.scores.fs
    assert (cells["yes"] & cells["linked"]).sum() / 4 == scored.scores.dfs


def test_an_unscored_run_has_all_columns(make_run, make_scored):
    frames = load_run(make_run([make_scored(status="no_facts")])).frames()
    assert len(frames.cells) == 0
    assert "evidence" in frames.cells.columns
