"""No command writes over its input, or over what something else has written."""

from __future__ import annotations

import json
import os

import pytest

from dfactscore._errors import InputError
from dfactscore._util.files import check_output


def test_a_new_file_is_fine(tmp_path):
    check_output(None, "report")
    check_output(tmp_path / "new.html", "report", inputs=[tmp_path])


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_an_input_is_refused_by_any_name(tmp_path, link):
    (tmp_path / "in.jsonl").write_text("{}")
    link(tmp_path / "in.jsonl", tmp_path / "other.jsonl")
    for force in (False, True):
        with pytest.raises(InputError, match=r"other.jsonl: is read by this command; .*--alce"):
            check_output(
                tmp_path / "other.jsonl",
                "alce",
                inputs=[None, tmp_path / "in.jsonl"],
                force=force,
                named="--alce",
            )


def test_a_file_of_a_folder_that_is_read_is_an_input(tmp_path):
    (tmp_path / "facts.jsonl").write_text('{"key": "x"}\n')
    with pytest.raises(InputError, match="is read by this command"):
        check_output(tmp_path / "facts.jsonl", "report", inputs=[tmp_path], force=True)
    (tmp_path / "report.html").write_text("<title>x · D-FActScore report</title>")
    check_output(tmp_path / "report.html", "report", inputs=[tmp_path])


def test_a_file_of_another_origin_needs_force(tmp_path):
    path = tmp_path / "paper.tex"
    path.write_text("\\documentclass{article} D-FS")
    with pytest.raises(InputError, match=r"was not written by this command; .* --overwrite"):
        check_output(path, "comparison")
    check_output(path, "comparison", force=True)
    path.write_text("")
    check_output(path, "comparison")


