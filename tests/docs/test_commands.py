"""The committed command reference is what the code says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("make_commands", DOCS / "make_commands.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.render()


def test_up_to_date(page):
    committed = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert page == committed, "run python docs/make_commands.py"


def test_says_what_help_says(page):
    score = page.split("## dfactscore score\n")[1]
    assert "dfactscore score [INPUT] [OPTIONS]" in score
    assert (
        "| `--out`, `-o` PATH | Run folder; the same command resumes it. | `runs/INPUT-HASH` |"
        in score
    )
    assert "One of `argmax`, `hungarian`." in score
    assert "| `--soft`, `--hard` |" in score
    assert (
        "| `--format` | Format of the results. One of `table`, `json`, `csv`. | `table` |" in score
    )
    panels = ["Input", "Evidence", "Scoring", "Engine", "Model", "Limits", "Output"]
    places = [score.index(f"**{panel}**") for panel in panels]
    assert places == sorted(places)


def test_every_command_has_its_link(page):
    import re

    headings = {h.replace(" ", "-") for h in re.findall(r"^#+ (dfactscore .*)$", page, re.M)}
    linked = set(re.findall(r"\(#(.*?)\)", page))
    assert linked <= headings
    assert {"dfactscore-score", "dfactscore-index-build", "dfactscore-cache-info"} <= linked
