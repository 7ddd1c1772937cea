"""Plain present-day English: what users and readers see does not hold certain words.

They are correct, and people who learned English from papers stumble over them. The test reads the
help of every command, the docstrings, comments and messages of all code, and all other text.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from dfactscore._cli.app import read_all

ROOT = Path(__file__).resolve().parent.parent

#: What to write instead stands in CONTRIBUTING.md.
WORDS = re.compile(
    r"""\b(?:
        anew | nobody(?:'s)? | somebody(?:'s)? | anybody | whom(?:ever)? | the\ purse
      | sets?\ aside | setting\ aside | going\ on | goes\ on | went\ on | to\ go\ on
      | told(?!\ (?:apart|as\ one))                # "say", "report", "call with"
      | (?<!here\ )(?:is|are|was|were)\ no\ (?!longer|more|one\b)  # "is not a", "is not valid"
      | holds?\ no\b                               # "has no", "contains no"
      | (?-i:None|NaN)\ where                        # "None if"
      | what\ (?:messages|tables)\ (?:call|begin)  # "name in messages", "start of messages"
      | with\ commas\ between                      # "comma-separated"
      | found\ without\ asking                     # "without calling a model"
    )""",
    re.IGNORECASE | re.VERBOSE,
)

#: Text that is not ours to word: prompts, data of examples and tests, generated digests.
NOT_READ = re.compile(
    r"/prompts/|/demonstrations/|\.jsonl?$|\.csv$|^LICENSE$|^tests/.*/inputs/"
    r"|^(?:dfactscore|tests)/.*\.txt$|^tests/test_english\.py$"
)

#: A file and what it may contain: words of data, of texts that are quoted, and of other people.
ALLOWED: dict[str, tuple[str, ...]] = {
    "dfactscore/engines/_builtin/decompose/adjuncts.py": ("whose whom what", "went on to star"),
    "dfactscore/engines/_builtin/decompose/predicates.py": ("it whom since",),
    "dfactscore/engines/_builtin/decompose/torn.py": ("|whom|",),
    "dfactscore/engines/_builtin/language/lexicon.py": (
        "who whom whose", "unable nobody", "tell: told",
    ),
    "dfactscore/engines/_builtin/language/word_classes.py": ("thought told", "where whom that"),
    "tests/dfactscore/engines/builtin/group/test_grouper.py": ("Nobody knows",),
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


def tracked() -> list[Path]:
    """Every file of text that git knows of, or would."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    kinds = {".py", ".md", ".html", ".js", ".css", ".yml", ".yaml", ".cfg", ".toml", ".cff", ""}
    paths = [ROOT / name for name in names if not NOT_READ.search(name)]
    return [path for path in paths if path.suffix in kinds and path.is_file()]


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


@pytest.mark.parametrize("kind", ["code", "tests", "other"])
def test_every_tracked_file(kind):
    wrong = []
    for path in tracked():
        place = path.relative_to(ROOT).as_posix()
        in_tests = place.startswith("tests/")
        of = "other" if path.suffix != ".py" else "tests" if in_tests else "code"
        if of == kind:
            texts = written(path) if path.suffix == ".py" else [path.read_text("utf-8")]
            wrong += [line for text in texts for line in found(text, place)]
    assert not wrong


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
        "None where it is unknown", "What messages call the file", "Names with commas between them",
    )  # fmt: skip
    for phrase in wrong:
        assert found(phrase, "here"), phrase
    right = (
        "there is no page", "people told apart", "is no longer read", "an ongoing run", "tomorrow",
        "whole", "new", "There are no facts",
    )  # fmt: skip
    for phrase in right:
        assert not found(phrase, "here"), phrase
