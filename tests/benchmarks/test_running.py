"""Others can run the benchmarks: inputs are documented, and a missing input gives one line."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import fetch_data
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def script(name, *arguments, **environment):
    return subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *arguments],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip


def test_the_readme_names_the_scripts():
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+\.py)` \| \S", text, re.M))
    folders = [BENCHMARKS, *(BENCHMARKS.parent / name for name in ("training", "tests/robustness"))]
    scripts = {p.name for folder in folders for p in folder.glob("*.py")}
    assert named == {name for name in scripts if not name.startswith("test_")} - {"running.py"}


def test_data_are_fetched_and_checked(tmp_path):
    """Files stand in for a server: a valid file is kept, another version is not."""
    right = {"url": "http://127.0.0.1:9/x", "from": "", "sha256": hashlib.sha256(b"x").hexdigest()}
    place = tmp_path / "a" / "b.txt"
    assert "missing: http://127.0.0.1:9/x cannot be reached" in fetch_data.fetch(place, right)
    assert not place.exists()
    (tmp_path / "served").write_bytes(b"x")
    served = {**right, "url": (tmp_path / "served").as_uri()}
    assert "by hand" in fetch_data.fetch(place, served)
    place.parent.mkdir()
    place.write_bytes(b"x")
    assert fetch_data.fetch(place, right) == "ok, there already"
    sources = json.loads((BENCHMARKS / "sources.json").read_text(encoding="utf-8"))
    for source in sources.values():
        assert source["from"]
        assert re.fullmatch(r"[0-9a-f]{64}", source["sha256"])
        assert source["url"].startswith("https://") or not source["url"]


def test_every_script_says_what_it_lacks():
    """Each script uses `running.run`, and none finds the data in another way."""
    for path in sorted([*BENCHMARKS.glob("*.py"), *(BENCHMARKS.parent / "training").glob("*.py")]):
        text = path.read_text(encoding="utf-8")
        if "__main__" in text and "sys.exit(bool(main()))" not in text:
            assert re.search(r"^ *(from running import run|import running)$", text, re.M), path
        if path.name not in ("running.py", "grouping_labels.py"):
            assert not re.search(r'environ.*"DFACTSCORE_DATA"', text), path


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("factor.py", ["expert", "none.gguf"]), ("decomposer.py", []), ("meta.py", [])],
)
def test_data_that_are_missing_are_one_line(name, arguments, tmp_path):
    done = script(name, *arguments, DFACTSCORE_DATA=str(tmp_path))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert str(tmp_path) in done.stderr
