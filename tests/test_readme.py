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
