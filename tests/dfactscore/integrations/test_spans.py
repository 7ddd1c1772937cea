"""Exports texts with labeled spans, which are read again."""

from __future__ import annotations

import json

import pytest

from dfactscore import Scorer, read_biographies
from dfactscore._cli.app import main

PAGES = {
    "Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996.",
}
TEXT = "Ann Lee is a poet. She rowed for Canada. She lives in Rome [1]."


def test_spans(tmp_path, monkeypatch, capsys):
    record = {"id": "a", "name": "Ann Lee", "text": TEXT}
    run = Scorer(pages=PAGES).score_many([record]).save(tmp_path / "run")
    out = tmp_path / "spans.jsonl"
    command = ["dfactscore", "export", str(run), "--format", "spans", "--out", str(out)]
    for _ in range(2):  # a file of its own is replaced
        monkeypatch.setattr("sys.argv", command)
        with pytest.raises(SystemExit):
            main()
    assert capsys.readouterr().out == f"1 text: {out}\n" * 2
    (line,) = map(json.loads, out.read_text("utf-8").splitlines())
    assert [(row["text"], row["verdict"], row["person"]) for row in line["labels"]] == [
        ("a poet", "elsewhere", "Ann Lee (rower)"),
        ("rowed for Canada", "supported", "Ann Lee (rower)"),
        ("lives in Rome", "unsupported", "Ann Lee (rower)"),
    ]
    for row in line["labels"]:
        assert line["response"][row["start"] : row["end"]] == row["text"]
    assert line["labels"][0]["supported_by"] == ["Ann Lee (poet)"]
    (again,) = read_biographies(out).biographies
    assert (again.id, again.name, again.text) == ("a", "Ann Lee", line["response"])
