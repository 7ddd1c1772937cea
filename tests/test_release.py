"""Version, dates and interpreters agree between files."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import pytest
import yaml

from dfactscore import __version__

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "notebooks").glob("*.ipynb")),
]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def setup():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return config


@pytest.fixture(scope="module")
def workflow():
    return yaml.safe_load(read(".github/workflows/ci.yml"))


def test_one_version_and_its_date():
    sections = re.findall(r"^## (\S+) \((.*)\)$", read("CHANGELOG.md"), re.M)
    releases = [section for section in sections if section[1] != "unreleased"]
    assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) for _, date in releases)
    assert releases == sorted(releases, key=lambda release: release[1], reverse=True)
    citation = yaml.safe_load(read("CITATION.cff"))
    assert (citation["version"], citation["date-released"]) == releases[0]
    coming = [version for version, date in sections if date == "unreleased"]
    assert __version__ == (f"{coming[0]}.dev0" if coming else releases[0][0])
    assert sections[: len(coming)] == [(version, "unreleased") for version in coming[:1]]


def test_the_workflow_runs_what_setup_cfg_names(setup, workflow):
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    named = re.findall(r"Python :: (3\.\d+)", setup["metadata"]["classifiers"])
    assert matrix["python"] == named
    assert setup["options"]["python_requires"] == f">={named[0]}"
    assert {s.split("-")[0] for s in matrix["system"]} == {"ubuntu", "macos", "windows"}


def test_the_workflow_and_the_hooks_call_targets_that_are_there(workflow):
    rules = re.findall(r"^([\w -]+):", read("Makefile"), re.M)
    targets = {target for rule in rules for target in rule.split()}
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    commands = {
        word
        for entry in workflow["jobs"]["test"]["strategy"]["matrix"]["include"]
        for word in entry["command"].split()
    }
    hooks = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    called = [line for line in [*steps, *(h["entry"] for h in hooks)] if line.startswith("make ")]
    words = {
        word for line in called for word in re.sub(r"\$\{\{.*?\}\}|PY=\w+", "", line).split()[1:]
    }
    assert {"demo", "docs", "generated", "lint", "types"} <= words
    assert {word for word in words | commands if "=" not in word} <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_installs_from_an_index(page):
    """The project is on no index; users install a checkout or a wheel."""
    said = re.findall(
        r"pip install [^\n`]*dfactscore(?![-\w.]*\.whl)[^\n`]*", page.read_text("utf-8")
    )
    assert not said


def test_no_file_holds_both_sides_of_a_merge():
    mark = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
    files = [p for p in ROOT.iterdir() if p.is_file() and p.suffix in ("", ".cfg", ".toml", ".md")]
    files += [p for folder in ("docs", "tests", "examples") for p in (ROOT / folder).rglob("*.*")]
    texts = {p: p.read_bytes().decode("utf-8", "replace") for p in files if p.is_file()}
    assert len(texts) > 100
    assert not [p.name for p, text in texts.items() if mark.search(text)]
