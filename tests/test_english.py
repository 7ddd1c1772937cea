"""Plain present-day English: text for users and readers avoids certain words and constructions.

The words are correct, but unusual in technical English. The tests read the help of every command,
the docstrings, comments and messages of all code, and all other text.
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

#: CONTRIBUTING.md has the alternatives.
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
      | mend(?:s|ed|ing)?\b | held\ against           # "fix", "check against"
      | by\ and\ by | further\ on | to\ be\ had | in\ vain | none\ where
      | handed\ (?:on|over) | what\ (?:becomes|became)\ of | as\ (?:\w+\ ){1,2}has\ it
      | (?:one|an?)\ (?:name|text|fact|row|line|item|call)\ a\b  # "per"
    )""",
    re.IGNORECASE | re.VERBOSE,
)

#: The first line of a docstring is a noun phrase or a verb: "Numbers per text", "Counts texts".
HEADLESS = re.compile(r"(?:What|How|That|Those|These|All that|Whose|Whom|Of which)\b")

#: Not checked: prompts, data of examples and tests, generated digests.
NOT_READ = re.compile(
    r"/prompts/|/demonstrations/|\.jsonl?$|\.csv$|^LICENSE$|^tests/.*/inputs/"
    r"|^(?:dfactscore|tests)/.*\.txt$|^tests/test_english\.py$"
)

#: A file and the words that it may contain: data and quotations.
ALLOWED: dict[str, tuple[str, ...]] = {
    "dfactscore/engines/_builtin/decompose/adjuncts.py": ("whose whom what", "went on to star"),
    "dfactscore/engines/_builtin/decompose/clause_words.py": ("|whom|",),
    "dfactscore/engines/_builtin/language/tokens.py": (
        "who whom whose", "unable nobody", "tell: told",
    ),
    "dfactscore/engines/_builtin/language/word_classes.py": ("thought told", "where whom that"),
    "tests/dfactscore/engines/builtin/group/test_grouper.py": ("Nobody knows",),
    "CONTRIBUTING.md": ("*nobody*", "*anew*", "*goes on*", "*set aside*", "*is no run*",
                        "*holds no record*", "*somebody*", "*whom*", "*told*"),
}  # fmt: skip


def forbidden(text: str, place: str) -> list[str]:
    """Returns the forbidden phrases of a text, with their contexts."""
    flat = " ".join(text.split())
    phrases = []
    for match in WORDS.finditer(flat):
        context = flat[max(0, match.start() - 30) : match.end() + 30]
        if not any(phrase in context for phrase in ALLOWED.get(place, ())):
            phrases.append(f"{place}: …{context}…")
    return phrases


def tracked() -> list[Path]:
    """Returns all text files that git tracks or does not ignore."""
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


def prose(path: Path) -> Iterator[str]:
    """Yields docstrings, comments, and strings with spaces, such as messages."""
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
        kind_of_file = "other" if path.suffix != ".py" else "tests" if in_tests else "code"
        if kind_of_file == kind:
            texts = prose(path) if path.suffix == ".py" else [path.read_text("utf-8")]
            wrong += [line for text in texts for line in forbidden(text, place)]
    assert not wrong


def docstrings(path: Path) -> Iterator[str]:
    """Yields the docstrings of a module, its classes and its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield ast.get_docstring(node) or ""


def test_docstrings_begin_with_a_noun_or_a_verb():
    wrong = []
    for path in tracked():
        place = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py":
            wrong += [f"{place}: {text[:60]}" for text in docstrings(path) if HEADLESS.match(text)]
    assert not wrong


def commands(app) -> list[list[str]]:
    """Returns the words of every command and group of commands."""
    paths: list[list[str]] = []

    def walk(command, path):
        paths.append(path)
        for name, inner in sorted(getattr(command, "commands", {}).items()):
            walk(inner, [*path, name])

    walk(app, [])
    return paths


def test_help(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    app = read_all()
    paths = commands(app)
    assert len(paths) > 40
    for path in paths:
        with pytest.raises(SystemExit) as exit_:
            app.main([*path, "--help"], prog_name="dfactscore")
        assert not exit_.value.code, path
        output = capsys.readouterr().out
        assert len(output) > 100, path
        assert not forbidden(output, f"help of {' '.join(path)}")


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebooks(path):
    place = path.relative_to(ROOT).as_posix()
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    assert not [line for text in texts for line in forbidden(text, place)]


def test_the_words_are_found():
    wrong = (
        "asks nobody", "judged anew", "x.yaml: is no YAML", "set aside: 2", "the run goes on",
        "of whom", "holds no record", "somebody's page", "Told each wait", "run it again to go on",
        "None where it is unknown", "What messages call the file", "Names with commas between them",
        "a line a text", "one row a fact", "as the manifest has it", "lines are handed on",
    )  # fmt: skip
    for phrase in wrong:
        assert forbidden(phrase, "here"), phrase
    right = (
        "there is no page", "people told apart", "is no longer read", "an ongoing run", "tomorrow",
        "whole", "new", "There are no facts", "a line", "one row and a fact", "it has it",
    )  # fmt: skip
    for phrase in right:
        assert not forbidden(phrase, "here"), phrase
