"""What the README shows is what happens."""

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


@pytest.mark.parametrize(
    "name", ["README.md", *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(name):
    file = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (file.parent / target).exists(), f"{file.name}: {target}"


def test_end_to_end_on_real_texts_comes_first():
    """Each figure stands under what it was measured on; no one has to guess which is which."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    table = table[: next(i for i, line in enumerate(table) if "dfactscore score" in line)]
    heads = [line.split("**")[1] for line in table if line.startswith("| **")]
    assert heads == [
        "End to end, texts that real models wrote",
        "One step alone, real texts, the rest given",
        "Constructed texts",
    ]
    assert table[2].startswith("| **")  # no figure above the first head
    parts = "\n".join(table).split("| **")[1:]
    assert "given" not in parts[0].split("\n", 1)[1]
    assert "swapped" in parts[2]
