"""Plain present-day English: what users and readers see does not hold certain words.

They are correct, and people who learned English from papers stumble over them. The test reads the
help of every command, the docstrings, comments and messages of the rooms named below, and the
written documentation.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dfactscore.cli.app import app, read_all

ROOT = Path(__file__).resolve().parent.parent
OUTER = ("ambigbio", "linking", "retrieval")

#: What to write instead stands in CONTRIBUTING.md.
WORDS = re.compile(
    r"""\b(?:
        anew | nobody(?:'s)? | somebody(?:'s)? | anybody | whom(?:ever)? | the\ purse
      | sets?\ aside | setting\ aside | going\ on | goes\ on | went\ on | to\ go\ on
      | told(?!\ apart)                            # "say", "report", "call with"
      | (?<!here\ )(?:is|are|was|were)\ no\ (?!longer|more|one\b)  # "is not a", "is not valid"
      | holds?\ no\b                               # "has no", "contains no"
    )""",
    re.IGNORECASE | re.VERBOSE,
)

#: Rooms whose docstrings, comments and messages are held.
ROOMS = (
    "__main__",
    "_util",
    "_version",
    "ambigbio",
    "annotation",
    "asking",
    "citations",
    "cli",
    "comparison",
    "engines/answers",
    "engines/builtin/decompose",
    "engines/builtin/group",
    "engines/builtin/language",
    "engines/builtin/verify",
    "engines/cascade",
    "engines/corpus",
    "engines/llm",
    "engines/nli",
    "engines/protocols",
    "errors",
    "evidence",
    "examples",
    "factor",
    "factscorer",
    "generation",
    "jobs",
    "likelihood",
    "linking",
    "meta",
    "metrics",
    "mixing",
    "plots",
    "readers",
    "records",
    "report",
    "results",
    "retrieval",
    "runs",
    "safe",
    "scorer",
    "scoring",
    "text",
)

#: A file and what may stand in it: words of data, of texts that are quoted, and of other people.
ALLOWED: dict[str, tuple[str, ...]] = {
    "dfactscore/engines/builtin/decompose/adjuncts.py": ("whose whom what", "went on to star"),
    "dfactscore/engines/builtin/decompose/predicates.py": ("it whom since",),
    "dfactscore/engines/builtin/language/lexicon.py": (
        "who whom whose", "unable nobody", "tell: told",
    ),
    "dfactscore/engines/builtin/language/word_classes.py": ("thought told",),
    "CONTRIBUTING.md": ("*nobody*", "*anew*", "*goes on*", "*set aside*", "*is no run*",
                        "*holds no record*", "*somebody*", "*whom*", "*told*"),
}  # fmt: skip


def found(text: str, place: str) -> list[str]:
    """The forbidden phrases of a text, with some words around each."""
    flat = " ".join(text.split())
    said = []
    for match in WORDS.finditer(flat):
        around = flat[max(0, match.start() - 30) : match.end() + 30]
        if not any(phrase in around for phrase in ALLOWED.get(place, ())):
            said.append(f"{place}: …{around}…")
    return said


def sources() -> list[Path]:
    files: list[Path] = []
    for room in ROOMS:
        folder = ROOT / room if room in OUTER else ROOT / "dfactscore" / room
        if folder.is_dir():
            files += sorted(folder.rglob("*.py"))
        else:
            files.append(folder.with_suffix(".py"))
    return files


def written(path: Path) -> Iterator[str]:
    """Docstrings, comments, and the words of messages: whole strings, with blanks in them."""
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            parts = [str(p.value) if isinstance(p, ast.Constant) else "…" for p in node.values]
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_code(path):
    place = path.relative_to(ROOT).as_posix()
    assert not [line for text in written(path) for line in found(text, place)]


def commands() -> list[list[str]]:
    """The words of every command and group of commands."""
    ways: list[list[str]] = []

    def walk(command, way):
        ways.append(way)
        for name, inner in sorted(getattr(command, "commands", {}).items()):
            walk(inner, [*way, name])

    walk(read_all(), [])
    return ways


@pytest.mark.parametrize("way", commands(), ids=lambda way: " ".join(way) or "dfactscore")
def test_help(way):
    result = CliRunner().invoke(app, [*way, "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert len(result.output) > 100
    assert not found(result.output, f"help of {' '.join(way)}")


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page):
    assert not found(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebooks(path):
    place = path.relative_to(ROOT).as_posix()
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    said = ["".join(cell["source"]) for cell in cells]
    assert not [line for text in said for line in found(text, place)]


def test_the_words_are_found():
    wrong = (
        "asks nobody", "judged anew", "x.yaml: is no YAML", "set aside: 2", "the run goes on",
        "of whom", "holds no record", "somebody's page", "Told each wait", "run it again to go on",
    )  # fmt: skip
    for phrase in wrong:
        assert found(phrase, "here"), phrase
    right = (
        "there is no page", "people told apart", "is no longer read", "an ongoing run", "tomorrow",
        "whole", "new", "There are no facts",
    )  # fmt: skip
    for phrase in right:
        assert not found(phrase, "here"), phrase
