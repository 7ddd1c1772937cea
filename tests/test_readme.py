"""The README shows real output, figures and links."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_python_example():
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted >= 3
    assert results.failed == 0


def test_the_first_commands_run_the_main_job_and_the_tests():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (.*?)(?: +#.*)?$", text, re.M)
    assert commands[:2] == ["make demo", "make test"]
    rules = re.findall(r"^(demo|test):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert rules == ["demo", "test"]


@pytest.mark.parametrize(
    "name", ["README.md", *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(name):
    file = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (file.parent / target).exists(), f"{file.name}: {target}"


def test_end_to_end_on_real_texts_comes_first():
    """Each figure is under the heading of its data."""
    text = (ROOT / "docs" / "engine_card.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    heads = [line.split("**")[1] for line in table if line.startswith("| **")]
    assert [head.split(":")[0] for head in heads] == [
        "End to end",
        "One step alone",
        "Constructed texts",
    ]
    assert table[0].startswith("| **")  # no figure above the first head
    parts = "\n".join(table).split("| **")[1:]
    assert "given" not in parts[0].split("\n", 1)[1]
    assert "swapped" in parts[2]


def test_each_figure_of_the_readme_leads_to_its_page():
    """The pages contain the same figures, and the results name existing scripts."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    measured = text.split("## Measured\n")[1].split("\n## ")[0]
    lines = re.findall(r"^- (.*?)(?=^- |\Z)", measured, re.S | re.M)
    assert len(lines) == 6
    assert len(text.split()) <= 900
    assert len(re.findall(r"^!\[", text, re.M)) == 2
    assert all(re.search(r"\]\(docs/\w+\.md", line) for line in lines)
    card = (ROOT / "docs" / "engine_card.md").read_text(encoding="utf-8")
    for figure in (
        "r = 0.64",
        "0.82",
        "72 %",
        "53 of 54",
        "27 %",
        "63 %",
        "0.75",
        "0.83",
        "2.9 s",
        "74 paid",
    ):
        assert figure in card, figure
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    named = set(re.findall(r"python ([\w/]+\.py)", results))
    assert len(named) > 10
    assert not [name for name in named if not (ROOT / name).exists()]
