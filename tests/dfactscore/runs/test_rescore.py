"""Scores again from saved verdicts: the run's own, or with other options."""

from __future__ import annotations

import pytest
from run_records import WritableRun, complete, manifest

from dfactscore._errors import InputError, RunError
from dfactscore._results.tables import scores_csv
from dfactscore._runs import load_run
from dfactscore._runs.rescore import rescore, save_rescored
from dfactscore._scorer.scorer import Scorer
from dfactscore.comparison import compare


def test_the_same_options_give_the_same_rows(tmp_path):
    record = {"id": "a", "name": "Ann Lee", "text": "Ann Lee sang. She ran.",
              "passages": [{"title": "Ann Lee", "text": "Ann Lee sang."}]}  # fmt: skip
    Scorer().score_many([record]).save(tmp_path / "run")
    found = rescore(tmp_path / "run")
    assert scores_csv(found.rows) == (tmp_path / "run" / "scores.csv").read_text("utf-8")
    assert not found.unfinished
    hungarian = rescore(tmp_path / "run", link="hungarian", gamma=10)
    assert hungarian.settings["scores"]["link"] == "hungarian"
    assert hungarian.rows[0]["fs"] < found.rows[0]["fs"]  # the length penalty
    save_rescored(tmp_path / "run", hungarian, tmp_path / "new")
    assert load_run(tmp_path / "new").options.gamma == 10
    assert rescore(tmp_path / "new").rows == hungarian.rows
    assert compare(tmp_path / "new").models[0].levels["fs"].mean == hungarian.summary.fs
    with pytest.raises(InputError, match="exists"):
        save_rescored(tmp_path / "run", hungarian, tmp_path / "new")


def test_a_run_that_is_not_finished_says_so(tmp_path):
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(complete())
        run.manifest["input"]["records"] = 3
        run.files.finish("running")
    found = rescore(tmp_path / "run")
    assert len(found.rows) == 1
    assert "1 of 3 biographies are judged" in found.unfinished


def test_what_cannot_be_is_refused(tmp_path):
    with pytest.raises(RunError, match="no such run folder"):
        rescore(tmp_path / "none")
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(complete())
    with pytest.raises(InputError, match="choose argmax or hungarian"):
        rescore(tmp_path / "run", link="x")
    with pytest.raises(InputError, match="dataset"):
        rescore(tmp_path / "run", candidates="dataset")
