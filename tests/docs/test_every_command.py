"""Every command in README and docs is one that works: run where it can be, parsed everywhere."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from dfactscore.cli.app import _COMMANDS, app, main
from dfactscore.examples import example

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
NAMES = ["README.md", *sorted(f"docs/{p.name}" for p in DOCS.glob("*.md"))]
# What a test cannot have; the command is parsed all the same.
NEEDS = {
    "a model": r"--model \w|--gguf |--hf |nli:|--entailment nli|gtr-t5|run run2|judged asked",
    "a wiki": r"--contact|--dump|wikipedia",
    "files of other makers": (
        r"expert_factor|longfact|samples_dfactscore|logs/FILE|psgs_w100|wk\.jsonl"
        r"|--config job\.yaml"
    ),
    "an index of the reader's": r"--search index:|--fs-scope corpus --index index",
    "people who come": r"annotate serve",
    "what those make": r"ambigbio (diff|info)|sample\.csv",
}
STRANGERS = ("make", "pip", "python", "git", "inspect", "lm_eval")


def commands(name):
    """The commands of a page, in order, each with the output that the page shows."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for language, block in re.findall(r"^ *```(\w*)[^\n]*\n(.*?)^ *```", text, re.S | re.M):
        joined = re.sub(r"\\\n\s*", " ", block)
        if language == "console":
            parts = re.split(r"^\$ ", joined, flags=re.M)[1:]
            for part in parts:
                command, _, shown = part.partition("\n")
                yield command, shown
        elif language in ("", "sh", "bash"):
            for line in joined.splitlines():
                if line.startswith(("dfactscore ", *(f"{s} " for s in STRANGERS))):
                    yield line, ""


def words(command):
    return shlex.split(command, comments=True)


def reason(command):
    return next((why for why, sign in NEEDS.items() if re.search(sign, command)), None)


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_quick_start", DOCS / "make_quick_start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """A folder with the files and runs that the pages speak of."""
    folder = tmp_path_factory.mktemp("staged")
    people = example("people")
    shutil.copy(people.pages, folder / "pages.jsonl")
    texts = people.biographies.read_text(encoding="utf-8").splitlines()
    pages = [json.loads(line) for line in people.pages.read_text(encoding="utf-8").splitlines()]
    records = []
    for line in texts[:8]:
        record = json.loads(line)
        docs = [p for p in pages if p["title"].startswith(record["name"])][:3]
        record |= {"passages": [{"title": p["title"], "text": p["text"][:600]} for p in docs]}
        records.append(record | {"text": record["text"].replace(". ", " [1]. ", 1)})
    hall = "Mark Hall was a cricketer. Another Mark Hall is a painter."
    records.append(records[0] | {"id": "hall", "name": "Mark Hall", "text": hall})
    lines = "".join(json.dumps(r) + "\n" for r in records)
    for name in ("bios.jsonl", "biographies.jsonl"):
        (folder / name).write_text(lines, encoding="utf-8")
    (folder / "bios.json").write_text(json.dumps(records), encoding="utf-8")
    for name, part in (("enwiki.jsonl", pages), ("more.jsonl", [{"title": "New", "text": "New."}])):
        (folder / name).write_text("".join(json.dumps(p) + "\n" for p in part), encoding="utf-8")
    asked = [{"name": p["title"], "relevant": [p["title"]]} for p in pages[:3]]
    (folder / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in asked))
    (folder / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "experiment.yaml", folder / "examples")
    return folder


@pytest.fixture
def run(staged, tmp_path, monkeypatch, capsys):
    place = tmp_path / "page"
    shutil.copytree(staged, place)
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments):
        monkeypatch.setattr("sys.argv", list(arguments))
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        return exit_.value.code or 0, out, err

    return call


def prepare(run, text):
    """The runs that a page begins with."""
    score = ("dfactscore", "score", "bios.jsonl", "--quiet", "--limit", "3", "--out")
    if "runs/model-a" in text:
        assert run(*score, "runs/model-a")[0] == 0
        shutil.copytree("runs/model-a", "runs/model-b")
    if "runs/model-a" in text and "runs/experiment" in text:
        for label in ("one", "two"):
            shutil.copytree("runs/model-a", f"runs/experiment/{label}/run")
    if "runs/demo" in text:
        assert run("dfactscore", "demo", "--out", "runs/demo")[0] == 0


def parse(arguments):
    """Checks options and arguments without running the command."""
    from importlib import import_module

    for command in _COMMANDS:
        import_module(f"dfactscore.cli.{command}")
    here, left = typer.main.get_command(app), list(arguments)
    while hasattr(here, "commands"):
        here = here.commands[left.pop(0)]
    here.make_context("dfactscore", left)


@pytest.mark.parametrize("name", [n for n in NAMES if list(commands(n)) and "commands.md" not in n])
def test_commands(name, run, maker):
    text = (ROOT / name).read_text(encoding="utf-8")
    if name != "docs/index.md":  # which has a test of its own
        maker.write_files(text, Path())
    prepare(run, text)
    for command, shown in commands(name):
        if "dfactscore.examples" in command:
            python = shlex.quote(sys.executable)
            subprocess.run(command.replace("python", python, 1), shell=True, check=True)
            continue
        if command.split()[0] in STRANGERS:
            for script in re.findall(r"^python (\S+\.py)", command):
                assert (ROOT / script).exists(), command
            continue
        arguments = words(command)
        ends = [i for i, w in enumerate(arguments) if w in ("&", ">", "|")]
        parse(arguments[1 : ends[0] if ends else None])
        if name == "docs/index.md" or reason(command):
            continue
        code, out, err = run(*arguments)
        assert code == 0, f"{command}\n{err}"
        if shown:
            parts = [re.escape(part) for part in re.split(r"^.*…\n", shown, flags=re.M)]
            assert re.search(r"(?:.*\n)*?.*?".join(parts), out), f"{command}\n{out}"


def test_most_are_run():
    found = [c for n in NAMES if "commands.md" not in n for c, _ in commands(n)]
    ours = [c for c in found if c.split()[0] not in STRANGERS]
    ran = [c for c in ours if not reason(c)]
    assert len(ours) > 50
    assert len(ran) >= 28
