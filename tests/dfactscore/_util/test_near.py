from __future__ import annotations

import pytest

from dfactscore._util.message_text import folder_content, near_file, near_miss


def test_near_misses():
    known = ("link", "links", "gamma")
    assert near_miss("lnk", known) == "; did you mean link?"
    assert near_miss("lnk", known, most=2) == "; did you mean link or links?"
    assert near_miss("LINK", known, show=repr) == "; did you mean 'link'?"
    assert near_miss(12, known) == ""
    assert near_miss("x" * 1_000_000, known) == ""


@pytest.mark.parametrize(
    ("missing", "present", "suggested"),
    [
        ("name.jsonl", "names.jsonl", "names.jsonl"),
        ("NAMES.JSONL", "names.jsonl", "names.jsonl"),
        ("names.json", "names.jsonl", "names.jsonl"),
        ("names.jsonl", "names.jsonl.gz", "names.jsonl.gz"),
        ("data.csv", "data.tsv data.md", "data.tsv"),
        ("data.csv", "dataset.csv data.tsv", "data.tsv or dataset.csv"),
        ("bio.jsonl", "biographies.jsonl", "biographies.jsonl"),
        ("biography.jsonl", "biographies.jsonl", "biographies.jsonl"),
        ("firstrun", "first-run", "first-run"),
        ("rum", "run", "run"),
        # Only the suffix is alike.
        ("job.yaml", "few.yaml", ""),
        ("bios.jsonl", "few.jsonl pages.jsonl", ""),
        ("a.jsonl", "b.jsonl", ""),
        ("x.csv", ".hidden.csv", ""),
        ("people-of-1900.jsonl", "names.jsonl", ""),
    ],
)
def test_near_files(tmp_path, missing, present, suggested):
    for name in present.split():
        (tmp_path / name).write_text("")
    hint = near_file(tmp_path / missing)
    assert hint == (f"; did you mean {suggested}?" if suggested else "")


def test_near_files_of_a_kind(tmp_path):
    for name in ("names.jsonl", "names.md"):
        (tmp_path / name).write_text("")
    assert near_file(tmp_path / "name.md", ".jsonl") == "; did you mean names.jsonl?"
    assert near_file(tmp_path / "x.csv", ".csv") == ""
    (tmp_path / "first-run").mkdir()
    (tmp_path / "first-run" / "manifest.json").write_text("")
    (tmp_path / "first-runs").mkdir()
    assert near_file(tmp_path / "firstrun", folders="manifest.json") == "; did you mean first-run?"


def test_folders_that_cannot_be_read(tmp_path):
    assert near_file(tmp_path / "no" / "x.csv").startswith("; its folder ")
    assert near_file(tmp_path / ("x" * 300) / "y").startswith("; its folder ")


def test_files_of_a_folder(tmp_path):
    for name in ("b.jsonl", "a.csv", "notes.md", ".hidden.csv"):
        (tmp_path / name).write_text("")
    assert folder_content(tmp_path, ".csv", ".jsonl") == "; it contains a.csv, b.jsonl"
    assert folder_content(tmp_path, ".txt") == ""
    assert folder_content(tmp_path / "none", ".txt") == ""
