from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "integrations.md").read_text("utf-8")


def blocks(heading, language):
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.S | re.M)


def test_the_test_of_the_page_fails_for_the_reason_that_it_shows(tmp_path):
    (code,) = blocks("pytest", "python")
    (shown,) = blocks("pytest", "text")
    (tmp_path / "test_page.py").write_text(code, encoding="utf-8")
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "dfactscore._pytest"]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, *words, "test_page.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=env,
    )
    failure = "\n".join(line.removeprefix("E").strip() for line in done.stdout.splitlines()
                        if line.startswith("E "))  # fmt: skip
    assert failure == "\n".join(line.strip() for line in shown.splitlines())


def test_the_dataset_is_loaded(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pyarrow", reason="needs the extra [parquet]")
    pytest.importorskip("datasets", reason="datasets is not installed")
    from dfactscore import Scorer
    from dfactscore._runs import load_run
    from dfactscore.examples import example
    from dfactscore.integrations._run_dataset import export_run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))
    folder = Scorer().score_many(str(example("ships").biographies)).save(tmp_path / "run")
    export_run(load_run(folder), tmp_path / "dataset")
    (code,) = blocks("datasets", "python")
    exec(code, {})
    first = load_run(folder).frames().facts.iloc[0]
    assert capsys.readouterr().out.startswith(f"{first['text']} USS Enterprise (CV-6) ")


def test_every_block_has_at_most_ten_lines():
    found = re.findall(r"^```(?:console|python)\n(.*?)^```", PAGE, re.S | re.M)
    assert len(found) > 3
    assert max(len(block.splitlines()) for block in found) <= 10
