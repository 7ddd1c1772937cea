"""Every way of scoring makes the same run folder, and each resumes what another began."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dfactscore import InputError, Results, RunError, Scorer
from dfactscore._cli.app import main
from dfactscore._experiment import load_experiment, run_experiment
from dfactscore._jobs.settings import Config
from dfactscore._readers import read_biographies
from dfactscore._scorer.command import score
from dfactscore.examples import example

pytestmark = pytest.mark.xdist_group("doors")  # what is compared with is made once

EXPERIMENT = """
example: people
limit: 4
models: {one: {generator: extractive, sentences: 3}}
citations: false
"""


def folder_bytes(folder: Path, file: str) -> dict[str, bytes]:
    """All files of a run but the times; what the input is called stands as FILE."""
    stem = Path(file).stem
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name in ("timing.json", ".lock"):
            continue
        data = path.read_bytes()
        if path.name == "manifest.json":
            data = data.replace(f'"file": "{file}"'.encode(), b'"file": "FILE"')
        if path.name == "report.html":
            data = data.replace(f'"input.file","{file}"'.encode(), b'"input.file","FILE"')
            data = data.replace(f'"title":"{stem}"'.encode(), b'"title":"TITLE"')
            for tag in ("<title>", '<h1 id="title">'):
                data = data.replace(f"{tag}{stem}".encode(), f"{tag}TITLE".encode())
        found[path.name] = data
    return found


def command(*words: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code


DOORS = ("score", "demo", "scorer")


def enter(door: str, out: Path) -> str:
    """Scores the shipped ships through a door; returns what the input is called there."""
    shipped = example("ships")
    if door == "score":
        command("score", shipped.biographies, "--pages", shipped.pages, "--out", out, "-q")
        return shipped.biographies.name
    if door == "demo":
        command("demo", "ships", "--out", out)
        return shipped.biographies.name
    biographies = read_biographies(shipped.biographies).biographies
    Scorer(pages=str(shipped.pages)).score_many(biographies).save(out)
    return "records"


def begin(door: str, out: Path) -> None:
    """Scores the first three through a door."""
    shipped = example("ships")
    if door == "score":
        command("score", shipped.biographies, "--pages", shipped.pages, "--out", out, "--limit", 3)
    elif door == "demo":
        score(Config(input=shipped.biographies, pages=shipped.pages, limit=3), out=out)
    else:
        few = read_biographies(shipped.biographies, limit=3).biographies
        Scorer(pages=str(shipped.pages)).score_many(few).save(out)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The bytes of a run that nothing interrupted, by door."""
    folder = tmp_path_factory.mktemp("doors")
    return {door: folder_bytes(folder / door, enter(door, folder / door)) for door in DOORS}


def test_the_same_bytes(made):
    assert made["demo"] == made["score"]
    assert made["scorer"] == made["score"]
    assert {"report.html", "scores.csv", "verdicts.jsonl", "manifest.json"} <= set(made["score"])
    manifest = json.loads(made["score"]["manifest.json"])
    assert len(manifest["input"]["sha256"]) == 64
    assert {"dataset", "limit", "snapshots", "pages", "scores"} <= set(manifest["settings"])


@pytest.mark.parametrize("first", DOORS)
@pytest.mark.parametrize("second", DOORS)
def test_each_resumes_what_another_began(tmp_path, made, first, second):
    begin(first, tmp_path / "run")
    file = enter(second, tmp_path / "run")
    assert folder_bytes(tmp_path / "run", file) == made[second]
    if second != "scorer":
        sessions = json.loads((tmp_path / "run" / "timing.json").read_text())["sessions"]
        assert [s["judged"] for s in sessions] == [3, 6]


def test_what_was_judged_once_is_saved_as_often_as_wanted(tmp_path):
    shipped = example("ships")
    biographies = read_biographies(shipped.biographies).biographies
    results = Scorer(pages=str(shipped.pages)).score_many(biographies)
    results[:3].save(tmp_path / "run")
    results.save(tmp_path / "run")
    results.save(tmp_path / "whole")
    assert folder_bytes(tmp_path / "run", "records") == folder_bytes(tmp_path / "whole", "records")
    with pytest.raises(RunError, match="which the input does not have"):
        results[:3].save(tmp_path / "whole")
    with pytest.raises(InputError, match=r"only what Scorer\.score_many returns"):
        Results(list(results)).save(tmp_path / "other")
    again = Scorer(pages=str(shipped.pages)).score_many([biographies[0], biographies[0]])
    with pytest.raises(InputError, match="stands for several records"):
        again.save(tmp_path / "twice")


def test_an_experiment_scores_like_the_command(tmp_path):
    (tmp_path / "e.yaml").write_text(EXPERIMENT)
    run_experiment(load_experiment(tmp_path / "e.yaml"), tmp_path / "e")
    ours = folder_bytes(tmp_path / "e" / "one" / "run", "biographies.jsonl")
    bios, pages = tmp_path / "e" / "one" / "biographies.jsonl", example().pages
    command("score", bios, "--pages", pages, "--out", tmp_path / "run", "-q")
    assert folder_bytes(tmp_path / "run", "biographies.jsonl") == ours
    command("score", bios, "--pages", pages, "--out", tmp_path / "e" / "one" / "run", "-q")
    assert folder_bytes(tmp_path / "e" / "one" / "run", "biographies.jsonl") == ours
    results = Scorer(pages=str(pages)).score_many(read_biographies(bios).biographies)
    results.save(tmp_path / "e" / "one" / "run")
    results.save(tmp_path / "saved")
    for folder in (tmp_path / "e" / "one" / "run", tmp_path / "saved"):
        assert folder_bytes(folder, "records") == ours
    run_experiment(load_experiment(tmp_path / "e.yaml"), tmp_path / "e")
    assert folder_bytes(tmp_path / "e" / "one" / "run", "biographies.jsonl") == ours