def test_a_folder_or_a_place_without_one(tmp_path):
    with pytest.raises(InputError, match="is a folder; --out names a file"):
        check_output(tmp_path, "report")
    with pytest.raises(InputError, match=r"no such folder; create it first \(mkdir -p"):
        check_output(tmp_path / "a" / "b.html", "report")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run, a study of it, and files of biographies, pages and prompts."""
    from dfactscore._cli.score import run_job
    from dfactscore._jobs.settings import Config
    from dfactscore._util.settings import load
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._study import Study
    from dfactscore.examples import example

    folder = tmp_path_factory.mktemp("made")
    bios = folder / "bios.jsonl"
    lines = example().biographies.read_text("utf-8").split("\n")[:2]
    bios.write_text("\n".join(lines) + "\n", "utf-8")
    run_job(load(Config, {"input": bios, "out": folder / "run"}, None, {}), form="json", quiet=True)
    init_study([folder / "run"], folder / "s.db")
    with Study(folder / "s.db") as study, study.read():
        pass  # the first to open it sets how SQLite keeps its journal
    pages = example().pages.read_text("utf-8").split("\n")[:2]
    (folder / "pages.jsonl").write_text("\n".join(pages) + "\n", "utf-8")
    (folder / "prompts").mkdir()
    row = json.dumps({"prompt": 'What is a "lute"?', "canary": "x"})
    (folder / "prompts" / "longfact-objects_music.jsonl").write_text(row + "\n", "utf-8")
    return folder


def call(*words):
    """Exit status of a command."""
    import sys

    from dfactscore._cli.app import main

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    return ended.value.code or 0


COMMANDS = {
    "report": ("report", "run", "--out", "o.html"),
    "comparison .txt": ("compare", "run", "b=run", "--resamples", "100", "--out", "o.txt"),
    "comparison .md": ("compare", "run", "b=run", "--resamples", "100", "--out", "o.md"),
    "comparison .tex": ("compare", "run", "b=run", "--resamples", "100", "--out", "o.tex"),
    "comparison .csv": ("compare", "run", "b=run", "--resamples", "100", "--out", "o.csv"),
    "comparison .json": ("compare", "run", "b=run", "--resamples", "100", "--out", "o.json"),
    "differences": ("compare", "run", "b=run", "--resamples", "100", "--out", "o.csv", "--part",
                    "differences"),
    "mixing": ("mixing", "run", "--out", "o.csv"),
    "mixing .json": ("mixing", "run", "--out", "o.json"),
    "mixing .md": ("mixing", "run", "--rows", "layout", "--out", "o.md"),
    "mixing .tex": ("mixing", "run", "--rows", "number", "--out", "o.tex"),
    "answers": ("answers", "run", "--out", "o.csv"),
    "answers per text": ("answers", "run", "--texts", "o.csv"),
    "answers .md": ("answers", "run", "--out", "o.md"),
    "spans": ("export", "run", "--format", "spans", "--out", "o.jsonl"),
    "graphml": ("mixing", "run", "--graphml", "o.graphml"),
    "figure": ("mixing", "run", "--plot", "o.svg"),
    "citations": ("citations", "bios.jsonl", "--out", "o.jsonl"),
    "study answers": ("annotate", "export", "s.db", "--out", "o.jsonl"),
    "longfact": ("longfact", "sample", "prompts", "--n", "1", "--out", "o.jsonl"),
    "ambigfactor": ("factor", "ambig", "--pages", "pages.jsonl", "--out", "o.jsonl"),
    "factor items": ("factor", "build", "pages.jsonl", "--out", "o.jsonl", "--items", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_replace_their_own_files_only(made, tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(made)
    words = list(COMMANDS[name])
    at = next(i for i, word in enumerate(words) if word.startswith("o."))
    words[at] = tmp_path / words[at]
    assert call(*words) == 0
    first = words[at].read_bytes()
    assert call(*words) == 0
    words[at].write_text("my own notes\n")
    assert call(*words) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert words[at].read_text() == "my own notes\n"
    assert call(*words, "--overwrite") == 0
    assert words[at].read_bytes() == first


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("longfact", "o.manifest.json"),
        ("ambigfactor", "o.manifest.json"),
        ("ambigfactor", "o.pages.jsonl"),
        ("factor items", "o.manifest.json"),
    ],
)
def test_files_beside_an_output_are_replaced_only_where_they_are_its_own(
    made, tmp_path, monkeypatch, name, beside
):
    monkeypatch.chdir(made)
    words = [tmp_path / word if word.startswith("o.") else word for word in COMMANDS[name]]
    (tmp_path / beside).write_text('{"title": "my own", "text": "notes"}\n')
    assert call(*words) == 2
    assert [path.name for path in tmp_path.iterdir()] == [beside]
    assert call(*words, "--overwrite") == 0
    assert call(*words) == 0


def test_items_of_one_command_are_not_replaced_by_another(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    out = tmp_path / "o.jsonl"
    assert call("factor", "build", "pages.jsonl", "--out", out, "--items", "1") == 0
    before = out.read_bytes()
    assert call("factor", "ambig", "--pages", "pages.jsonl", "--out", out) == 2
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("citations", "bios.jsonl", "--out", "bios.jsonl"),
        ("citations", "bios.jsonl", "--out", "../{}/bios.jsonl"),
        ("report", "run", "-o", "run/biographies.jsonl"),
        ("report", "run", "-o", "run/scores.csv", "--overwrite"),
        ("compare", "run", "b=run", "--out", "run/manifest.json"),
        ("compare", "a=run/scores.csv", "b=run", "--out", "run/scores.csv"),
        ("mixing", "run", "--out", "run/summary.json"),
        ("mixing", "run", "--graphml", "run/facts.jsonl", "--overwrite"),
        ("generate", "--passages", "bios.jsonl", "--generator", "extractive", "--out", "g.jsonl",
         "--alce", "bios.jsonl"),
        ("generate", "--passages", "bios.jsonl", "--generator", "extractive", "--out",
         "bios.jsonl"),
        ("annotate", "export", "s.db", "--out", "s.db"),
        ("annotate", "export", "s.db", "--out", "s.db", "--overwrite"),
        ("annotate", "export", "s.db", "--out", "s.db", "--format", "factscore"),
        ("factor", "ambig", "--pages", "pages.jsonl", "--out", "pages.jsonl"),
        ("factor", "build", "pages.jsonl", "--out", "pages.jsonl"),
        ("longfact", "sample", "prompts", "--out", "prompts/longfact-objects_music.jsonl"),
    ],
)  # fmt: skip
def test_inputs_survive(made, monkeypatch, capsys, words):
    monkeypatch.chdir(made)
    before = {p: p.read_bytes() for p in made.rglob("*") if p.is_file()}
    assert call(*(word.format(made.name) for word in words)) == 2
    assert "is read by this command" in capsys.readouterr().err
    assert {p: p.read_bytes() for p in made.rglob("*") if p.is_file()} == before


def test_alce_is_written_again(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    passages = tmp_path / "p.jsonl"
    rows = [json.loads(line) for line in (made / "bios.jsonl").read_text("utf-8").splitlines()]
    row = {"name": rows[0]["name"], "passages": rows[0]["passages"]}
    passages.write_text(json.dumps(row) + "\n", "utf-8")
    words = ["generate", "--passages", passages, "--generator", "extractive"]
    words += ["--out", tmp_path / "g.jsonl", "--alce", tmp_path / "a.json"]
    assert call(*words) == 0
    assert call(*words) == 0
    (tmp_path / "a.json").write_text('{"args": {"model": "theirs"}, "data": []}')
    assert call(*words) == 2
