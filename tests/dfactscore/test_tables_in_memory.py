"""Data frames and the like through `Scorer`: any names, bad rows, and what comes back."""

from __future__ import annotations

import pandas as pd
import pytest

from dfactscore import InputError, Scorer, load_run

PAGES = pd.DataFrame(
    {"page": ["Ann Lee (painter)", "Ann Lee (rower)"],
     "content": ["Ann Lee (born 1950) is an English painter.", "Ann Lee is a rower from Canada."]}
)  # fmt: skip
FRAME = pd.DataFrame(
    {"key": ["a", "b", "c", "d"],
     "person": ["Ann Lee", None, "Ann Lee", "Ann Lee"],
     "answer": ["Ann Lee is a painter.", "Who?", None, "Ann Lee is a rower from Canada."]}
)  # fmt: skip
NAMES = {"text": "answer", "name": "person", "id": "key"}


def test_a_bad_row_does_not_stop_the_others(tmp_path):
    with pytest.warns(
        UserWarning, match=r"1 of 4 records skipped .*record 2 \(id b\): field 'name'"
    ):
        results = Scorer(pages=PAGES).score_many(FRAME, **NAMES)
    assert [r.record.id for r in results] == ["a", "c", "d"]
    assert [(b.line, b.id) for b in results.bad] == [(2, "b")]
    assert results.summary.statuses == {"abstained": 1, "error": 1, "scored": 2}
    assert results.summary.n == 4
    assert "skipped record 2 (id b): field 'name': is empty" in str(results)
    run = load_run(results.save(tmp_path / "run"))
    assert run.n_bad == 1
    assert run.manifest["status"] == "incomplete"
    errors = (tmp_path / "run" / "errors.jsonl").read_text()
    assert errors.count("\n") == 1


def test_no_usable_row_is_a_mistake():
    with pytest.raises(InputError, match="contains no usable record; record 1"):
        Scorer().score_many(FRAME[1:2], **NAMES)


def test_a_column_of_another_name():
    with pytest.raises(InputError, match=r"no column 'answr' for the text; it has .*mean answer"):
        Scorer().score_many(FRAME, text="answr", name="person")


def test_progress_is_counted(capsys):
    seen = []
    good = FRAME.iloc[[0, 3]]
    Scorer(pages=PAGES).score_many(good, **NAMES, progress=lambda n, total: seen.append((n, total)))
    assert seen == [(1, 2), (2, 2)]
    Scorer(pages=PAGES).score_many(good, **NAMES, progress=True)
    assert "scoring" in capsys.readouterr().err
