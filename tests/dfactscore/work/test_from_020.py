"""Folders that 0.2.0 left half done are taken up: its lines stay, what is missing is added."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from dfactscore.cli.app import main
from dfactscore.factor import evaluate_factor, read_factor
from dfactscore.likelihood import UniformModel
from dfactscore.retrieval import BuildOptions, build_index, read_pages, split_pages

OLD = Path(__file__).parent / "from_020"


@pytest.fixture
def place(tmp_path, monkeypatch):
    shutil.copytree(OLD, tmp_path / "old")
    monkeypatch.chdir(tmp_path / "old")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "old"


@pytest.mark.parametrize(
    ("words", "journals", "manifest"),
    [
        ("score bios.jsonl --out score", "score/*s.jsonl", "score"),
        ("safe bios.jsonl --search index:index --out safe", "safe/*s.jsonl", "safe"),
        ("meta run felm=felm.jsonl -e builtin --resamples 100 --out meta", "meta/j*.jsonl", "meta"),
        ("generate --generator extractive --names names.txt --passages passages.jsonl "
         "--out generate/bios.jsonl", "generate/*.jsonl", "generate/bios"),
        ("factor build pages.jsonl --out build/items.jsonl", "build/*.stages/*.jsonl",
         "build/items.stages"),
        ("factor score", "factor/samples.jsonl", "factor"),
    ],
)  # fmt: skip
def test_half_done_is_finished(place, monkeypatch, capsys, words, journals, manifest):
    before = {path: path.read_bytes() for path in place.glob(journals)}
    assert before
    if words == "factor score":
        evaluate_factor(read_factor("factor.jsonl").items, UniformModel(), out="factor")
    else:
        if words.startswith("safe"):
            passages = split_pages(read_pages(place / "pages.jsonl"))
            build_index(passages, place / "index", options=BuildOptions(kind="bm25"))
        monkeypatch.setattr(sys, "argv", ["dfactscore", *words.split(), "--quiet"])
        with pytest.raises(SystemExit) as done:
            main()
        assert done.value.code == 0, capsys.readouterr().err
    grown = 0
    for path, content in before.items():
        after = path.read_bytes()
        assert after.startswith(content), path
        grown += len(after) > len(content)
    assert grown
    folder = place / manifest
    about = folder / "manifest.json" if folder.is_dir() else folder.with_suffix(".manifest.json")
    found = json.loads(about.read_text())
    assert found["status"] == "complete"
    if manifest == "safe":
        assert found["command"] == "safe"  # 0.2.0 called it "score"


def test_other_rules_do_not_resume(place, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["dfactscore", *["score", "bios.jsonl", "--out", "new", "-q"]])
    with pytest.raises(SystemExit):
        main()
    path = place / "new" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["settings"]["grouper"]["rules"] = "of another day"
    path.write_text(json.dumps(manifest))
    capsys.readouterr()
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code == 2
    said = capsys.readouterr().err
    assert "new: holds another run: settings.grouper.rules was 'of another day'" in said
