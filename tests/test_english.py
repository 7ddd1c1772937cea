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

from dfactscore.cli.app import read_all

ROOT = Path(__file__).resolve().parent.parent
OUTER = ("ambigbio", "linking", "retrieval")

#: What to write instead stands in CONTRIBUTING.md.
WORDS = re.compile(
    r"""\b(?:
        anew | nobody(?:'s)? | somebody(?:'s)? | anybody | whom(?:ever)? | the\ purse
      | sets?\ aside | setting\ aside | going\ on | goes\ on | went\ on | to\ go\ on
      | told(?!\ (?:apart|as\ one))                # "say", "report", "call with"
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
    "dfactscore/engines/builtin/decompose/torn.py": ("|whom|",),
    "dfactscore/engines/builtin/language/lexicon.py": (
        "who whom whose", "unable nobody", "tell: told",
    ),
    "dfactscore/engines/builtin/language/word_classes.py": ("thought told", "where whom that"),
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


def sources(room: str) -> list[Path]:
    folder = ROOT / room if room in OUTER else ROOT / "dfactscore" / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


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


@pytest.mark.parametrize("room", ROOMS)
def test_code(room):
    places = [(path, path.relative_to(ROOT).as_posix()) for path in sources(room)]
    assert not [line for p, place in places for text in written(p) for line in found(text, place)]


def commands(app) -> list[list[str]]:
    """The words of every command and group of commands."""
    ways: list[list[str]] = []

    def walk(command, way):
        ways.append(way)
        for name, inner in sorted(getattr(command, "commands", {}).items()):
            walk(inner, [*way, name])

    walk(app, [])
    return ways


def test_help(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    app = read_all()
    ways = commands(app)
    assert len(ways) > 40
    for way in ways:
        with pytest.raises(SystemExit) as ended:
            app.main([*way, "--help"], prog_name="dfactscore")
        assert not ended.value.code, way
        output = capsys.readouterr().out
        assert len(output) > 100, way
        assert not found(output, f"help of {' '.join(way)}")


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


def test_pages():
    texts = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
    assert not [line for place, text in texts.items() for line in found(text, place)]


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
