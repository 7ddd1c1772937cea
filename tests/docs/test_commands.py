"""The committed command reference is what the code says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("make_commands", DOCS / "make_commands.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.render()


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
    assert len(names) == len(set(names))  # a shared option means one thing
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

    shared = page.split("## Shared options\n")[1].split("\n## ")[0]
    order = re.findall(r"^- `(--[\w-]+)`", shared, re.M)

    def between(found):
        first, last = (order.index(flag) for flag in found.groups())
        assert last > first + 1
        return ", ".join(f"`{flag}`" for flag in order[first : last + 1])

    for title, command in walk(read_all(), ["dfactscore"]):
        section = page.split(f"# {title}\n")[1].split("\n#")[0]
        section = re.sub(r"`(--[\w-]+)`…`(--[\w-]+)`", between, section)
        options = {
            max(param.opts, key=len)
            for param in command.params
            if param.param_type_name == "option" and param.name != "help" and not param.hidden
        }
        own = set(re.findall(r"^- `(--[\w-]+)`", section, re.M))
        named = set(re.findall(r"`(--[\w-]+)`", section.partition("[Shared]")[2]))
        assert own | named == options, title
