"""Typical mistakes at the command line: one line with what to do, exit 2, nothing left behind."""

import json
import sys
from pathlib import Path

import pytest

from dfactscore._cli.app import main
from dfactscore.examples import example


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Good files, and some that are wrong."""
    folder = tmp_path_factory.mktemp("mistakes")
    bios = example().biographies.read_text("utf-8").split("\n")[:2]
    (folder / "bios.jsonl").write_text("\n".join(bios) + "\n", "utf-8")
    (folder / "pages.jsonl").write_text('{"title": "Ann Lee", "text": "Ann Lee sang."}\n')
    (folder / "empty.jsonl").write_text("")
    (folder / "half.json").write_text('{"data": [')
    (folder / "other.csv").write_text("title,year\nx,1\n")
    (folder / "notes.txt").write_text("my notes\n")
    (folder / "bad.yaml").write_text("link: [hungarian\n")
    (folder / "odd.yaml").write_text("lnik: hungarian\n")
    (folder / "names.csv").write_text("name\nAnn Lee\n")
    (folder / "full").mkdir()
    (folder / "full" / "paper.tex").write_text("x")
    rows = [{"question": "x", "passage_ids": ["1"]}]
    (folder / "questions.jsonl").write_text(json.dumps(rows[0]) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in (
            "score bios.jsonl --out run --quiet",
            "index build pages.jsonl --out index -q",
        ):
            patch.setattr(sys, "argv", ["dfactscore", *words.split()])
            with pytest.raises(SystemExit) as ended:
                main()
            assert not ended.value.code
    return folder


MISTAKES = {
    "no such file": ("score bio.jsonl --out o", "bio.jsonl: no such file; did you mean"),
    "an empty file": ("score empty.jsonl --out o", "the file is empty"),
    "half a file": ("score half.json --out o", "cut short"),
    "no text column": ("score other.csv --out o", "text"),
    "a text file of notes": ("score notes.txt --out o", "give one file of texts: "),
    "a misspelled option": ("score bios.jsonl --lnik hungarian", "--link"),
    "a value after a switch": ("score bios.jsonl --quiet yes --out o", "--quiet takes no value"),
    "pages as evidence": ("score bios.jsonl --evidence pages.jsonl --out o", "--pages"),
    "a misspelled choice": ("score bios.jsonl --link hungarain --out o", "did you mean hungarian"),
    "a misspelled command": ("scroe bios.jsonl", "score"),
    "an old option": ("report run --output o.html", "did you mean --out?"),
    "a threshold of 50": ("rescore run --threshold 50", "--threshold"),
    "a threshold in words": ("rescore run --threshold half", "--threshold"),
    "a negative limit": ("score bios.jsonl --limit -1 --out o", "--limit"),
    "a negative seed of a comparison": ("compare run --seed -1", "--seed: expected"),
    "a negative seed of a report": ("annotate report no.db --seed -1", "--seed: expected"),
    "a seed of meta run": ("meta run felm x --out o --seed 1", "write 'random_seed: VALUE'"),
    "an engine of meta run": ("meta run felm x --engine llm", "did you mean --evaluator?"),
    "a negative seed of meta score": ("meta score felm x y --seed -1", "--seed: expected"),
    "a negative seed of meta compare": ("meta compare x y --seed -1", "--seed: expected"),
    "no input": ("score", "score"),
    "an unknown engine": ("score bios.jsonl --engine gpt --out o", "builtin"),
    "an engine without a model": ("score bios.jsonl --engine llm --out o", "--model"),
    "a key as an option": ("score bios.jsonl --api-key sk-x", "no such option"),
    "an address without http": (
        "score bios.jsonl --engine llm --model m --base-url localhost:80 --out o",
        "http://127.0.0.1:8000/v1",
    ),
    "a port that cannot be": (
        "score bios.jsonl --engine llm --model m --base-url http://x:99999/v1 --out o",
        "is not an address",
    ),
    "settings that are not YAML": ("score bios.jsonl --config bad.yaml --out o", "bad.yaml:"),
    "a misspelled setting": ("score bios.jsonl --config odd.yaml --out o", "did you mean link"),
    "settings that are not there": ("score bios.jsonl --config no.yaml --out o", "no such file"),
    "pages that are not there": ("score bios.jsonl --pages page.jsonl --out o", "no such file"),
    "pages of another kind": ("score bios.jsonl --pages notes.txt --out o", "notes.txt"),
    "a folder with something else": ("score bios.jsonl --out full", "choose another --out"),
    "a file as the folder": ("score bios.jsonl --out notes.txt", "notes.txt: is a file"),
    "other settings in one folder": (
        "score bios.jsonl --out run --link hungarian",
        "settings.scores.link was 'argmax'",
    ),
    "candidates without a dataset": (
        "score bios.jsonl --candidates dataset --out o", "--dataset",
    ),
    "an index that is none": (
        "score bios.jsonl --index full --out o", "index",
    ),
    "no run": ("report rum", "no such run folder; did you mean"),
    "a file as a run": ("rescore bios.jsonl", "bios.jsonl"),
    "a folder that is not a run": ("mixing full", "not a run folder"),
    "one label twice": ("compare run run", "LABEL="),
    "an unknown suffix": ("mixing run --out o.xlsx", "choose .csv, .json, .tex or .md"),
    "output in no folder": ("compare run b=run --out no/o.md", "create it first"),
    "output over a file": ("compare run b=run --out notes.txt", "--overwrite"),
    "output over the input": ("citations bios.jsonl --out bios.jsonl", "choose another --out"),
    "nothing to generate from": (
        "generate --generator extractive --out o.jsonl", "--passages FILE",
    ),
    "an index without names": (
        "generate --index index --generator extractive --out o.jsonl", "--names FILE",
    ),
    "an output that is not JSONL": (
        "generate --passages bios.jsonl --generator extractive --out o.txt", ".jsonl",
    ),
    "pages into a finished index": ("index build names.csv --out index", "index"),
    "a search with k 0": ("index search index Ann -k 0", "-k"),
    "nothing to search for": ("index search index", "query"),
    "a page store that is none": ("index pages notes.txt --out o.sqlite", "give .jsonl"),
    "no experiment": ("run no.yaml", "no.yaml: no such file"),
    "an experiment of something else": ("run odd.yaml --out o", "lnik"),
    "no cache": ("cache info --cache no.sqlite", "does not exist yet"),
    "a cache that is none": ("cache info --cache notes.txt", "--cache"),
    "no dataset": ("ambigbio info bios.jsonl", "is not an AmbigBio file"),
    "a path of 300 letters": (f"score {'x' * 300}.jsonl --out o", "xxx"),
    "an output of 300 letters": (f"score bios.jsonl --out {'y' * 300}", "cannot be written"),
}  # fmt: skip


def state(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and p.name not in (".lock",) and not p.name.endswith(".lock")
    }


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line(made, monkeypatch, capsys, name):
    words, remedy = MISTAKES[name]
    monkeypatch.chdir(made)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(sys, "argv", ["dfactscore", *words.split()])
    before = state(made)
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == 2, said
    lines = [line for line in said.err.split("\n") if line]
    assert lines[-1].startswith("dfactscore: "), said
    assert sum(line.startswith("dfactscore: ") for line in lines if "skipped" not in line) == 1
    assert "Traceback" not in said.err
    assert remedy in lines[-1], lines[-1]
    assert state(made) == before
    # What is left does not stand in the way of the right command.
    assert not (made / "o" / "manifest.json").exists()


def test_there_are_forty():
    assert len(MISTAKES) >= 40
