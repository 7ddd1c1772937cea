"""The committed command reference agrees with the code."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("make_commands", DOCS / "make_commands.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    yield module.render()
    monkeypatch.undo()


def test_up_to_date(page):
    committed = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert page == committed, "run python docs/make_commands.py"


def test_says_what_help_says(page):
    score = page.split("## dfactscore score\n")[1]
    assert "dfactscore score [INPUT] [OPTIONS]" in score
    out = "- `--out`, `-o` PATH: Run folder; the same command resumes it. (`runs/INPUT-HASH`)"
    assert out in page
    shared = page.split("## Shared options\n")[1].split("\n## ")[0]
    assert "- `--link` `argmax|hungarian`: " in shared
    assert "- `--counts` `expected|verdicts`: " in shared
    assert all(f"`{flag}`" in score for flag in ("--counts", "--gamma", "--format"))
    rows = [line for line in page.splitlines() if line.startswith("- `--")]
    assert len(rows) > 200
    names = [line.split("`")[1] for line in shared.splitlines() if line.startswith("- `--")]
    assert len(names) == len(set(names))  # a shared option has one meaning
    panels = ["Input", "Evidence", "Scoring", "Engine", "Model", "Limits", "Output"]
    places = [shared.index(f"**{panel}**") for panel in panels]
    assert places == sorted(places)


def test_every_option_of_every_command_is_said(page):
    from dfactscore._cli.app import read_all

    def walk(command, path):
        children = getattr(command, "commands", {})
        for name, child in children.items():
            if not child.hidden:
                yield from walk(child, [*path, name])
        if not children:
            yield " ".join(path), command

    def listed(title):
        """Returns the options that a part of the page describes, in order."""
        part = page.split(f"# {title}\n")[1].split("\n#")[0]
        return re.findall(r"^- `(--[\w-]+)`", part, re.M)

    def spread(names, home):
        """Returns the options that a line names, with all options of ranges."""
        order = listed(home)
        for first, last in re.findall(r"`(--[\w-]+)`…`(--[\w-]+)`", names):
            assert order.index(last) > order.index(first) + 1
            yield from order[order.index(first) : order.index(last) + 1]
        single = set(re.findall(r"`(--[\w-]+)`", names))
        assert single <= set(order), (single, home)
        yield from single

    for title, command in walk(read_all(), ["dfactscore"]):
        section = page.split(f"# {title}\n")[1].split("\n#")[0]
        options = {
            max(param.opts, key=len)
            for param in command.params
            if param.param_type_name == "option" and param.name != "help" and not param.hidden
        }
        own = listed(title)
        group = title.rpartition(" ")[0]
        named = []
        for link, names in re.findall(r"\[Shared\]\(#([\w-]+)\): ([^\[\n]*)", section):
            home = "Shared options" if link == "shared-options" else group
            assert link in ("shared-options", group.replace(" ", "-"))
            named += spread(names, home)
        assert {*own, *named} == options, title
        assert not set(own) & set(named), title
