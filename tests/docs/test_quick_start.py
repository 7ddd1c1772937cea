"""The quick start shows real output."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

from dfactscore._cli.app import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "index.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_quick_start", DOCS / "make_quick_start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(maker, tmp_path, monkeypatch, capsys):
    """Runs a command in a folder with the files of the page; keeps its output."""
    maker.write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")  # parallel test runs set 80

    def call(command):
        monkeypatch.setattr("sys.argv", command.split())
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        assert not exit_.value.code, err
        call.printed[command] = out
        return out

    call.printed = {}
    return call


def matches(shown, printed):
    """Whether output matches the page; a line ``…`` stands for any lines."""
    parts = [re.escape(part) for part in shown.split("…\n")]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed) is not None


def test_commands(maker, run):
    assert maker.render(PAGE, run) == PAGE, "run python docs/make_quick_start.py"
    assert len(run.printed) >= 6
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S):
        command, shown = block.removeprefix("$ ").split("\n", 1)
        assert matches(shown, run.printed[command]) or not shown, command


def test_python():
    blocks = re.findall(r"```python\n(>>>.*?)```", PAGE, re.S)
    text = re.sub(r"\n\n(?!>>>)", "\n<BLANKLINE>\n", "\n".join(blocks))
    test = doctest.DocTestParser().get_doctest(text, {}, "index.md", None, 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted >= 4
    assert results.failed == 0


def test_new_numbers_take_the_place_of_old_ones(maker):
    page = "```console\n$ dfactscore demo\n…\nFActScore  1.0\n…\nmixed  3 of 4\n```\n"
    printed = "head\nother\nFActScore  96.4\nD-FActScore  2\n\nmixed  5 of 6\ntail\n"
    found = maker.render(page, lambda command: printed)
    assert found == page.replace("1.0", "96.4").replace("3 of 4", "5 of 6")


def test_matching():
    assert matches("a\n…\nc\n", "a\nb\nb\nc\n")
    assert not matches("a\n…\nc\n", "a\nb\n")
    assert not matches("a\n", "a\nb\n")
