"""What the quick start shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from dfactscore.cli.app import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Runs a command in a folder with the files that the page shows."""
    for title, text in re.findall(r'```\w+ title="(.*?)"\n(.*?)```', PAGE, re.S):
        included = re.fullmatch(r'--8<-- "(.*)"\n', text)
        text = (ROOT / included[1]).read_text(encoding="utf-8") if included else text
        (tmp_path / title).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(command):
        monkeypatch.setattr("sys.argv", command.split())
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        assert not exit_.value.code, err
        return out

    return run


def matches(shown, printed):
    """Whether it was printed; a line ``…`` stands for any lines."""
    parts = [re.escape(part) for part in shown.split("…\n")]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed) is not None


def test_commands(call):
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.S)
    assert len(blocks) >= 6
    for block in blocks:
        command, shown = block.removeprefix("$ ").split("\n", 1)
        printed = call(command)
        assert matches(shown, printed) or not shown, f"{command}\n{printed}"


def test_python():
    blocks = re.findall(r"```python\n(>>>.*?)```", PAGE, re.S)
    text = re.sub(r"\n\n(?!>>>)", "\n<BLANKLINE>\n", "\n".join(blocks))
    test = doctest.DocTestParser().get_doctest(text, {}, "index.md", None, 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted >= 4
    assert results.failed == 0


def test_matching():
    assert matches("a\n…\nc\n", "a\nb\nb\nc\n")
    assert not matches("a\n…\nc\n", "a\nb\n")
    assert not matches("a\n", "a\nb\n")
