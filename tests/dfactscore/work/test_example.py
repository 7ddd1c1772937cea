"""The task of `docs/extending.md`: it resumes, tries again, estimates and goes over workers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dfactscore._errors import RunError

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture
def main(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield __import__("count_words").main
    sys.modules.pop("count_words", None)


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    rows = [{"id": str(n), "text": "one two " * n} for n in range(1, 61)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_task_of_ones_own(main, texts, tmp_path, capsys, caplog):
    assert len((EXAMPLES / "count_words.py").read_text().splitlines()) <= 80
    out = tmp_path / "counts"
    main([str(texts), "--out", str(out), "--dry-run"])
    assert capsys.readouterr().out.startswith("60 calls, ")
    assert not out.exists()
    whole = texts.read_text()
    texts.write_text(whole.replace("one two one two one two", "busy", 1))
    main([str(texts), "--out", str(tmp_path / "busy")])
    assert "1 of 60 texts failed; '3': the model is busy" in caplog.messages[0]
    texts.write_text(whole)
    main([str(texts), "--out", str(out)])
    assert capsys.readouterr().out.splitlines()[-1].split() == ["60", "120"]
    assert json.loads((out / "manifest.json").read_text())["status"] == "complete"
    texts.write_text(whole.replace("one", "another"))
    with pytest.raises(RunError, match=r"counts: holds another run: it has done '1', which"):
        main([str(texts), "--out", str(out)])


@pytest.mark.slow
def test_over_workers_the_lines_are_the_same(main, texts, tmp_path):
    for workers in (1, 2):
        out = str(tmp_path / str(workers))
        main([str(texts), "--out", out, "--workers", str(workers)])
    first, second = (tmp_path / name / "counts.jsonl" for name in ("1", "2"))
    assert first.read_bytes() == second.read_bytes()
